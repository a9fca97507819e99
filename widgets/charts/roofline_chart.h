// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "charts/chart_parts.h"

namespace gridloom::widgets {

/// What mappings achieve, below what compute and global memory allow.
struct RooflineChart {
  struct Point {
    double intensity = 0;  ///< flop per byte of global memory
    double rate = 0;       ///< as `unit`
    bool waits = false;    ///< a core mostly waits
    QString name;          ///< empty: without one
  };
  ChartHead head;
  QString unit;          ///< "TFLOP/s", or "flop/cycle" without a clock
  double peak = 0;       ///< as `unit`
  QString peakName;      ///< "peak 65.5 (hifi4)"
  double sustained = 0;  ///< the unit's own rate; 0: the peak
  double slope = 0;      ///< `unit` per flop/B: the bandwidth of global memory
  QString slopeName;     ///< "drams 150 B/cycle"
  std::vector<Point> points;
};

double rooflineHeight(const QFont& font, double width, const RooflineChart& chart);
void paintRoofline(QPainter& painter, const QRectF& area, const RooflineChart& chart,
                   const Tokens& tokens);

}  // namespace gridloom::widgets
