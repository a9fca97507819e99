// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/scatter_axes.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "charts/chart_parts.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kBand = 0.10;  // the shaded band: x within 10 % of y

template <class Draw>
void forTicks(const ScatterFrame& frame, double pixels, double room, const Draw& draw) {
  const ChartRange range{frame.range.low, frame.range.high};
  const int wanted = std::clamp(static_cast<int>(pixels / room), 1, 8);
  const auto ticks =
      frame.logarithmic ? logarithmicTicks(range, wanted) : linearTicks(range, wanted);
  for (const double tick : ticks) draw(frame.at(tick, tick), tickText(tick));
}

/// Scale of an axis: linear, or by powers.
double placed(const ScatterFrame& frame, double value) {
  const auto& [low, high] = frame.range;
  if (!frame.logarithmic) return (value - low) / (high - low);
  return std::log(std::max(value, low * 1e-6) / low) / std::log(high / low);
}

}  // namespace

QPointF ScatterFrame::at(double x, double y) const {
  return {plot.left() + placed(*this, x) * plot.width(),
          plot.bottom() - placed(*this, y) * plot.height()};
}

QPointF ScatterFrame::held(const ScatterData::Point& point) const {
  return at(std::clamp(point.x, range.low, range.high), std::clamp(point.y, range.low, range.high));
}

bool ScatterFrame::holds(const ScatterData::Point& point) const {
  const auto& [lowX, highX] = std::minmax(point.x, point.y);
  return lowX >= range.low && highX <= range.high;
}

ScatterRange rangeOf(const ScatterData& data) {
  double low = INFINITY;
  double high = 0;
  for (const auto& point : data.points) {
    low = std::min({low, point.x, point.y});
    high = std::max({high, point.x, point.y});
  }
  if (data.points.empty()) return {};
  if (data.logarithmic && low > 0) return {low / 1.3, high * 1.3};
  const double margin = std::max((high - low) * 0.08, high * 0.01);
  const ScatterRange range{std::max(0.0, low - margin), high + margin};
  return range.high > range.low ? range : ScatterRange{range.low, range.low + 1};
}

ScatterFrame frameOf(const ScatterData& data, const QRectF& area, const ScatterLook& look) {
  ScatterFrame frame;
  frame.plot = area.adjusted(82, look.captioned ? 34 : 6, -20, -46);
  // Both axes have one range: a high, narrow plot would show less, not more.
  constexpr double kHighest = 1.3;
  frame.plot.setHeight(std::min(frame.plot.height(), frame.plot.width() * kHighest));
  frame.range = look.axes ? *look.axes : rangeOf(data);
  frame.logarithmic = data.logarithmic && frame.range.low > 0;
  return frame;
}

void paintScatterAxes(QPainter& painter, const ScatterFrame& frame, const ScatterData& data,
                      const Tokens& tokens) {
  const QRectF& plot = frame.plot;
  const double height = painter.fontMetrics().height();
  forTicks(frame, plot.width(), 80, [&](QPointF at, const QString& words) {
    painter.setPen(QPen(tokens.border, 1));
    painter.drawLine(QPointF(at.x(), plot.top()), QPointF(at.x(), plot.bottom()));
    painter.setPen(tokens.muted);
    painter.drawText(QRectF(at.x() - 50, plot.bottom() + 4, 100, height), Qt::AlignHCenter, words);
  });
  forTicks(frame, plot.height(), 2 * height, [&](QPointF at, const QString& words) {
    painter.setPen(QPen(tokens.border, 1));
    painter.drawLine(QPointF(plot.left(), at.y()), QPointF(plot.right(), at.y()));
    painter.setPen(tokens.muted);
    painter.drawText(QRectF(plot.left() - 64, at.y() - height / 2, 58, height), Qt::AlignRight,
                     words);
  });
  painter.setPen(tokens.muted);
  painter.drawText(QRectF(plot.left(), plot.bottom() + 4 + height, plot.width(), height + 2),
                   Qt::AlignCenter, data.xTitle);
  paintUpright(painter, QRectF(plot.left() - 66 - height / 2, plot.top(), height, plot.height()),
               data.yTitle);
}

void paintScatterReference(QPainter& painter, const ScatterFrame& frame, const ScatterData& data,
                           const Tokens& tokens) {
  const auto& [low, high] = frame.range;
  painter.save();
  painter.setClipRect(frame.plot);
  QColor band = tokens.muted;
  band.setAlphaF(0.07F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(band);
  const double more = high * 2;  // past the corner, where the band is cut by the plot
  painter.drawPolygon(
      QPolygonF{frame.at(low * (1 + kBand), low), frame.at(more * (1 + kBand), more),
                frame.at(more * (1 - kBand), more), frame.at(low * (1 - kBand), low)});
  painter.setPen(QPen(tokens.faint, 1, Qt::DashLine));
  painter.drawLine(frame.at(low, low), frame.at(high, high));
  if (data.bound > low) {
    painter.setPen(QPen(tokens.warning, 1, Qt::DotLine));
    painter.drawLine(frame.at(low, data.bound), frame.at(high, data.bound));
    painter.setPen(tokens.warning);
    painter.drawText(frame.at(low, data.bound) + QPointF(6, -4),
                     QStringLiteral("no mapping can beat this"));
  }
  painter.restore();
}

}  // namespace gridloom::widgets
