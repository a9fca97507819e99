// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "charts/chart_parts.h"

namespace gridloom::widgets {

/// Horizontal stacked bars, the first on top.
struct BarChart {
  struct Part {
    QColor colour;
    double value = 0;
  };
  struct Bar {
    QString name;
    std::vector<Part> parts;
    QString total;  ///< at its end
  };
  ChartHead head;
  std::vector<Bar> bars;
  std::vector<ChartKey> keys;
  QString axis;  ///< what the values are, with their unit
};

/// The height that it takes at a width.
double barChartHeight(const QFont& font, double width, const BarChart& chart);
void paintBarChart(QPainter& painter, const QRectF& area, const BarChart& chart,
                   const Tokens& tokens);

}  // namespace gridloom::widgets
