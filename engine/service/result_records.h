// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/records.h"
#include "service/workspace.h"

namespace gridloom::service {

/// Results by names, as the command prints and the files hold them: the command and the studio export
/// the same bytes because both start here.
report::HardwareRecord hardwareRecord(const Hardware& hardware, const std::string& mode,
                                      double operandBits);
report::ExplorationRecord recordOf(const Exploration& exploration);
report::SimulationRecord recordOf(const SimulationRun& run);
report::ExplanationRecord recordOf(const Explanation& explanation);

/// What no result may show (report/sanity.h): empty, unless something in the engine is wrong.
base::Diagnostics checkSanity(const Exploration& exploration);
base::Diagnostics checkSanity(const SimulationRun& run);

/// The JSON of an exploration, a simulation, an explanation (resources/docs/json.md).
std::string jsonOf(const Exploration& exploration);
std::string jsonOf(const SimulationRun& run);
std::string jsonOf(const Explanation& explanation);
/// One mapping: as JSON for `--mapping` (with the peak of a numeric mode), as `.sched` directives, as an
/// annotated loop nest.
std::string mappingJsonOf(const Hardware& hardware, const Kernel& kernel,
                          const mapping::Mapping& mapping, const std::string& mode);
std::string directivesOf(const Hardware& hardware, const Kernel& kernel,
                         const mapping::Mapping& mapping);
std::string loopNestOf(const Hardware& hardware, const Kernel& kernel,
                       const mapping::Mapping& mapping);

/// Of the program: "0.1.0".
std::string_view version();

}  // namespace gridloom::service
