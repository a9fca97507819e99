// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/figure_strip.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include "window/flow_layout.h"

namespace gridloom::widgets {

FigureStrip::FigureStrip(const std::vector<Figure>& figures, QWidget* parent) : QWidget(parent) {
  auto* rows = new FlowLayout({24, 10, 4}, this);
  rows->setContentsMargins(14, 8, 14, 6);
  for (const Figure& figure : figures) {
    auto* column = new QWidget;
    auto* lines = new QVBoxLayout(column);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(1);
    auto* name = new QLabel(figure.name);
    name->setProperty("role", QStringLiteral("muted"));
    auto* value = new QLabel(QStringLiteral("–"));
    value->setProperty("role", QStringLiteral("figure"));
    value->setAccessibleName(figure.name);
    column->setToolTip(figure.meaning);
    lines->addWidget(name);
    lines->addWidget(value);
    auto* change = new QLabel;
    change->setProperty("role", QStringLiteral("muted"));
    change->hide();
    lines->addWidget(change);
    m_changes.push_back(change);
    rows->addWidget(column);
    m_values.push_back(value);
  }
  QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

// Layouts around the strip use its least size only, and figures of another length may need a row
// more or less.
bool FigureStrip::event(QEvent* event) {
  const bool known = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize)
    setMinimumHeight(layout()->heightForWidth(width()));
  return known;
}

void FigureStrip::setValue(std::size_t figure, const QString& value) {
  m_values[figure]->setText(value);
}

void FigureStrip::setChange(std::size_t figure, const QString& change) {
  m_changes[figure]->setText(change);
  m_changes[figure]->setVisible(!change.isEmpty());
}

QString FigureStrip::change(std::size_t figure) const { return m_changes[figure]->text(); }

QString FigureStrip::value(std::size_t figure) const { return m_values[figure]->text(); }

}  // namespace gridloom::widgets
