// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/roofline_chart.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kRoofPoint = 3.5;

/// Both axes are logarithmic.
struct RoofFrame {
  QRectF plot;
  ChartRange x, y;
  QPointF at(double intensity, double rate) const {
    return {plot.left() + std::log(intensity / x.low) / std::log(x.high / x.low) * plot.width(),
            plot.bottom() - std::log(rate / y.low) / std::log(y.high / y.low) * plot.height()};
  }
};

std::vector<ChartKey> roofKeysOf(const RooflineChart& chart, const Tokens& tokens) {
  std::vector<ChartKey> keys;
  const auto add = [&](bool waits, const QColor& colour, const char* words) {
    if (std::ranges::any_of(chart.points, [&](const auto& each) { return each.waits == waits; }))
      keys.push_back({colour, QString::fromLatin1(words)});
  };
  add(false, tokens.compute, "mostly computing");
  add(true, tokens.memory, "mostly waiting");
  return keys;
}

/// Holds every point, and the ridge in the middle.
RoofFrame roofFrameOf(const RooflineChart& chart, const QRectF& plot) {
  const double ridge = chart.peak / chart.slope;
  double left = ridge / 100, right = ridge * 10, low = chart.peak;
  for (const RooflineChart::Point& each : chart.points) {
    left = std::min(left, each.intensity / 2);
    right = std::max(right, each.intensity * 2);
    low = std::min(low, each.rate / 2);
  }
  return {plot, {left, right}, {std::min(low, chart.slope * left), chart.peak * 2}};
}

void paintRoofAxes(QPainter& painter, const RoofFrame& frame, const RooflineChart& chart,
                   const Tokens& tokens) {
  const QRectF& plot = frame.plot;
  const double height = painter.fontMetrics().height();
  const int across = std::clamp(static_cast<int>(plot.width() / 55), 2, 6);
  for (const double tick : logarithmicTicks(frame.x, across)) {
    const double x = frame.at(tick, frame.y.low).x();
    painter.setPen(QPen(tokens.border, 1));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    painter.setPen(tokens.muted);
    painter.drawText(QRectF(x - 40, plot.bottom() + 3, 80, height), Qt::AlignHCenter,
                     tickText(tick));
  }
  for (const double tick : logarithmicTicks(frame.y, 4)) {
    const double y = frame.at(frame.x.low, tick).y();
    painter.setPen(QPen(tokens.border, 1));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setPen(tokens.muted);
    painter.drawText(QRectF(plot.left() - 50, y - height / 2, 46, height),
                     Qt::AlignRight | Qt::AlignVCenter, tickText(tick));
  }
  painter.drawText(QRectF(plot.left(), plot.bottom() + 4 + height, plot.width(), height + 3),
                   Qt::AlignHCenter, QStringLiteral("Flop per byte of global memory"));
  paintUpright(painter, QRectF(plot.left() - 50 - height, plot.top(), height, plot.height()),
               chart.unit);
}

void paintRoof(QPainter& painter, const RoofFrame& frame, const RooflineChart& chart,
               const Tokens& tokens) {
  const double ridge = chart.peak / chart.slope;
  const QPointF corner = frame.at(ridge, chart.peak);
  const QPointF foot = frame.at(frame.x.low, chart.slope * frame.x.low);
  const QPointF end = frame.at(frame.x.high, chart.peak);
  const double height = painter.fontMetrics().height();
  if (chart.sustained > 0 && chart.sustained < chart.peak) {
    const QPointF from = frame.at(chart.sustained / chart.slope, chart.sustained);
    painter.setPen(QPen(tokens.compute, 1, Qt::DashLine));
    painter.drawLine(from, QPointF(end.x(), from.y()));
    const QString words = QStringLiteral("sustained ") + tickText(chart.sustained);
    painter.drawText(QRectF(from.x() - 150 - 4, from.y() - height / 2, 150, height),
                     Qt::AlignRight | Qt::AlignVCenter, words);
  }
  painter.setPen(QPen(tokens.text, 1.6));
  painter.drawPolyline(QPolygonF{foot, corner, end});
  painter.drawText(QRectF(end.x() - 220, end.y() - height - 2, 216, height), Qt::AlignRight,
                   chart.peakName);
  painter.save();
  painter.setPen(tokens.memory);
  painter.translate((foot + corner) / 2);
  painter.rotate(std::atan2(corner.y() - foot.y(), corner.x() - foot.x()) * 180 / M_PI);
  painter.drawText(QRectF(-120, -height - 3, 240, height), Qt::AlignHCenter, chart.slopeName);
  painter.restore();
}

/// Names stand where no name and no point is yet: right of the point, left, below, above.
void paintRoofPoints(QPainter& painter, const RoofFrame& frame, const RooflineChart& chart,
                     const Tokens& tokens) {
  const QFontMetricsF metrics(painter.font());
  std::vector<QRectF> taken;
  for (const RooflineChart::Point& each : chart.points) {
    const QPointF at = frame.at(each.intensity, each.rate);
    painter.setPen(QPen(tokens.panel, 0.8));
    painter.setBrush(each.waits ? tokens.memory : tokens.compute);
    painter.drawEllipse(at, kRoofPoint, kRoofPoint);
    taken.emplace_back(at - QPointF(kRoofPoint, kRoofPoint),
                       QSizeF(2 * kRoofPoint, 2 * kRoofPoint));
  }
  painter.setPen(tokens.text);
  for (const RooflineChart::Point& each : chart.points) {
    if (each.name.isEmpty()) continue;
    const QPointF at = frame.at(each.intensity, each.rate);
    const QSizeF size(metrics.horizontalAdvance(each.name) + 1, metrics.height());
    for (const QPointF corner :
         {QPointF(6, -size.height() / 2), QPointF(-6 - size.width(), -size.height() / 2),
          QPointF(-size.width() / 2, 5), QPointF(-size.width() / 2, -5 - size.height())}) {
      const QRectF box(at + corner, size);
      const auto meets = [&](const QRectF& other) { return other.intersects(box); };
      if (!frame.plot.contains(box) || std::ranges::any_of(taken, meets)) continue;
      painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, each.name);
      taken.push_back(box);
      break;
    }
  }
}

}  // namespace

double rooflineHeight(const QFont& font, double width, const RooflineChart& chart) {
  return headHeight(font, width - 2 * kChartEdge, chart.head) +
         std::clamp(width * 0.62, 200.0, 420.0);
}

void paintRoofline(QPainter& painter, const QRectF& area, const RooflineChart& chart,
                   const Tokens& tokens) {
  painter.save();
  QRectF rest = beginChart(painter, area, chart.head, tokens);
  const auto keys = roofKeysOf(chart, tokens);
  const double foot = keysHeight(painter.font(), rest.width(), keys);
  paintKeys(painter, QRectF(rest.left(), rest.bottom() - foot, rest.width(), foot), keys, tokens);
  painter.setFont(chartFont(painter.font(), kLabelPixels));
  const double height = painter.fontMetrics().height();
  const RoofFrame frame =
      roofFrameOf(chart, rest.adjusted(54 + height, 0, -2, -(foot + 2 * height + 10)));
  if (chart.peak > 0 && chart.slope > 0) {
    paintRoofAxes(painter, frame, chart, tokens);
    paintRoof(painter, frame, chart, tokens);
    paintRoofPoints(painter, frame, chart, tokens);
  }
  painter.restore();
}

}  // namespace gridloom::widgets
