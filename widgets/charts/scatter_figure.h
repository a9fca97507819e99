// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace gridloom::widgets {

struct Tokens;

/// Two figures of everything that was run, one against the other: cycles of ranked mappings unless
/// the titles say otherwise.
struct ScatterData {
  struct Point {
    double x = 0;
    double y = 0;
    int id = 0;      ///< a candidate, or a row; points of one row share it
    int series = 0;  ///< 0: filled; 1: hollow
  };
  std::vector<Point> points;
  double bound = 0;          ///< lower bound of every y; 0: unknown
  std::size_t expected = 0;  ///< number of points once all are simulated
  QString caption;           ///< above the plot; agreementCaption() of mappings
  QString xTitle = QStringLiteral("Predicted cycles");
  QString yTitle = QStringLiteral("Simulated cycles");
  QStringList series;        ///< their names, when there are several
  QString empty;             ///< shown instead of no points
  bool logarithmic = false;  ///< both axes; all figures are positive
};

/// Agreement between prediction (x) and simulation (y).
struct Agreement {
  double meanError = 0;         ///< mean of |predicted / simulated - 1|
  double kendall = 0;           ///< rank correlation tau-a, -1 to 1
  std::int64_t inversions = 0;  ///< pairs that the model orders the other way round
};
Agreement agreementOf(const ScatterData& data);
/// Error, rank correlation and inverted pairs, in one line. Sorts all points.
QString agreementCaption(const ScatterData& data);

/// What both axes show.
struct ScatterRange {
  double low = 0, high = 1;
};
/// The range that holds every point, with a margin.
ScatterRange rangeOf(const ScatterData& data);

/// Axes shared by painting and picking.
struct ScatterFrame {
  QRectF plot;
  ScatterRange range;
  bool logarithmic = false;
  QPointF at(double x, double y) const;
  /// As `at`, but a point outside the axes lies on the edge of the plot: none disappears.
  QPointF held(const ScatterData::Point& point) const;
  bool holds(const ScatterData::Point& point) const;
};

/// How the same data may be looked at.
struct ScatterLook {
  std::vector<int> brushed = {};          ///< ids, ascending; others are pale unless it is empty
  std::optional<ScatterRange> axes = {};  ///< locked; else they hold every point
  int selected = -1;                      ///< id, -1 for none
  int hovered = -1;
  bool captioned = true;  ///< error and rank correlation stand above the plot
  bool isBrushed(int id) const;
};
ScatterFrame frameOf(const ScatterData& data, const QRectF& area, const ScatterLook& look);

/// The whole figure.
void paintScatter(QPainter& painter, const QRectF& area, const ScatterData& data,
                  const Tokens& tokens, const ScatterLook& look);
/// The same below a heading, for export, and the height that it takes.
void paintScatterFigure(QPainter& painter, const QRectF& area, const ScatterData& data,
                        const Tokens& tokens, ScatterLook look, const QString& facts);
double scatterFigureHeight(double width);
/// Its two layers: all that stays while the pointer moves, and the selected and hovered points.
void paintScatterGround(QPainter& painter, const QRectF& area, const ScatterData& data,
                        const Tokens& tokens, const ScatterLook& look);
void paintScatterMarks(QPainter& painter, const QRectF& area, const ScatterData& data,
                       const Tokens& tokens, const ScatterLook& look);

}  // namespace gridloom::widgets
