// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/inputs_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>
#include <limits>

#include "bridge/session.h"
#include "editors/code_editor.h"
#include "editors/language_highlighter.h"
#include "models/mapping_choices.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "window/flow_layout.h"
#include "window/kernel_facts.h"
#include "window/line_label.h"
#include "window/number_box.h"
#include "window/tab_order.h"

namespace gridloom::widgets {

namespace {

QStringList namesOf(const std::vector<std::pair<QString, NumberBox*>>& boxes) {
  QStringList names;
  for (const auto& [name, box] : boxes) names << name;
  return names;
}

constexpr int kLeastText = 190;  // pixels for fields and text, without the facts below

}  // namespace

KernelPanel::KernelPanel(Session* session, SelectionHub* hub, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_fields(new FlowLayout({10, 6, 4})),
      m_editor(new CodeEditor(Language::Kernel)),
      m_hub(hub),
      m_facts(new WrappedLabel) {
  m_editor->setAccessibleName(QStringLiteral("Kernel text"));
  m_editor->setObjectName(QStringLiteral("kernelEditor"));
  m_fields->setContentsMargins(10, 8, 10, 8);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(m_fields);
  column->addWidget(m_editor);
  m_facts->setObjectName(QStringLiteral("kernelFacts"));
  m_facts->setTextFormat(Qt::RichText);
  m_facts->setProperty("role", QStringLiteral("muted"));
  m_facts->setContentsMargins(12, 6, 12, 8);
  column->addWidget(m_facts);
  connect(session, &Session::inputsChanged, this, &KernelPanel::showParameters);
  connect(session, &Session::inputsChanged, this, &KernelPanel::showFacts);
  connect(session, &Session::explorationChanged, this, &KernelPanel::showFacts);
  connect(session, &Session::staleChanged, this, &KernelPanel::showFacts);
  connect(hub, &SelectionHub::candidateChanged, this, &KernelPanel::showFacts);
}

void KernelPanel::showFacts() {
  const service::KernelRef& kernel = m_session->kernel();
  const service::HardwareRef& hardware = m_session->hardware();
  if (!kernel) return m_facts->hide();
  KernelFacts facts{*kernel, hardware.get(), m_session->project().mode, nullptr, {}};
  const service::ExplorationRef& found = m_session->exploration();
  const int candidate = m_hub->candidate();
  const bool mapped = found && !m_session->stale() && candidate >= 0 &&
                      static_cast<std::size_t>(candidate) < found->listed();
  if (mapped) {
    facts.exploration = found.get();
    facts.mapping = service::mappingAt(*found, static_cast<std::size_t>(candidate));
  }
  m_facts->setWords(factsHtml(facts));
  reserveFacts();
}

/// Where there is little room, the text has all of it.
void KernelPanel::reserveFacts() {
  m_facts->reserve(width());
  m_facts->setVisible(m_session->kernel() != nullptr &&
                      height() - m_facts->reserved() >= kLeastText);
}

void KernelPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  reserveFacts();
}

NumberBox* KernelPanel::parameter(const QString& name) const {
  const auto it = std::find_if(m_boxes.begin(), m_boxes.end(),
                               [&](const auto& box) { return box.first == name; });
  return it == m_boxes.end() ? nullptr : it->second;
}

void KernelPanel::showParameters() {
  if (!m_session->kernel()) return;
  const KernelValues& parameters = m_session->kernelValues();
  QStringList names;
  for (const auto& [name, value] : parameters) names << text(name);
  if (names != namesOf(m_boxes)) makeFields(names);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    NumberBox* box = m_boxes[i].second;
    if (box->hasFocus() && box->isBeingTyped()) continue;
    const QSignalBlocker quiet(box);
    box->setValue(static_cast<int>(
        std::clamp<std::int64_t>(parameters[i].second, 1, std::numeric_limits<int>::max())));
    box->updateGeometry();
  }
}

void KernelPanel::makeFields(const QStringList& names) {
  while (QLayoutItem* item = m_fields->takeAt(0)) {
    item->widget()->deleteLater();
    delete item;
  }
  m_boxes.clear();
  for (const QString& name : names) {
    auto* box =
        new NumberBox(QStringLiteral("Parameter %1").arg(name), 1, std::numeric_limits<int>::max());
    box->setToolTip(
        QStringLiteral("Parameter %1 of the kernel; arrow keys and the wheel change it").arg(name));
    auto* title = new QLabel(name);
    title->setProperty("role", QStringLiteral("muted"));
    title->setBuddy(box);
    auto* field = new QWidget;
    auto* row = new QHBoxLayout(field);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(title);
    row->addWidget(box);
    m_fields->addWidget(field);
    connect(box, &QSpinBox::valueChanged, this,
            [this, name](int value) { m_session->setParameter(name, value); });
    connect(box, &NumberBox::corrected, this, &KernelPanel::corrected);
    m_boxes.emplace_back(name, box);
  }
  QList<QWidget*> order;
  for (const auto& [name, box] : m_boxes) order << box;
  setTabOrderAfter(m_editor->previousInFocusChain(), order);
}

DirectivesPanel::DirectivesPanel(Session* session, SelectionHub* hub, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_hub(hub),
      m_editor(new CodeEditor(Language::Directives)),
      m_pin(new QPushButton(QStringLiteral("Pin the selected mapping"))) {
  m_editor->setAccessibleName(QStringLiteral("Directives"));
  m_editor->setObjectName(QStringLiteral("directivesEditor"));
  m_editor->setPlaceholderText(
      QStringLiteral("Directives narrow the mapping space, one per line:\n\n"
                     "space(i->x)\ntile(k, 256)\nmulticast(A, y)\ndouble(B)\norder(j, i, k)\n\n"
                     "Empty leaves everything free."));
  m_pin->setToolTip(QStringLiteral("Write the directives that leave only the selected mapping"));
  auto* clear = new QPushButton(QStringLiteral("Clear"));
  clear->setToolTip(QStringLiteral("Leave everything free again"));
  auto* row = new QHBoxLayout;
  row->setContentsMargins(10, 8, 10, 8);
  row->setSpacing(6);
  row->addWidget(m_pin);
  row->addWidget(clear);
  row->addStretch();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(m_editor);
  connect(m_pin, &QPushButton::clicked, this, &DirectivesPanel::pinSelected);
  connect(clear, &QPushButton::clicked, this, &DirectivesPanel::clearAll);
}

QString DirectivesPanel::selectedMapping() const {
  const auto& exploration = m_session->exploration();
  const int candidate = m_hub->candidate();
  if (!exploration || m_session->stale() || candidate < 0 ||
      candidate >= static_cast<int>(exploration->listed())) {
    return {};
  }
  return text(mapping::printDirectives(
      exploration->kernel->kernel, *exploration->kernel->nest, exploration->hardware->topology,
      service::mappingAt(*exploration, static_cast<std::size_t>(candidate))));
}

void DirectivesPanel::pinSelected() {
  const QString directives = selectedMapping();
  if (!directives.isEmpty()) m_editor->replaceText(directives);
}

void DirectivesPanel::keep(const QStringList& directives) {
  write(withKept(m_editor->toPlainText(), directives), directives.back());
}

void DirectivesPanel::exclude(const QString& directive) {
  write(withExcluded(m_editor->toPlainText(), directive), QStringLiteral("not ") + directive);
}

void DirectivesPanel::open(const QString& directives) { write(directives, {}); }

void DirectivesPanel::write(const QString& words, const QString& line) {
  m_editor->replaceText(words);
  const QString before = (QLatin1Char('\n') + words).section(QLatin1Char('\n') + line, 0, 0);
  m_editor->goTo(static_cast<std::uint32_t>(before.toUtf8().size()));
  Q_EMIT written();
}

void DirectivesPanel::clearAll() { m_editor->replaceText({}); }

}  // namespace gridloom::widgets
