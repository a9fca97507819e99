// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/figure_strip.h"

#include <QEvent>
#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>

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

// Labels that are shown anew are laid out at once. All have a line or none, so that the figures of
// a row stand on one line.
void FigureStrip::setChanges(std::vector<Change> changes) {
  m_texts = std::move(changes);
  for (QLabel* each : m_changes) each->hide();
  showChanges();
  if (std::ranges::all_of(m_texts, &QString::isEmpty, &Change::whole)) return;
  for (QLabel* each : m_changes) each->show();
}

void FigureStrip::showChanges() {
  for (std::size_t i = 0; i < m_texts.size(); ++i) {
    const Change& change = m_texts[i];
    m_changes[i]->setText(m_compact && !change.brief.isEmpty() ? change.brief : change.whole);
    m_changes[i]->setToolTip(change.whole);
  }
}

void FigureStrip::setCompact(bool compact) {
  if (m_compact == compact) return;
  m_compact = compact;
  for (QLabel* value : m_values) {
    value->setProperty("role",
                       compact ? QStringLiteral("compactFigure") : QStringLiteral("figure"));
    value->style()->unpolish(value);
    value->style()->polish(value);
  }
  showChanges();
}

QString FigureStrip::change(std::size_t figure) const { return m_changes[figure]->text(); }

QString FigureStrip::value(std::size_t figure) const { return m_values[figure]->text(); }

}  // namespace gridloom::widgets
