// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/breakdown_chart.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QPainter>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "models/quantity_text.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

/// Causes of all bars in order of first appearance.
QStringList causesOf(const std::vector<Breakdown>& bars) {
  QStringList causes;
  for (const Breakdown& bar : bars) {
    for (const auto& part : bar.parts) {
      if (part.cycles > 0 && !causes.contains(part.cause)) causes << part.cause;
    }
  }
  return causes;
}

double cyclesOf(const Breakdown& bar, const QString& cause) {
  double cycles = 0;
  for (const auto& part : bar.parts) {
    if (part.cause == cause) cycles += part.cycles;
  }
  return cycles;
}

/// The factor and the title of an axis with short numbers.
std::pair<double, QString> scaleFor(double most) {
  if (most >= 2e6) return {1e-6, QStringLiteral("Million cycles")};
  if (most >= 2e3) return {1e-3, QStringLiteral("Thousand cycles")};
  return {1, QStringLiteral("Cycles")};
}

void dress(QAbstractAxis& axis, const Tokens& tokens, const QFont& font) {
  axis.setLabelsFont(font);
  axis.setLabelsColor(tokens.muted);
  axis.setTitleFont(font);
  axis.setTitleBrush(tokens.muted);
  axis.setGridLinePen(QPen(tokens.border, 1));
  axis.setLinePenColor(tokens.border);
}

QChart* emptyChart(const Tokens& tokens, const QFont& font) {
  auto* chart = new QChart;
  chart->setBackgroundBrush(tokens.panel);
  chart->setBackgroundRoundness(0);
  chart->setMargins(QMargins(8, 4, 12, 4));
  chart->layout()->setContentsMargins(0, 0, 0, 0);
  chart->legend()->setFont(font);
  chart->legend()->setLabelColor(tokens.muted);
  chart->legend()->setAlignment(Qt::AlignTop);
  chart->legend()->setMarkerShape(QLegend::MarkerShapeRectangle);
  return chart;
}

QHorizontalStackedBarSeries* stacked(const std::vector<Breakdown>& bars, double factor,
                                     const Tokens& tokens) {
  auto* series = new QHorizontalStackedBarSeries;
  series->setBarWidth(std::min(0.62, 0.2 * static_cast<double>(bars.size())));
  for (const QString& cause : causesOf(bars)) {
    auto* set = new QBarSet(causeTitle(cause));
    set->setColor(causeColour(tokens, cause));
    set->setBorderColor(tokens.panel);
    // Qt Charts counts categories from the bottom.
    for (auto bar = bars.rbegin(); bar != bars.rend(); ++bar)
      set->append(cyclesOf(*bar, cause) * factor);
    series->append(set);
  }
  return series;
}

}  // namespace

QChart* makeBreakdownChart(const std::vector<Breakdown>& bars, const Tokens& tokens) {
  QFont font;
  font.setPixelSize(11);
  QChart* const chart = emptyChart(tokens, font);
  if (bars.empty()) return chart;

  double most = 0;
  for (const Breakdown& bar : bars) {
    double sum = 0;
    for (const auto& part : bar.parts) sum += part.cycles;
    most = std::max(most, sum);
  }
  const auto [factor, title] = scaleFor(most);
  QHorizontalStackedBarSeries* series = stacked(bars, factor, tokens);
  chart->addSeries(series);
  auto* names = new QBarCategoryAxis;
  for (auto bar = bars.rbegin(); bar != bars.rend(); ++bar) names->append(bar->title);
  auto* cycles = new QValueAxis;
  cycles->setTitleText(title);
  cycles->setRange(0, most * factor * 1.02);
  cycles->applyNiceNumbers();
  cycles->setLabelFormat(QStringLiteral("%.4g"));
  dress(*names, tokens, font);
  names->setGridLineVisible(false);
  dress(*cycles, tokens, font);
  chart->addAxis(names, Qt::AlignLeft);
  chart->addAxis(cycles, Qt::AlignBottom);
  series->attachAxis(names);
  series->attachAxis(cycles);
  return chart;
}

void paintBreakdown(QPainter& painter, const QRectF& area, const std::vector<Breakdown>& bars,
                    const Tokens& tokens) {
  painter.fillRect(area, tokens.panel);
  QGraphicsScene scene;
  QChart* chart = makeBreakdownChart(bars, tokens);
  scene.addItem(chart);
  chart->setGeometry(QRectF(QPointF(), area.size()));
  chart->setAnimationOptions(QChart::NoAnimation);
  scene.setSceneRect(QRectF(QPointF(), area.size()));
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  scene.render(&painter, area, scene.sceneRect());
  painter.restore();
}

}  // namespace gridloom::widgets
