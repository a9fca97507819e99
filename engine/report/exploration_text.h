// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/records.h"
#include "report/table.h"

namespace gridloom::report {

/// What heads every answer: hardware, kernel, and the bound that no mapping can beat.
std::vector<Fact> headFacts(const HardwareRecord& hardware, const KernelRecord& kernel,
                            const std::string& mode, const cost::Roofline& roofline);

/// Size of the space and where its points went, with the nearest miss of every reason.
std::string spaceText(const search::SpaceCount& space);
/// Why a search did not cover its space; empty where it did.
std::string stoppedText(const search::SpaceCount& space);

/// The ranked mappings; simulated columns stand only when something was simulated.
Table rankedTable(const ExplorationRecord& exploration);

/// Head, space and ranked table. With nothing feasible: the reasons, with what was needed and available.
std::string explorationText(const ExplorationRecord& exploration);

}  // namespace gridloom::report
