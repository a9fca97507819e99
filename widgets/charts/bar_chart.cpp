// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/bar_chart.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kBarGap = 6, kBarRow = 21, kMostBarRow = 34, kBarShare = 0.62;

/// Where the columns are, and the scale.
struct BarPlaces {
  QRectF bars;   ///< what lies between the names and the totals
  double names;  ///< their left end
  double most = 1;
  double at(double value) const { return bars.left() + value / most * bars.width(); }
};

double lengthOf(const BarChart::Bar& bar) {
  double sum = 0;
  for (const BarChart::Part& part : bar.parts) sum += part.value;
  return sum;
}

double barAxisHeight(const QFontMetricsF& metrics) { return 2 * metrics.height() + 8; }

BarPlaces barPlacesIn(const QRectF& area, const QFontMetricsF& metrics, const BarChart& chart) {
  double names = 0, totals = 0, most = 0;
  for (const BarChart::Bar& bar : chart.bars) {
    names = std::max(names, metrics.horizontalAdvance(bar.name));
    totals = std::max(totals, metrics.horizontalAdvance(bar.total));
    most = std::max(most, lengthOf(bar));
  }
  const double left = area.left() + names + kBarGap, right = area.right() - totals - kBarGap;
  return {{left, area.top(), std::max(right - left, 1.0), area.height()},
          area.left(),
          most > 0 ? most : 1};
}

void paintBarAxis(QPainter& painter, const BarPlaces& places, const BarChart& chart,
                  const Tokens& tokens) {
  const QFontMetricsF metrics(painter.font());
  const double room = std::max(metrics.horizontalAdvance(QStringLiteral("0.0000 M")), 1.0);
  const int wanted = std::clamp(static_cast<int>(places.bars.width() / room), 1, 6);
  for (const double tick : linearTicks({0, places.most}, wanted)) {
    const double x = places.at(tick);
    painter.setPen(QPen(tokens.border, 1));
    painter.drawLine(QPointF(x, places.bars.top()), QPointF(x, places.bars.bottom()));
    painter.setPen(tokens.muted);
    painter.drawText(QRectF(x - 40, places.bars.bottom() + 3, 80, metrics.height()),
                     Qt::AlignHCenter, tickText(tick));
  }
  painter.drawText(QRectF(places.bars.left(), places.bars.bottom() + 4 + metrics.height(),
                          places.bars.width(), metrics.height() + 3),
                   Qt::AlignHCenter, chart.axis);
}

void paintOneBar(QPainter& painter, const QRectF& row, const BarPlaces& places,
                 const BarChart::Bar& bar, const Tokens& tokens) {
  painter.setPen(tokens.text);
  painter.drawText(QRectF(places.names, row.top(), places.bars.left() - kBarGap - places.names + 1,
                          row.height()),
                   Qt::AlignRight | Qt::AlignVCenter, bar.name);
  const double height = row.height() * kBarShare;
  double done = 0;
  for (const BarChart::Part& part : bar.parts) {
    if (part.value <= 0) continue;
    const double left = places.at(done);
    done += part.value;
    painter.fillRect(
        QRectF(left, row.center().y() - height / 2, std::max(places.at(done) - left, 0.5), height),
        part.colour);
  }
  painter.setFont(chartFont(painter.font(), kLabelPixels, true));
  painter.drawText(QRectF(places.at(done) + kBarGap - 2, row.top(), 200, row.height()),
                   Qt::AlignLeft | Qt::AlignVCenter, bar.total);
  painter.setFont(chartFont(painter.font(), kLabelPixels));
}

}  // namespace

double barChartHeight(const QFont& font, double width, const BarChart& chart) {
  const double inner = width - 2 * kChartEdge;
  return 2 * kChartEdge + headHeight(font, inner, chart.head) +
         kBarRow * static_cast<double>(chart.bars.size()) +
         barAxisHeight(QFontMetricsF(chartFont(font, kLabelPixels))) +
         keysHeight(font, inner, chart.keys);
}

void paintBarChart(QPainter& painter, const QRectF& area, const BarChart& chart,
                   const Tokens& tokens) {
  painter.save();
  QRectF rest = beginChart(painter, area, chart.head, tokens);
  const double keys = keysHeight(painter.font(), rest.width(), chart.keys);
  paintKeys(painter, QRectF(rest.left(), rest.bottom() - keys, rest.width(), keys), chart.keys,
            tokens);
  painter.setFont(chartFont(painter.font(), kLabelPixels));
  const QFontMetricsF metrics(painter.font());
  rest.setBottom(rest.bottom() - keys - barAxisHeight(metrics));
  const double count = std::max<double>(static_cast<double>(chart.bars.size()), 1);
  const double height = std::min(rest.height() / count, kMostBarRow);
  rest.setHeight(height * count);
  const BarPlaces places = barPlacesIn(rest, metrics, chart);
  paintBarAxis(painter, places, chart, tokens);
  QRectF row(rest.left(), rest.top(), rest.width(), height);
  for (const BarChart::Bar& bar : chart.bars) {
    paintOneBar(painter, row, places, bar, tokens);
    row.translate(0, height);
  }
  painter.restore();
}

}  // namespace gridloom::widgets
