// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>
#include <cstdint>
#include <vector>

class QPainter;

namespace gridloom::widgets {

struct Tokens;

/// The heading of a chart: what it shows, and of which kernel, sizes and machine. Both wrap.
struct ChartHead {
  QString title, facts;
};

/// The sizes of text in a chart, in pixels of 1/96 inch, at every width: a chart is printed as wide
/// as it is.
constexpr int kTitlePixels = 11, kLabelPixels = 9;
/// Between the edge of a chart and what it shows.
constexpr double kChartEdge = 10;
/// In pixels of 1/96 inch: a page of two columns, 7 inches.
constexpr double kPageWidth = 672;
QFont chartFont(QFont font, int pixels, bool bold = false);

double headHeight(const QFont& font, double width, const ChartHead& head);
/// Paints it at the top of `area`; returns the rest.
QRectF paintHead(QPainter& painter, const QRectF& area, const ChartHead& head,
                 const Tokens& tokens);
/// The paper of a chart and its heading; returns the rest.
QRectF beginChart(QPainter& painter, const QRectF& area, const ChartHead& head,
                  const Tokens& tokens);

/// What a colour means.
struct ChartKey {
  QColor colour;
  QString words;
  /// Struck: an empty field with a stroke. Ring, Frame: the outline of a circle, of a field.
  enum class Shape : std::uint8_t { Filled, Struck, Ring, Frame } shape = Shape::Filled;
};
/// Keys beside each other, in as many lines as the width asks for.
double keysHeight(const QFont& font, double width, const std::vector<ChartKey>& keys);
void paintKeys(QPainter& painter, const QRectF& area, const std::vector<ChartKey>& keys,
               const Tokens& tokens);

/// The field of a value that does not exist.
void paintStruckField(QPainter& painter, const QRectF& field, const Tokens& tokens);

struct ChartRange {
  double low = 0, high = 1;
};
/// About `wanted` ticks, at steps of 1, 2 or 5 times a power of ten.
std::vector<double> linearTicks(const ChartRange& range, int wanted);
/// Powers of ten, every n-th of them when they are too many; with 2 and 5 between while few.
std::vector<double> logarithmicTicks(const ChartRange& range, int wanted);
QString tickText(double value);  ///< "3.6 M"

/// Words beside an axis, from below to above; nothing where they are longer than `side`.
void paintUpright(QPainter& painter, const QRectF& side, const QString& words);

}  // namespace gridloom::widgets
