// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_view.h"

#include <QPainter>
#include <QScrollArea>
#include <algorithm>
#include <cmath>
#include <utility>

#include "theme/tokens.h"

namespace gridloom::widgets {

ChartView::ChartView(const QString& name, QWidget* parent)
    : QWidget(parent),
      m_empty(QStringLiteral("This chart appears once the mapping is simulated.")) {
  setAccessibleName(name);
}

void ChartView::show(std::optional<SizedChart> chart) {
  m_chart = std::move(chart);
  fitHeight();
  update();
}

QScrollArea* ChartView::scrolled() {
  auto* area = new QScrollArea;
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setAccessibleName(accessibleName());
  area->setWidget(this);
  return area;
}

void ChartView::fitHeight() {
  setMinimumHeight(m_chart ? static_cast<int>(std::ceil(m_chart->height(font(), width()))) : 0);
}

void ChartView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitHeight();
}

void ChartView::setStale(bool stale) {
  m_stale = stale;
  update();
}

void ChartView::setEmptyText(const QString& words) {
  m_empty = words;
  update();
}

QRectF ChartView::chartArea() const {
  // Far higher, its legend would stand far from what it explains.
  constexpr double kMostHeight = 1.3;
  const double most = m_chart ? m_chart->height(font(), width()) * kMostHeight : 0;
  return {0, 0, static_cast<double>(width()), std::min<double>(height(), most)};
}

void ChartView::paintEvent(QPaintEvent*) {
  const Tokens& tokens = tokensFor(palette());
  QPainter painter(this);
  painter.fillRect(rect(), tokens.panel);
  if (m_stale) painter.setOpacity(kStaleInk);
  if (m_chart) return m_chart->paint(painter, chartArea(), tokens);
  painter.setPen(tokens.faint);
  painter.drawText(rect().adjusted(30, 10, -30, -10), Qt::AlignCenter | Qt::TextWordWrap, m_empty);
}

}  // namespace gridloom::widgets
