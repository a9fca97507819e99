// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_parts.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kKeySwatch = 9, kSwatchGap = 4, kKeyGap = 14, kHeadGap = 8;

double wrappedHeight(const QFont& font, double width, const QString& words) {
  if (words.isEmpty()) return 0;
  return QFontMetricsF(font)
      .boundingRect(QRectF(0, 0, width, 1e4), Qt::AlignLeft | Qt::TextWordWrap, words)
      .height();
}

/// Calls `place(key, top left)` for each; returns the height of all lines.
template <class Place>
double forKeys(const QFont& font, double width, const std::vector<ChartKey>& keys,
               const Place& place) {
  const QFontMetricsF metrics(font);
  const double line = metrics.height() + 3;
  double x = 0, y = 0;
  for (const ChartKey& key : keys) {
    const double needs = kKeySwatch + kSwatchGap + metrics.horizontalAdvance(key.words);
    if (x > 0 && x + needs > width) {
      x = 0;
      y += line;
    }
    place(key, QPointF(x, y));
    x += needs + kKeyGap;
  }
  return keys.empty() ? 0 : y + line;
}

double niceTickStep(double range, int wanted) {
  const double rough = range / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

void paintSwatch(QPainter& painter, const QRectF& swatch, const ChartKey& key,
                 const Tokens& tokens) {
  using Shape = ChartKey::Shape;
  if (key.shape == Shape::Struck) return paintStruckField(painter, swatch, tokens);
  if (key.shape == Shape::Filled) return painter.fillRect(swatch, key.colour);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(key.colour, 1.5));
  const QRectF outline = swatch.adjusted(0.5, 0.5, -0.5, -0.5);
  if (key.shape == Shape::Ring)
    painter.drawEllipse(outline);
  else
    painter.drawRect(outline);
  painter.restore();
}

}  // namespace

QFont chartFont(QFont font, int pixels, bool bold) {
  font.setPixelSize(pixels);
  font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
  return font;
}

double headHeight(const QFont& font, double width, const ChartHead& head) {
  const double title = wrappedHeight(chartFont(font, kTitlePixels, true), width, head.title);
  return title + wrappedHeight(chartFont(font, kLabelPixels), width, head.facts) + kHeadGap;
}

QRectF paintHead(QPainter& painter, const QRectF& area, const ChartHead& head,
                 const Tokens& tokens) {
  painter.save();
  QRectF rest = area;
  const auto wrapped = [&](const QFont& font, const QColor& ink, const QString& words) {
    const double height = wrappedHeight(font, area.width(), words);
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(QRectF(rest.left(), rest.top(), rest.width(), height),
                     Qt::AlignLeft | Qt::TextWordWrap, words);
    rest.setTop(rest.top() + height);
  };
  const QFont font = painter.font();
  wrapped(chartFont(font, kTitlePixels, true), tokens.text, head.title);
  wrapped(chartFont(font, kLabelPixels), tokens.muted, head.facts);
  painter.restore();
  return rest.adjusted(0, kHeadGap, 0, 0);
}

QRectF beginChart(QPainter& painter, const QRectF& area, const ChartHead& head,
                  const Tokens& tokens) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(area, tokens.panel);
  return paintHead(painter, area.adjusted(kChartEdge, kChartEdge, -kChartEdge, -kChartEdge), head,
                   tokens);
}

double keysHeight(const QFont& font, double width, const std::vector<ChartKey>& keys) {
  return forKeys(chartFont(font, kLabelPixels), width, keys, [](const ChartKey&, QPointF) {});
}

void paintStruckField(QPainter& painter, const QRectF& field, const Tokens& tokens) {
  painter.save();
  painter.fillRect(field, tokens.window);
  painter.setPen(QPen(tokens.edge, 1));
  painter.drawLine(field.bottomLeft(), field.topRight());
  painter.restore();
}

void paintKeys(QPainter& painter, const QRectF& area, const std::vector<ChartKey>& keys,
               const Tokens& tokens) {
  painter.save();
  const QFont font = chartFont(painter.font(), kLabelPixels);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  painter.setPen(tokens.text);
  forKeys(font, area.width(), keys, [&](const ChartKey& key, QPointF at) {
    const QPointF place = area.topLeft() + at;
    const double middle = place.y() + metrics.height() / 2;
    const QRectF swatch(place.x(), middle - kKeySwatch / 2, kKeySwatch, kKeySwatch);
    paintSwatch(painter, swatch, key, tokens);
    painter.drawText(QRectF(place.x() + kKeySwatch + kSwatchGap, place.y(),
                            metrics.horizontalAdvance(key.words) + 2, metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, key.words);
  });
  painter.restore();
}

std::vector<double> linearTicks(const ChartRange& range, int wanted) {
  std::vector<double> ticks;
  const double step = niceTickStep(range.high - range.low, wanted);
  const double first = std::ceil(range.low / step);
  for (int i = 0; (first + i) * step <= range.high; ++i) ticks.push_back((first + i) * step);
  return ticks;
}

std::vector<double> logarithmicTicks(const ChartRange& range, int wanted) {
  const double decades = std::log10(range.high / range.low);
  if (decades < 1) return linearTicks(range, wanted);
  const int every = std::max(1, static_cast<int>(std::ceil(decades / wanted)));
  const bool fine = 3 * decades <= wanted;
  std::vector<double> ticks;
  for (int power = static_cast<int>(std::floor(std::log10(range.low)));
       std::pow(10.0, power) <= range.high; ++power) {
    if (power % every != 0) continue;
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10.0, power);
      const bool inside = tick >= range.low && tick <= range.high;
      if (inside && (fine || factor == 1.0)) ticks.push_back(tick);
    }
  }
  return ticks;
}

QString tickText(double value) {
  if (value >= 1e6) return QStringLiteral("%1 M").arg(value / 1e6, 0, 'g', 4);
  if (value >= 1e3) return QStringLiteral("%1 k").arg(value / 1e3, 0, 'g', 4);
  return QString::number(value, 'g', 4);
}

void paintUpright(QPainter& painter, const QRectF& side, const QString& words) {
  const double width = painter.fontMetrics().horizontalAdvance(words) + 8;
  if (width - 8 > side.height()) return;
  painter.save();
  painter.translate(side.center());
  painter.rotate(-90);
  painter.drawText(QRectF(-width / 2, -side.width() / 2, width, side.width()), Qt::AlignCenter,
                   words);
  painter.restore();
}

}  // namespace gridloom::widgets
