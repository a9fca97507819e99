// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/records.h"
#include "report/table.h"

namespace gridloom::report {

/// Where predicted cycles go: one row per term, largest first; shares sum to 100%.
Table termTable(const cost::Estimate& predicted);
/// What decides at each temporal loop, outermost first.
Table levelTable(const cost::Estimate& predicted);
/// Where simulated cycles go: the mean state of the cores that work; shares sum to 100%.
Table stateTable(const SimulatedRecord& simulated);
/// Bytes moved at each place, predicted beside simulated.
Table trafficTable(const cost::Traffic& predicted, const cost::Traffic& simulated);
/// Predicted bytes of every tensor: they sum to the totals, which stand beside the simulated ones.
Table operandTable(const SimulationRecord& run);
/// The `count` busiest links and memory channels.
Table resourceTable(const SimulationRecord& run, std::size_t count);
/// What more of each resource would give, best first.
Table whatIfTable(const ExplanationRecord& explanation);
/// Per core: its coordinates and the cycles of each state.
Table coreTable(const SimulationRecord& run);

std::string simulationText(const SimulationRecord& run);
std::string explanationText(const ExplanationRecord& explanation);

}  // namespace gridloom::report
