// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

class QChart;
class QPainter;
class QRectF;

namespace gridloom::widgets {

struct Tokens;

/// The parts of one execution's cycles; they sum to its cycles.
struct Breakdown {
  struct Part {
    QString cause;
    double cycles = 0;
  };
  QString title;
  std::vector<Part> parts;
};

/// Horizontal stacked bars, one per breakdown, first on top. The caller owns the chart.
QChart* makeBreakdownChart(const std::vector<Breakdown>& bars, const Tokens& tokens);

/// The same chart on any paint device. Needs a QApplication.
void paintBreakdown(QPainter& painter, const QRectF& area, const std::vector<Breakdown>& bars,
                    const Tokens& tokens);

}  // namespace gridloom::widgets
