// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/records.h"
#include "report/table.h"

namespace gridloom::report {

/// Predicted cycles by term: one row each, largest first; shares sum to 100%.
Table termTable(const cost::Estimate& predicted);
/// The bottleneck at each temporal loop, outermost first.
Table levelTable(const cost::Estimate& predicted);
/// Simulated cycles by state: the mean over active cores; shares sum to 100%.
Table stateTable(const SimulatedRecord& simulated);
/// Bytes moved per memory and network, predicted and simulated. The model does not count those of
/// shared buffers.
Table trafficTable(const hardware::Traffic& predicted, const SimulatedRecord& simulated);
/// Predicted bytes of every tensor, with predicted and simulated totals.
Table operandTable(const SimulationRecord& run);
/// The `count` busiest links and memory channels.
Table resourceTable(const SimulationRecord& run, std::size_t count);
/// The effect of doubling each resource, best first.
Table whatIfTable(const ExplanationRecord& explanation);
/// The roles of processes: loaders, feeders, drainers, collectors, with how many cores have each.
Table roleTable(const ExplanationRecord& explanation);
/// Per core: its coordinates and the cycles of each state.
Table coreTable(const SimulationRecord& run);

std::string simulationText(const SimulationRecord& run);
std::string explanationText(const ExplanationRecord& explanation);

}  // namespace gridloom::report
