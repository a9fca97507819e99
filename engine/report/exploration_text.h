// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/records.h"
#include "report/table.h"

namespace gridloom::report {

/// The header of every result: hardware, kernel, and the roofline, which no mapping can beat.
std::vector<Fact> headFacts(const HardwareRecord& hardware, const KernelRecord& kernel,
                            const std::string& mode, const cost::Roofline& roofline);

/// The size of the space and its points by outcome, with the nearest infeasible mapping of every
/// constraint.
std::string spaceText(const search::SpaceCount& space);
/// Why a search did not cover its space; empty if it did.
std::string stoppedText(const search::SpaceCount& space);
/// That the choice between two forms of the kernel stopped early; "" if it did not.
std::string formChoiceText(const search::SpaceCount& space);

/// What the nearest infeasible mapping needed and what there is: "1,472 KiB of 1,464 KiB"; exact
/// where rounded units would show them as equal.
std::string missText(const search::Rejection& rejection);

/// Which loops a search did not tile, and why; "" if it tiled all.
std::string notTiledText(const std::vector<std::string>& whole);

/// The ranked mappings; simulated columns only when some mapping was simulated.
Table rankedTable(const ExplorationRecord& exploration);

/// Header, space and ranked table. With nothing feasible: the constraints, with what was needed and
/// available.
std::string explorationText(const ExplorationRecord& exploration);
/// Of an exploration that found no mapping: that there is none, what stands in the way, and what
/// would help.
std::string noMappingText(const ExplorationRecord& exploration);

}  // namespace gridloom::report
