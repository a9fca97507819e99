// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/ranked_source.h"

#include <limits>

#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

/// What the model says of a mapping: of most of a long ranking, only this is kept.
RankedRow predictedRow(const service::Exploration& exploration, std::size_t at) {
  RankedRow row;
  row.mapping = text(service::lineAt(exploration, at));
  row.simulated = std::numeric_limits<double>::quiet_NaN();
  row.localCapacity = static_cast<double>(exploration.hardware->topology.local().bytes);
  if (at < exploration.top.size()) {
    const ranking::Ranked& ranked = exploration.top[at];
    const cost::Estimate& estimate = ranked.candidate.estimate;
    row.predicted = estimate.cycles;
    row.tflops = estimate.tflops;
    row.utilization = estimate.utilization;
    row.bottleneck = text(estimate.bottleneck);
    row.localBytes = static_cast<double>(estimate.localBytes);
    row.twins = static_cast<int>(ranked.twins);
    return row;
  }
  const std::size_t further = at - exploration.top.size();
  const ranking::ListedFigures& figures = exploration.more.figures(further);
  row.predicted = figures.cycles;
  row.tflops = figures.tflops;
  row.utilization = figures.utilization;
  row.bottleneck = text(exploration.more.bottleneck(further));
  row.localBytes = static_cast<double>(figures.localBytes);
  row.twins = static_cast<int>(figures.twins);
  return row;
}

}  // namespace

RankedRow rowOf(const service::Exploration& exploration, std::size_t at,
                const service::SimulationRun* run) {
  RankedRow row = predictedRow(exploration, at);
  if (!run) return row;
  row.simulated = run->simulated.cycles;
  row.tflops = run->simulated.tflops;
  row.utilization = run->simulated.utilization;
  return row;
}

std::shared_ptr<const RankedRows> rowsOf(const service::Exploration& exploration,
                                         const base::Progress* progress) {
  auto made = std::make_shared<RankedRows>(exploration.listed());
  QStringList outputs;
  for (const kernel::Operand& each : exploration.kernel->nest->outputs) outputs << text(each.name);
  made->setOutputs(std::move(outputs));
  for (std::size_t at = 0; at < made->size(); ++at) {
    if (progress && progress->cancelled()) return nullptr;
    made->set(at, predictedRow(exploration, at));
  }
  return made;
}

}  // namespace gridloom::widgets
