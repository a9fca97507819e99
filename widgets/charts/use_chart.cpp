// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/use_chart.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "models/quantity_text.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kUseGap = 16, kUseScale = 8, kMostUseCell = 30, kNumberCell = 20;
constexpr double kLeastUseCell = 8;  // smaller ones lie side by side, without gaps
constexpr double kMostBins = 20;

ChartRange useRangeOf(const UseChart& chart) {
  ChartRange range{1, 0};
  for (const float share : chart.places) {
    if (share < 0) continue;
    range.low = std::min(range.low, static_cast<double>(share));
    range.high = std::max(range.high, static_cast<double>(share));
  }
  // Equal shares have a scale from nothing on.
  constexpr double kEqual = 0.001;
  if (range.high - range.low < kEqual) return {0, range.high > 0 ? range.high : 1};
  return range;
}

double partOfRange(const ChartRange& range, double share) {
  return range.high > range.low ? (share - range.low) / (range.high - range.low) : 1;
}

struct UsePlaces {
  QRectF heat, bars;
  double cell = 1;
};

/// The places at the left, as large as they fit, and the histogram at the right.
UsePlaces usePlacesIn(const QRectF& area, const QFontMetricsF& metrics, const UseChart& chart) {
  const double label = 2 * metrics.height();
  const double bars = std::clamp(area.width() * 0.34, 96.0, 200.0);
  const QRectF room(area.left() + label, area.top(), area.width() - bars - kUseGap - label,
                    area.height() - label - kUseScale - 2 * metrics.height());
  UsePlaces places;
  places.cell = std::min({room.width() / std::max(chart.columns, 1),
                          room.height() / std::max(chart.rows, 1), kMostUseCell});
  places.heat = {room.topLeft(), QSizeF(places.cell * chart.columns, places.cell * chart.rows)};
  places.bars = {area.right() - bars, area.top(), bars, area.height()};
  return places;
}

/// Half a pixel of 1/96 inch shows the most of its places: none that is hot disappears.
void paintSmallUse(QPainter& painter, const UsePlaces& places, const UseChart& chart,
                   const ChartRange& range, const Tokens& tokens) {
  const QSize size = (2 * places.heat.size()).toSize().expandedTo(QSize(1, 1));
  std::vector<float> most(
      static_cast<std::size_t>(size.width()) * static_cast<std::size_t>(size.height()), -1);
  // The pixels from `begin` to before `end`; at least one.
  const auto pixelsOf = [](int at, int pixels, int count) {
    const auto begin = static_cast<int>(std::int64_t{at} * pixels / count);
    const auto end = static_cast<int>((std::int64_t{at} + 1) * pixels / count);
    return std::pair(begin, std::max(end, begin + 1));
  };
  const float* place = chart.places.data();
  for (int row = 0; row < chart.rows; ++row) {
    const auto [top, bottom] = pixelsOf(row, size.height(), chart.rows);
    for (int column = 0; column < chart.columns; ++column, ++place) {
      const auto [left, right] = pixelsOf(column, size.width(), chart.columns);
      for (int y = top; y < bottom; ++y) {
        const auto line = most.begin() + std::ptrdiff_t{y} * size.width();
        std::for_each(line + left, line + right, [&](float& at) { at = std::max(at, *place); });
      }
    }
  }
  QImage image(size, QImage::Format_RGB32);
  for (int y = 0; y < size.height(); ++y) {
    for (int x = 0; x < size.width(); ++x) {
      const float share =
          most[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width()) +
               static_cast<std::size_t>(x)];
      const QColor colour =
          share < 0 ? tokens.panel : linkColour(tokens, partOfRange(range, share));
      image.setPixel(x, y, colour.rgb());
    }
  }
  painter.drawImage(places.heat, image);
}

void paintUseCells(QPainter& painter, const UsePlaces& places, const UseChart& chart,
                   const ChartRange& range, const Tokens& tokens) {
  for (std::size_t i = 0; i < chart.places.size(); ++i) {
    if (chart.places[i] < 0) continue;
    const auto column = static_cast<double>(i % static_cast<std::size_t>(chart.columns));
    const auto row = static_cast<double>(i / static_cast<std::size_t>(chart.columns));
    const QRectF cell(places.heat.left() + column * places.cell,
                      places.heat.top() + row * places.cell, places.cell, places.cell);
    const QColor ground = linkColour(tokens, partOfRange(range, chart.places[i]));
    painter.fillRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), ground);
    if (places.cell < kNumberCell) continue;
    painter.setPen(ground.lightnessF() < 0.5F ? Qt::white : Qt::black);
    painter.drawText(cell, Qt::AlignCenter, QString::number(std::lround(chart.places[i] * 100)));
  }
}

/// A number of places that is read off easily: 1, 2, 5, 10, ...
int rulerStep(double least) {
  for (int power = 1;; power *= 10) {
    for (const int step : {power, 2 * power, 5 * power}) {
      if (step >= least) return step;
    }
  }
}

void paintUseRulers(QPainter& painter, const UsePlaces& places, const UseChart& chart,
                    const Tokens& tokens) {
  const QFontMetricsF metrics(painter.font());
  painter.setPen(tokens.muted);
  const int every = rulerStep(26 / places.cell);
  for (int column = 0; column < chart.columns; column += every) {
    painter.drawText(QRectF(places.heat.left() + (column + 0.5) * places.cell - 20,
                            places.heat.bottom() + 2, 40, metrics.height()),
                     Qt::AlignHCenter, QString::number(column));
  }
  const int down = rulerStep(metrics.height() / places.cell);
  for (int row = 0; row < chart.rows; row += down) {
    painter.drawText(QRectF(places.heat.left() - 40 - 4,
                            places.heat.top() + (row + 0.5) * places.cell - metrics.height() / 2,
                            40, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(row));
  }
}

void paintUseScale(QPainter& painter, const UsePlaces& places, const ChartRange& range,
                   const Tokens& tokens) {
  const QFontMetricsF metrics(painter.font());
  const double width = std::max(places.heat.width(), 90.0);
  const QRectF bar(places.heat.left(), places.heat.bottom() + metrics.height() + 8, width,
                   kUseScale);
  constexpr int kSteps = 40;
  for (int i = 0; i < kSteps; ++i) {
    painter.fillRect(
        QRectF(bar.left() + i * width / kSteps, bar.top(), width / kSteps + 0.6, kUseScale),
        linkColour(tokens, (i + 0.5) / kSteps));
  }
  painter.setPen(tokens.muted);
  const QRectF words(bar.left(), bar.bottom() + 2, width, metrics.height());
  painter.drawText(words, Qt::AlignLeft, percentText(range.low));
  painter.drawText(words, Qt::AlignRight, percentText(range.high) + QStringLiteral(" busy"));
}

double binOf(const UseChart& chart) {
  const auto busiest = std::ranges::max_element(chart.members);
  const double most = busiest == chart.members.end() ? 0 : 100.0 * *busiest;
  for (const double width : {0.1, 0.2, 0.5, 1.0, 2.0}) {
    if (most < kMostBins * width) return width;
  }
  return 100 / kMostBins;
}

/// How many are how busy; the length of a bar is the root of its count.
void paintHistogram(QPainter& painter, const QRectF& area, const UseChart& chart,
                    const Tokens& tokens) {
  const auto [width, counts] = useBinsOf(chart);
  std::size_t first = 0, last = counts.size();
  while (last > 1 && counts[last - 1] == 0) --last;
  while (first + 1 < last && counts[first] == 0) ++first;
  const QFontMetricsF metrics(painter.font());
  painter.setPen(tokens.text);
  painter.setFont(chartFont(painter.font(), kLabelPixels, true));
  painter.drawText(QRectF(area.left(), area.top(), area.width(), metrics.height() + 2),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   QStringLiteral("%1 %2").arg(countText(static_cast<double>(chart.members.size())),
                                               chart.what));
  painter.setFont(chartFont(painter.font(), kLabelPixels));
  const QRectF room = area.adjusted(0, metrics.height() + 6, 0, -2 * metrics.height() - 6);
  const double row = std::clamp(room.height() / static_cast<double>(last - first), 1.0, 15.0);
  const double name = std::max(metrics.horizontalAdvance(QStringLiteral("95–100%")),
                               metrics.horizontalAdvance(QStringLiteral("0.1–0.2%")));
  const double left = room.left() + name + 5;
  const double most = std::sqrt(static_cast<double>(*std::ranges::max_element(counts)));
  const double longest = room.right() - left - metrics.horizontalAdvance(QStringLiteral("000,000"));
  const auto every = static_cast<std::size_t>(std::ceil((metrics.height() - 1) / row));
  for (std::size_t bin = first; bin < last; ++bin) {
    const double top = room.top() + row * static_cast<double>(bin - first);
    const double length =
        most > 0 ? std::sqrt(static_cast<double>(counts[bin])) / most * longest : 0;
    painter.fillRect(QRectF(left, top + 1, length, row - 2), tokens.network);
    if ((bin - first) % every != 0) continue;
    painter.setPen(tokens.muted);
    painter.drawText(QRectF(room.left(), top, left - room.left() - 5, row),
                     Qt::AlignRight | Qt::AlignVCenter,
                     QStringLiteral("%1–%2%")
                         .arg(static_cast<double>(bin) * width)
                         .arg(static_cast<double>(bin + 1) * width));
    if (counts[bin] > 0)
      painter.drawText(QRectF(left + length + 3, top, 80, row), Qt::AlignLeft | Qt::AlignVCenter,
                       countText(static_cast<double>(counts[bin])));
  }
  painter.setPen(tokens.muted);
  painter.drawText(QRectF(area.left(), room.top() + row * static_cast<double>(last - first) + 4,
                          area.width(), 2 * metrics.height()),
                   Qt::AlignLeft | Qt::TextWordWrap,
                   QStringLiteral("count on a square-root scale, bins of %1%").arg(width));
}

}  // namespace

UseBins useBinsOf(const UseChart& chart) {
  UseBins bins{binOf(chart), std::vector<std::size_t>(static_cast<std::size_t>(kMostBins))};
  for (const float share : chart.members) {
    // In single precision, as shares are: 35% begins a bin of 5%.
    const auto bin =
        static_cast<std::size_t>(std::max(0.0F, share) * static_cast<float>(100 / bins.width));
    ++bins.counts[std::min(bin, bins.counts.size() - 1)];
  }
  return bins;
}

double useChartHeight(const QFont& font, double width, const UseChart& chart) {
  const double inner = width - 2 * kChartEdge;
  const QFontMetricsF metrics(chartFont(font, kLabelPixels));
  const double label = 2 * metrics.height();
  const double room = inner - std::clamp(inner * 0.34, 96.0, 200.0) - kUseGap - label;
  const double cell = std::min(room / std::max(chart.columns, 1), kMostUseCell);
  const double foot = label + kUseScale + 2 * metrics.height();
  return 2 * kChartEdge + headHeight(font, inner, chart.head) +
         std::clamp(cell * chart.rows, 150.0, 520.0) + foot;
}

void paintUseChart(QPainter& painter, const QRectF& area, const UseChart& chart,
                   const Tokens& tokens) {
  painter.save();
  const QRectF rest = beginChart(painter, area, chart.head, tokens);
  painter.setFont(chartFont(painter.font(), kLabelPixels));
  const UsePlaces places = usePlacesIn(rest, QFontMetricsF(painter.font()), chart);
  const ChartRange range = useRangeOf(chart);
  if (chart.columns > 0 && places.cell > 0) {
    const bool small = places.cell < kLeastUseCell;
    (small ? paintSmallUse : paintUseCells)(painter, places, chart, range, tokens);
    paintUseRulers(painter, places, chart, tokens);
    paintUseScale(painter, places, range, tokens);
  }
  paintHistogram(painter, places.bars, chart, tokens);
  painter.restore();
}

}  // namespace gridloom::widgets
