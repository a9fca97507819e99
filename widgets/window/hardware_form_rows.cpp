// SPDX-License-Identifier: GPL-3.0-or-later

// The rows of the form: which there are, and what they show.

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QStyle>

#include "bridge/hardware_edits.h"
#include "bridge/session.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "window/hardware_form.h"
#include "window/number_box.h"
#include "window/tab_order.h"

namespace gridloom::widgets {

namespace {

constexpr int kLargestCount = 100000;
constexpr int kWidthForSliders = 330;

bool isCount(const language::HardwareField& field) { return field.whole && field.unit.empty(); }

}  // namespace

void HardwareForm::rebuild(const std::vector<language::HardwareField>& fields) {
  // A field with the focus loses it here, and would enter what it holds into a row that is gone.
  for (const Row& row : m_rows) {
    for (QObject* each : {static_cast<QObject*>(row.line), static_cast<QObject*>(row.box),
                          static_cast<QObject*>(row.slider)})
      if (each) each->disconnect(this);
  }
  m_rows.clear();
  while (QLayoutItem* item = m_grid->takeAt(0)) {
    if (item->widget()) {
      item->widget()->hide();
      item->widget()->deleteLater();
    }
    delete item;
  }
  // A grid keeps the rows that it had, and their stretch: new ones take their places.
  for (int row = 0; row < m_grid->rowCount(); ++row) m_grid->setRowStretch(row, 0);
  m_nextRow = 0;
  for (std::size_t n = 0; n < fields.size(); ++n) {
    if (n == 0 || fields[n].component != fields[n - 1].component) {
      const bool together = n > 0 && fields[n].op == fields[n - 1].op &&
                            (fields[n].op == "param" || fields[n].op == "spatial_dim");
      if (!together) addHeading(fields[n]);
    }
    addRow(fields[n]);
  }
  addDisabled();
  setTabOrderAfter(m_area, focusableIn(*m_grid));
  showSliders();
  m_grid->setRowStretch(m_nextRow, 1);
}

/// Two buttons that stay down: the networks wrap around at the edge of the mesh, or end there.
QWidget* HardwareForm::makeEdge() {
  m_edge = new QWidget;
  auto* row = new QHBoxLayout(m_edge);
  row->setContentsMargins(12, 0, 12, 4);
  row->setSpacing(6);
  auto* label = new QLabel(QStringLiteral("Edges"));
  label->setToolTip(QStringLiteral("What becomes of links at the edge of the mesh"));
  label->setProperty("role", QStringLiteral("muted"));
  row->addWidget(label);
  row->addStretch();
  const auto button = [this, row](const QString& title, const QString& tip, auto does) {
    auto* made = new QPushButton(title);
    made->setCheckable(true);
    made->setToolTip(tip);
    made->setAccessibleName(QStringLiteral("Links at the edge: %1").arg(title));
    connect(made, &QPushButton::clicked, this, [this, does] {
      does();
      showEdge();
    });
    row->addWidget(made);
    return made;
  };
  m_torus = button(QStringLiteral("Torus"),
                   QStringLiteral("Links wrap around (`mod` in the maps of the links)"),
                   [this] { setWrapped(*m_session, true); });
  m_meshEdge = button(QStringLiteral("Mesh"),
                      QStringLiteral("Links end at the edge. A one-way network also gets links in "
                                     "the opposite direction"),
                      [this] { setWrapped(*m_session, false); });
  m_ring = button(QStringLiteral("Ring"),
                  QStringLiteral("One row of all cores, closed into a ring; the channels of global "
                                 "memory are spread over it"),
                  [this] {
                    Q_EMIT ringWanted();
                    showEdge();
                  });
  return m_edge;
}

void HardwareForm::showEdge() {
  const language::EdgeLinks links = edgesOf(*m_session);
  m_edge->setVisible(links.wrapped + links.open > 0);
  // Until an edit is checked, Ring stays as it is.
  const bool pending = m_session->hardwareIsCurrent() && !m_session->hardwareIsChecked();
  const bool ring = pending ? m_ring->isChecked() : isRing(*m_session);
  if (!pending) m_ring->setVisible(mayBeRing(*m_session));
  m_ring->setChecked(ring);
  m_torus->setChecked(!ring && links.wrapped > 0 && links.open == 0);
  m_meshEdge->setChecked(links.open > 0 && links.wrapped == 0);
}

void HardwareForm::addHeading(const language::HardwareField& field) {
  const bool shared = field.op == "param" || field.op == "spatial_dim";
  auto* heading = new QLabel(shared ? titleOfOp(field.op)
                                    : QStringLiteral("%1 <span style='font-weight:400'>%2</span>")
                                          .arg(titleOfOp(field.op), text(field.component)));
  heading->setProperty("role", QStringLiteral("title"));
  heading->setContentsMargins(0, m_rows.empty() ? 0 : 8, 0, 0);
  m_grid->addWidget(heading, m_nextRow++, 0, 1, 3);
}

void HardwareForm::addRow(const language::HardwareField& field) {
  const std::size_t index = m_rows.size();
  const int row = m_nextRow++;
  Row made;
  made.field = field;
  const bool own = field.op == "param" || field.op == "spatial_dim";
  const auto role = m_sizes.find(text(field.component));
  const QString title = own && role != m_sizes.end() ? *role : titleOf(field);
  const QString name = own ? title : QStringLiteral("%1 of %2").arg(title, text(field.component));
  QString tip = text(field.help);
  if (!field.parameter.empty())
    tip += QStringLiteral("\nWritten as param %1").arg(text(field.parameter));
  auto* label = new QLabel(title);
  label->setProperty("role", QStringLiteral("muted"));
  label->setToolTip(tip);
  m_grid->addWidget(label, row, 0);
  if (isCount(field)) {
    made.box = new NumberBox(name, 1, kLargestCount);
    made.box->setToolTip(tip);
    connect(made.box, &QSpinBox::valueChanged, this,
            [this, index](int value) { adoptBox(index, value); });
    m_grid->addWidget(made.box, row, 1, Qt::AlignLeft);
  } else {
    made.line = new QLineEdit;
    made.line->setAccessibleName(name);
    made.line->setToolTip(tip);
    made.line->setMinimumWidth(96);
    connect(made.line, &QLineEdit::editingFinished, this, [this, index] { adoptTyped(index); });
    m_grid->addWidget(made.line, row, 1);
  }
  if (isScalable(field)) made.slider = addSlider(name, row, index);
  m_rows.push_back(made);
}

QSlider* HardwareForm::addSlider(const QString& name, int row, std::size_t index) {
  auto* slider = new QSlider(Qt::Horizontal);
  slider->setRange(-kSliderSteps, kSliderSteps);
  slider->setFixedWidth(64);
  slider->setAccessibleName(QStringLiteral("%1, from a quarter to four times").arg(name));
  slider->setToolTip(
      QStringLiteral("Drag to see what the mapping would take; the text changes on release"));
  connect(slider, &QSlider::valueChanged, this, [this, index] { drag(index); });
  connect(slider, &QSlider::sliderReleased, this, [this, index] { endDrag(index); });
  m_grid->addWidget(slider, row, 2);
  return slider;
}

void HardwareForm::addDisabled() {
  for (const std::vector<std::int64_t>& core : m_disabled) {
    const int row = m_nextRow++;
    auto* label = new QLabel(QStringLiteral("Disabled core %1").arg(placeText(core)));
    label->setProperty("role", QStringLiteral("muted"));
    auto* enable = new QPushButton(QStringLiteral("Enable"));
    enable->setAccessibleName(QStringLiteral("Enable core %1").arg(placeText(core)));
    connect(enable, &QPushButton::clicked, this, [this, core] {
      m_hub->selectCore(-1);
      setCoreDisabled(*m_session, core, false);
    });
    m_grid->addWidget(label, row, 0, 1, 2);
    m_grid->addWidget(enable, row, 2);
  }
}

/// A narrow form has room for the numbers alone.
void HardwareForm::showSliders() {
  for (const Row& row : m_rows) {
    if (row.slider) row.slider->setVisible(width() >= kWidthForSliders);
  }
}

/// Form and text agree, except for what is being typed.
void HardwareForm::fill() {
  for (Row& row : m_rows) {
    if (row.box) {
      const QSignalBlocker quiet(row.box);
      if (row.box->value() != static_cast<int>(row.field.number))
        row.box->setValue(static_cast<int>(row.field.number));
    }
    const QString written = partOf(m_session->project().hardwareText, row.field.value);
    if (row.line && !(row.line->hasFocus() && row.line->isModified()) &&
        row.line->text() != written) {
      row.line->setText(written);
      // What does not fit is missing at the end, where the unit is.
      row.line->setCursorPosition(0);
    }
    if (row.slider) {
      const QSignalBlocker quiet(row.slider);
      row.slider->setValue(0);
    }
  }
}

void HardwareForm::markProblems() {
  for (const Row& row : m_rows) {
    QWidget* editor = row.box ? static_cast<QWidget*>(row.box) : row.line;
    QString message;
    for (const Problem& problem : m_session->problems()) {
      const base::Diagnostic& found = problem.diagnostic;
      if (problem.subject != Subject::Hardware || found.severity != base::Severity::Error) continue;
      if (found.span.begin < row.field.value.end && found.span.end > row.field.value.begin)
        message = text(found.message);
    }
    const bool bad = !message.isEmpty();
    if (editor->property("bad").toBool() == bad) continue;
    editor->setProperty("bad", bad);
    editor->setToolTip(bad ? message : text(row.field.help));
    editor->style()->polish(editor);
  }
}

}  // namespace gridloom::widgets
