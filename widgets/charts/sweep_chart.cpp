// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/sweep_chart.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "models/quantity_text.h"
#include "theme/colour_ramp.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kSweepDot = 4, kSweepReach = 12, kSweepMark = 4, kLeastNumberField = 34;
constexpr double kMuchMore = 3;  // a logarithmic scale shows such ratios better

struct SweepFrame {
  QRectF plot;
  ChartRange range;  ///< of cycles
  bool logarithmic = false;
  double columns = 1, rows = 1;

  double part(double cycles) const {
    return logarithmic ? std::log(cycles / range.low) / std::log(range.high / range.low)
                       : (cycles - range.low) / (range.high - range.low);
  }
  /// The first row is at the bottom.
  QRectF field(const SweepChart::Point& point) const {
    const double width = plot.width() / columns, height = plot.height() / rows;
    return {plot.left() + point.column * width, plot.bottom() - (point.row + 1) * height, width,
            height};
  }
  /// Where a line has the mark of a value without a mapping: at the axis.
  QRectF noMapping(const SweepChart::Point& point) const {
    return {field(point).center().x() - kSweepDot, plot.bottom() - 2 * kSweepDot - 1, 2 * kSweepDot,
            2 * kSweepDot};
  }
  QPointF dot(const SweepChart::Point& point) const {
    return {field(point).center().x(), plot.bottom() - part(point.cycles) * plot.height()};
  }
};

ChartRange cyclesOf(const SweepChart& chart) {
  ChartRange range{0, 0};
  for (const SweepChart::Point& point : chart.points) {
    if (point.cycles <= 0) continue;
    range.low = range.low > 0 ? std::min(range.low, point.cycles) : point.cycles;
    range.high = std::max(range.high, point.cycles);
  }
  return range.low > 0 ? range : ChartRange{1, 2};
}

double sweepFoot(const QFontMetricsF& metrics) { return 2 * metrics.height() + 8; }

SweepFrame sweepFrameOf(const QFont& font, const QRectF& rest, const SweepChart& chart) {
  const QFontMetricsF metrics(chartFont(font, kLabelPixels));
  double labels = metrics.horizontalAdvance(QStringLiteral("00.00 M"));
  for (const QString& value : chart.y ? chart.y->values : QStringList())
    labels = std::max(labels, metrics.horizontalAdvance(value));
  const double keys = keysHeight(font, rest.width(), chart.keys);
  SweepFrame frame;
  frame.plot = rest.adjusted(labels + metrics.height() + 8, 2, -2, -(keys + sweepFoot(metrics)));
  frame.columns = std::max<double>(1, static_cast<double>(chart.x.values.size()));
  frame.rows = chart.y ? std::max<double>(1, static_cast<double>(chart.y->values.size())) : 1;
  frame.range = cyclesOf(chart);
  frame.logarithmic = frame.range.high > kMuchMore * frame.range.low;
  if (chart.y) return frame;
  const double margin = 0.08;
  if (frame.logarithmic) {
    const double more = std::pow(frame.range.high / frame.range.low, margin);
    frame.range = {frame.range.low / more, frame.range.high * more};
  } else {
    const double more =
        std::max(frame.range.high - frame.range.low, 0.02 * frame.range.high) * margin;
    frame.range = {frame.range.low - more, frame.range.high + more};
  }
  return frame;
}

/// Names of values below and beside the plot: every n-th where not all fit.
void paintSweepNames(QPainter& painter, const SweepFrame& frame, const SweepChart& chart) {
  const QFontMetricsF metrics(painter.font());
  double widest = 1;
  for (const QString& value : chart.x.values)
    widest = std::max(widest, metrics.horizontalAdvance(value) + 6);
  const double width = frame.plot.width() / frame.columns;
  const auto every = static_cast<qsizetype>(std::ceil(widest / width));
  for (qsizetype i = 0; i < chart.x.values.size(); i += every) {
    const double middle = frame.plot.left() + (static_cast<double>(i) + 0.5) * width;
    painter.drawText(QRectF(middle - widest / 2, frame.plot.bottom() + 3, widest, metrics.height()),
                     Qt::AlignHCenter, chart.x.values[i]);
  }
  painter.drawText(QRectF(frame.plot.left(), frame.plot.bottom() + 4 + metrics.height(),
                          frame.plot.width(), metrics.height() + 3),
                   Qt::AlignHCenter, chart.x.title);
  const QRectF side(frame.plot.left() - 8, frame.plot.top(), 4, frame.plot.height());
  const double height = frame.plot.height() / frame.rows;
  const auto down = static_cast<qsizetype>(std::ceil(metrics.height() / height));
  double names = metrics.horizontalAdvance(QStringLiteral("00.00 M"));
  for (qsizetype i = 0; chart.y && i < chart.y->values.size(); i += down) {
    const double middle = side.bottom() - (static_cast<double>(i) + 0.5) * height;
    painter.drawText(
        QRectF(side.left() - 200, middle - metrics.height() / 2, 204, metrics.height()),
        Qt::AlignRight | Qt::AlignVCenter, chart.y->values[i]);
    names = std::max(names, metrics.horizontalAdvance(chart.y->values[i]));
  }
  paintUpright(
      painter,
      QRectF(side.left() - names - metrics.height(), side.top(), metrics.height(), side.height()),
      chart.y ? chart.y->title : chart.measure);
}

void paintSweepLine(QPainter& painter, const SweepFrame& frame, const SweepChart& chart,
                    const Tokens& tokens) {
  const QFontMetricsF metrics(painter.font());
  const auto ticks =
      frame.logarithmic ? logarithmicTicks(frame.range, 5) : linearTicks(frame.range, 5);
  for (const double tick : ticks) {
    const double y = frame.plot.bottom() - frame.part(tick) * frame.plot.height();
    painter.setPen(QPen(tokens.border, 1));
    painter.drawLine(QPointF(frame.plot.left(), y), QPointF(frame.plot.right(), y));
    painter.setPen(tokens.muted);
    painter.drawText(
        QRectF(frame.plot.left() - 104, y - metrics.height() / 2, 100, metrics.height()),
        Qt::AlignRight | Qt::AlignVCenter, tickText(tick));
  }
  painter.setPen(QPen(tokens.edge, 1.2));
  // No line over values without a mapping.
  for (std::size_t i = 1; i < chart.points.size(); ++i) {
    const SweepChart::Point &before = chart.points[i - 1], &point = chart.points[i];
    if (before.cycles > 0 && point.cycles > 0)
      painter.drawLine(frame.dot(before), frame.dot(point));
  }
  for (const SweepChart::Point& point : chart.points) {
    if (point.fails) paintStruckField(painter, frame.noMapping(point), tokens);
    if (point.cycles <= 0) continue;
    painter.setPen(QPen(tokens.panel, 1));
    painter.setBrush(point.colour);
    painter.drawEllipse(frame.dot(point), kSweepDot, kSweepDot);
  }
  painter.setBrush(Qt::NoBrush);
}

/// As many digits for all, so that they are compared at a glance.
QString fieldText(double cycles) {
  return cycles >= 1e6 ? QStringLiteral("%1 M").arg(cycles / 1e6, 0, 'f', 2)
                       : countText(std::round(cycles));
}

void paintSweepMap(QPainter& painter, const SweepFrame& frame, const SweepChart& chart,
                   const Tokens& tokens) {
  const QFontMetricsF metrics(painter.font());
  for (const SweepChart::Point& point : chart.points) {
    const QRectF field = frame.field(point).adjusted(1, 1, -1, -1);
    if (point.cycles <= 0) {
      if (point.fails)
        paintStruckField(painter, field, tokens);
      else
        painter.fillRect(field, tokens.window);
      continue;
    }
    const bool equal = frame.range.high <= frame.range.low;
    const QColor ground(ColourRamp::of(tokens.dark).at(equal ? 0 : frame.part(point.cycles)));
    painter.fillRect(field, ground);
    painter.fillRect(QRectF(field.topLeft(), QSizeF(kSweepMark, field.height())), point.colour);
    const QString words = fieldText(point.cycles);
    const QRectF room = field.adjusted(kSweepMark + 1, 0, -1, 0);
    if (field.width() < kLeastNumberField || metrics.horizontalAdvance(words) > room.width() ||
        metrics.height() > room.height())
      continue;
    painter.setPen(ColourRamp::lightness(ground.rgb()) > 56 ? QColor(0x161c26) : QColor(0xf2f5f9));
    painter.drawText(room, Qt::AlignCenter, words);
  }
}

/// The present point and the selected one.
void paintSweepRings(QPainter& painter, const SweepFrame& frame, const SweepChart& chart,
                     const Tokens& tokens) {
  painter.setBrush(Qt::NoBrush);
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const SweepChart::Point& point = chart.points[i];
    const bool selected = static_cast<int>(i) == chart.selected;
    if (point.cycles <= 0 || !(selected || point.isNow)) continue;
    painter.setPen(QPen(selected ? tokens.accent : tokens.text, 2));
    if (chart.y)
      painter.drawRect(frame.field(point).adjusted(1, 1, -1, -1));
    else
      painter.drawEllipse(frame.dot(point), kSweepDot + 3, kSweepDot + 3);
  }
}

SweepChart::Axis chartAxisOf(const SweepAxis& axis) {
  SweepChart::Axis out{text(report::sweepAxisTitle(axis.parameter)), {}};
  for (const double value : axis.values) out.values << text(report::sweepValueText(value));
  return out;
}

}  // namespace

SweepChart sweepChart(const SweepRecord& sweep, const Tokens& tokens) {
  SweepChart chart;
  QStringList names;
  for (const SweepAxis& axis : sweep.axes) names << text(axis.parameter.title);
  chart.head = {QStringLiteral("Best mapping against ") + names.join(QStringLiteral(" and ")),
                text(report::sweepFacts(sweep))};
  chart.x = chartAxisOf(sweep.axes.front());
  if (sweep.axes.size() > 1) chart.y = chartAxisOf(sweep.axes[1]);
  const auto rows = chart.y ? static_cast<int>(sweep.axes[1].values.size()) : 1;
  const bool simulated = report::allSimulated(sweep);
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    const QString bottleneck = text(point.found.bottleneck);
    const bool fails = point.known && !point.found.fits();
    chart.points.push_back({static_cast<int>(i) / rows, static_cast<int>(i) % rows,
                            point.found.cycles(simulated), causeColour(tokens, bottleneck),
                            point.isNow, fails});
    const ChartKey key = fails ? ChartKey{{}, QStringLiteral("No mapping"), ChartKey::Shape::Struck}
                               : ChartKey{causeColour(tokens, bottleneck), causeTitle(bottleneck)};
    if (point.known &&
        std::ranges::find(chart.keys, key.words, &ChartKey::words) == chart.keys.end())
      chart.keys.push_back(key);
  }
  const bool showsNow = std::ranges::any_of(
      chart.points, [](const auto& point) { return point.isNow && point.cycles > 0; });
  if (showsNow)
    chart.keys.push_back({tokens.text, QStringLiteral("Present"),
                          chart.y ? ChartKey::Shape::Frame : ChartKey::Shape::Ring});
  chart.measure = QLatin1String(simulated ? "Simulated cycles" : "Predicted cycles");
  // A line has it at its axis.
  if (chart.y) chart.head.facts += QStringLiteral("; ") + chart.measure.toLower();
  return chart;
}

double sweepFigureHeight(const QFont& font, double width, const SweepChart& chart) {
  return sweepChartHeight(font, width, chart) * 1.5;
}

double sweepChartHeight(const QFont& font, double width, const SweepChart& chart) {
  const QFontMetricsF metrics(chartFont(font, kLabelPixels));
  const double inner = width - 2 * kChartEdge;
  const double rows =
      chart.y ? static_cast<double>(chart.y->values.size()) * 2 * metrics.height() : 0;
  return 2 * kChartEdge + headHeight(font, inner, chart.head) +
         std::max(rows, std::clamp(width * 0.2, 70.0, 200.0)) + sweepFoot(metrics) +
         keysHeight(font, inner, chart.keys);
}

void paintSweepChart(QPainter& painter, const QRectF& area, const SweepChart& chart,
                     const Tokens& tokens) {
  painter.save();
  const QRectF rest = beginChart(painter, area, chart.head, tokens);
  const SweepFrame frame = sweepFrameOf(painter.font(), rest, chart);
  const double keys = keysHeight(painter.font(), rest.width(), chart.keys);
  paintKeys(painter, QRectF(rest.left(), rest.bottom() - keys, rest.width(), keys), chart.keys,
            tokens);
  painter.setFont(chartFont(painter.font(), kLabelPixels));
  painter.setPen(tokens.muted);
  paintSweepNames(painter, frame, chart);
  (chart.y ? paintSweepMap : paintSweepLine)(painter, frame, chart, tokens);
  paintSweepRings(painter, frame, chart, tokens);
  painter.restore();
}

int sweepPointAt(const QFont& font, const QRectF& area, const SweepChart& chart,
                 const QPointF& place) {
  const QRectF inner = area.adjusted(kChartEdge, kChartEdge, -kChartEdge, -kChartEdge);
  const QRectF rest = inner.adjusted(0, headHeight(font, inner.width(), chart.head), 0, 0);
  const SweepFrame frame = sweepFrameOf(font, rest, chart);
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const SweepChart::Point& point = chart.points[i];
    const QPointF dot = point.fails ? frame.noMapping(point).center() : frame.dot(point);
    const bool hit =
        chart.y ? frame.field(point).contains(place)
                : (point.fails || point.cycles > 0) && QLineF(dot, place).length() < kSweepReach;
    if (hit) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace gridloom::widgets
