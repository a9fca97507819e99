// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/hardware_form.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <cmath>

#include "bridge/hardware_edits.h"
#include "bridge/session.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "window/number_box.h"

namespace gridloom::widgets {

namespace {

constexpr int kLabelWidth = 120;
constexpr double kSliderFactor = 4;  // at its ends

double scaled(double number, int step) {
  return number * std::pow(kSliderFactor, static_cast<double>(step) / HardwareForm::kSliderSteps);
}

bool sameFields(const language::HardwareField& a, const language::HardwareField& b) {
  return a.op == b.op && a.component == b.component && a.attribute == b.attribute;
}

}  // namespace

HardwareForm::HardwareForm(Session* session, SelectionHub* hub, QWidget* parent)
    : QWidget(parent), m_session(session), m_hub(hub) {
  build();
  connect(session, &Session::edited, this, &HardwareForm::refresh);
  connect(session, &Session::projectReplaced, this, &HardwareForm::refresh);
  connect(session, &Session::inputsChanged, this, &HardwareForm::refresh);
  connect(session, &Session::problemsChanged, this, &HardwareForm::markProblems);
  connect(hub, &SelectionHub::coreChanged, this, &HardwareForm::refresh);
  connect(hub, &SelectionHub::resourceChanged, this, &HardwareForm::refresh);
  // What was tried is then known, or of another machine.
  connect(session, &Session::explorationChanged, &m_trial, &HardwareTrial::drop);
  connect(&m_trial, &HardwareTrial::changed, this, &HardwareForm::showResult);
}

/// What is shown, and what may be done with it.
QHBoxLayout* HardwareForm::makeHead() {
  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 6, 12, 4);
  head->setSpacing(6);
  m_scope = new QLabel;
  m_scope->setProperty("role", QStringLiteral("title"));
  m_scope->setWordWrap(true);
  m_all = new QPushButton(QStringLiteral("Show all"));
  m_all->setToolTip(QStringLiteral("Clear the selection and show every number"));
  connect(m_all, &QPushButton::clicked, this, [this] {
    m_hub->selectCore(-1);
    m_hub->selectResource({});
  });
  m_add = new QPushButton(QStringLiteral("Add…"));
  m_add->setAccessibleName(QStringLiteral("Add a part to the machine"));
  m_add->setToolTip(QStringLiteral("Add a network or a shared buffer"));
  head->addWidget(m_scope, 1);
  head->addWidget(m_add);
  head->addWidget(m_all);
  return head;
}

void HardwareForm::build() {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(makeHead());
  column->addWidget(makeEdge());
  auto* content = new QWidget;
  m_grid = new QGridLayout(content);
  m_grid->setContentsMargins(10, 2, 8, 8);
  m_grid->setHorizontalSpacing(6);
  m_grid->setVerticalSpacing(4);
  m_grid->setColumnStretch(1, 1);
  // Fields keep their place from selection to selection.
  m_grid->setColumnMinimumWidth(0, kLabelWidth);
  m_area = new QScrollArea;
  m_area->setWidget(content);
  m_area->setWidgetResizable(true);
  m_area->setFrameShape(QFrame::NoFrame);
  m_area->setAccessibleName(QStringLiteral("Numbers of the hardware"));
  column->addWidget(m_area, 1);
  m_result = new QLabel;
  m_result->setContentsMargins(12, 4, 12, 6);
  m_result->setWordWrap(true);
  m_result->hide();
  column->addWidget(m_result);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
}

void HardwareForm::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showSliders();
}

std::vector<language::HardwareField> HardwareForm::shownFields() const {
  auto fields = language::hardwareFields(hardwareSource(m_session->project().hardwareText));
  std::set<std::string> wanted;
  if (m_session->hardware())
    wanted = componentsOf(*m_session->hardware(), m_hub->core(), m_hub->resource());
  std::erase_if(fields, [&](const language::HardwareField& field) {
    // A dimension whose size is a parameter stands there already.
    if (field.op == "spatial_dim" && !field.parameter.empty()) return true;
    if (wanted.empty() || field.op == "param" || field.op == "spatial_dim") return false;
    return !wanted.contains(field.component);
  });
  // What is selected first, else the sizes.
  std::ranges::stable_sort(fields, {}, [&](const language::HardwareField& field) {
    if (field.op != "param" && field.op != "spatial_dim") return wanted.empty() ? 2 : -1;
    return field.op == "param" ? 0 : 1;
  });
  return fields;
}

void HardwareForm::refresh() {
  if (m_dragging) return;
  const auto fields = shownFields();
  const auto disabled = language::disabledCores(hardwareSource(m_session->project().hardwareText));
  const auto sizes = sizesOf(*m_session);
  const bool same =
      disabled == m_disabled && sizes == m_sizes &&
      std::equal(fields.begin(), fields.end(), m_rows.begin(), m_rows.end(),
                 [](const auto& field, const Row& row) { return sameFields(field, row.field); });
  m_disabled = disabled;
  m_sizes = sizes;
  if (!same) rebuild(fields);
  for (std::size_t r = 0; r < m_rows.size(); ++r) m_rows[r].field = fields[r];
  fill();
  showScope();
  showEdge();
  markProblems();
}

void HardwareForm::write(const language::HardwareField& field, const QString& value) {
  const QString& before = m_session->project().hardwareText;
  const QString name = field.attribute.empty() ? text(field.component) : titleOf(field).toLower();
  m_session->editHardware(withPart(before, field.value, value),
                          QStringLiteral("%1 = %2").arg(name, value));
}

void HardwareForm::adoptTyped(std::size_t index) {
  Row& row = m_rows[index];
  if (!row.line->isModified()) return;
  row.line->setModified(false);
  const QString value = numberText(row.line->text(), row.field);
  if (!value.isEmpty() && value != partOf(m_session->project().hardwareText, row.field.value))
    write(row.field, value);
  refresh();
}

void HardwareForm::adoptBox(std::size_t index, int value) {
  if (value == static_cast<int>(m_rows[index].field.number)) return;
  write(m_rows[index].field, QString::number(value));
}

void HardwareForm::drag(std::size_t index) {
  Row& row = m_rows[index];
  if (!m_dragging) row.dragged = row.field.number;
  m_dragging = true;
  const QString value = numberText(scaled(row.dragged, row.slider->value()), row.field);
  if (row.line) row.line->setText(value);
  const service::SimulationRunRef run = m_session->runOf(m_hub->candidate());
  if (run && !m_session->stale())
    m_trial.start(withPart(m_session->project().hardwareText, row.field.value, value), run);
  // Keys and the wheel move it without a press.
  if (!row.slider->isSliderDown()) endDrag(index);
}

void HardwareForm::endDrag(std::size_t index) {
  if (!m_dragging) return;
  const Row& row = m_rows[index];
  const int step = row.slider->value();
  m_dragging = false;
  if (step != 0) write(row.field, numberText(scaled(row.dragged, step), row.field));
  refresh();
}

void HardwareForm::showScope() {
  const std::vector<std::int64_t> core = describedCore(m_session->hardware(), m_hub->core());
  const QString resource = m_hub->resource();
  m_scope->setText(!resource.isEmpty() ? resource
                   : !core.empty()     ? QStringLiteral("Core %1").arg(placeText(core))
                                       : m_session->project().hardwareName);
  m_all->setVisible(!resource.isEmpty() || !core.empty());
  m_add->setVisible(m_all->isHidden());
}

void HardwareForm::showResult() {
  const std::optional<double> after = m_trial.after();
  m_result->setVisible(after || !m_trial.failure().isEmpty());
  if (!m_trial.failure().isEmpty()) return m_result->setText(m_trial.failure());
  if (!after) return;
  m_result->setText(QStringLiteral("This mapping: %1 → <b>%2</b> cycles, %3")
                        .arg(cyclesText(m_trial.before()), cyclesText(*after),
                             signedPercentText(*after / std::max(m_trial.before(), 1.0) - 1)));
}

const HardwareForm::Row* HardwareForm::rowOf(const QString& component,
                                             const QString& attribute) const {
  for (const Row& row : m_rows) {
    if (text(row.field.component) == component && text(row.field.attribute) == attribute)
      return &row;
  }
  return nullptr;
}

QLineEdit* HardwareForm::field(const QString& component, const QString& attribute) const {
  const Row* row = rowOf(component, attribute);
  return row ? row->line : nullptr;
}

NumberBox* HardwareForm::box(const QString& parameter) const {
  const Row* row = rowOf(parameter, {});
  return row ? row->box : nullptr;
}

QSlider* HardwareForm::slider(const QString& component, const QString& attribute) const {
  const Row* row = rowOf(component, attribute);
  return row ? row->slider : nullptr;
}

}  // namespace gridloom::widgets
