// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/progress.h"
#include "report/records.h"
#include "report/run_difference.h"

namespace gridloom::exchange {

/// Results as JSON, documented in resources/docs/json.md and resources/docs/schema. Keys have a
/// fixed order and numbers the shortest exact text, so equal results give equal bytes. Only
/// `seconds` of an exploration differs from run to run.
std::string explorationJson(const report::ExplorationRecord& exploration);
/// The same, with a step for each mapping; nothing once it is cancelled.
std::optional<std::string> explorationJson(const report::ExplorationRecord& exploration,
                                           base::Progress& progress);
std::string simulationJson(const report::SimulationRecord& run);
std::string explanationJson(const report::ExplanationRecord& explanation);
std::string differenceJson(const report::RunDifference& difference);

/// One mapping with the hardware and kernel that it is for.
std::string mappingJson(const report::HardwareRecord& hardware, const report::KernelRecord& kernel,
                        const report::MappingRecord& mapping);

}  // namespace gridloom::exchange
