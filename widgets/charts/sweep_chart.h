// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "charts/chart_parts.h"
#include "models/sweep_problem.h"

namespace gridloom::widgets {

/// Cycles against one parameter as a line, or against two as a map; the colour of a point, or the
/// mark of a field, is its bottleneck.
struct SweepChart {
  struct Axis {
    QString title;
    QStringList values;  ///< at even distances
  };
  struct Point {
    int column = 0, row = 0;
    double cycles = 0;  ///< 0: no mapping
    QColor colour;
    bool isNow = false;
    bool fails = false;  ///< it was tried, and has no mapping
  };
  ChartHead head;
  QString measure;  ///< "Simulated cycles"
  Axis x;
  std::optional<Axis> y;
  std::vector<Point> points;  ///< in the order of the sweep
  std::vector<ChartKey> keys;
  int selected = -1;
};

/// Of simulated cycles where every mapping was simulated, else of predicted ones.
SweepChart sweepChart(const SweepRecord& sweep, const Tokens& tokens);
/// The least height, in a window; that of a figure.
double sweepChartHeight(const QFont& font, double width, const SweepChart& chart);
double sweepFigureHeight(const QFont& font, double width, const SweepChart& chart);
void paintSweepChart(QPainter& painter, const QRectF& area, const SweepChart& chart,
                     const Tokens& tokens);
/// The point at a place of the chart in `area`; -1 for none.
int sweepPointAt(const QFont& font, const QRectF& area, const SweepChart& chart,
                 const QPointF& place);

}  // namespace gridloom::widgets
