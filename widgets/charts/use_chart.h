// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "charts/chart_parts.h"

namespace gridloom::widgets {

/// How busy the parts of a machine are: each at its place, and how many are how busy.
struct UseChart {
  ChartHead head;
  QString what;                ///< "links", "cores"
  int columns = 0, rows = 0;   ///< of places
  std::vector<float> places;   ///< shares by place, row by row; below 0: nothing there
  std::vector<float> members;  ///< the share of each, for the histogram
};

/// How many members are how busy, in bins from 0 on; a share at the edge of a bin is in it.
struct UseBins {
  double width = 0;  ///< in percent; the smallest of a few with which they reach the busiest member
  std::vector<std::size_t> counts;
};
UseBins useBinsOf(const UseChart& chart);

double useChartHeight(const QFont& font, double width, const UseChart& chart);
void paintUseChart(QPainter& painter, const QRectF& area, const UseChart& chart,
                   const Tokens& tokens);

}  // namespace gridloom::widgets
