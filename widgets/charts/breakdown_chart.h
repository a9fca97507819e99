// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "charts/bar_chart.h"
#include "service/workspace.h"

namespace gridloom::widgets {

/// The parts of one execution's cycles; they sum to its cycles.
struct Breakdown {
  struct Part {
    QString cause;
    double cycles = 0;
  };
  QString title;
  std::vector<Part> parts;
};

/// Predicted and simulated parts of one mapping; `simulated` may be null.
std::vector<Breakdown> breakdownsOf(const QString& name, const cost::Estimate& estimate,
                                    const simulate::Simulation* simulated);

BarChart breakdownChart(const std::vector<Breakdown>& bars, const ChartHead& head,
                        const Tokens& tokens);

}  // namespace gridloom::widgets
