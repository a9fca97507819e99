// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "charts/bar_chart.h"
#include "charts/roofline_chart.h"
#include "charts/sweep_chart.h"
#include "charts/use_chart.h"
#include "service/workspace.h"

namespace gridloom::widgets {

/// "gemm, M 4096, N 4096, K 4096, f16, on wormhole_8x8 at 1 GHz, hifi4": what stands below the
/// title of every chart.
QString factsOf(const service::Hardware& hardware, const service::Kernel& kernel,
                const std::string& mode);

/// A mapping in a roofline.
struct RooflineRun {
  const simulate::Simulation* simulated;
  QString name;
};
RooflineChart rooflineOf(const service::Hardware& hardware, const service::Kernel& kernel,
                         const std::string& mode, const std::vector<RooflineRun>& runs);

/// Bytes at global memory, on the network and at local memory, by tensor, and at shared buffers.
BarChart trafficOf(const service::SimulationRun& run, const Tokens& tokens);
/// The busiest link that leaves each router, and all links.
UseChart linkUseOf(const service::SimulationRun& run);
/// The share of the run in which each core computes.
UseChart coreUseOf(const service::SimulationRun& run);

/// A chart that is drawn as high as its width asks for.
struct SizedChart {
  std::function<double(const QFont&, double width)> height;
  std::function<void(QPainter&, const QRectF&, const Tokens&)> paint;
};
SizedChart sized(BarChart chart);
SizedChart sized(RooflineChart chart);
SizedChart sized(UseChart chart);
SizedChart sized(SweepChart chart);

}  // namespace gridloom::widgets
