// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "base/progress.h"
#include "report/records.h"
#include "report/run_difference.h"
#include "report/table.h"
#include "service/workspace.h"

namespace gridloom::service {

/// Results as records with names, as the command prints them and files hold them. The command and
/// the studio both start here, so they export the same bytes.
report::HardwareRecord hardwareRecord(const Hardware& hardware, const std::string& mode,
                                      double operandBits);
report::ExplorationRecord recordOf(const Exploration& exploration);
report::SimulationRecord recordOf(const SimulationRun& run);
report::ExplanationRecord recordOf(const Explanation& explanation);
report::MappingRecord mappingRecord(const SimulationRun& run);

/// What bounds the rate of a kernel on a machine; of the whole machine, per cycle.
struct Roof {
  std::string mode;
  double peak = 0;       ///< flop of the kernel's operations, each at the peak of its unit
  double sustained = 0;  ///< flop that the matrix units keep up; 0: not they alone set the peak
  double bandwidth = 0;  ///< bytes of global memory, reads and writes together
};
Roof roofOf(const Hardware& hardware, const Kernel& kernel, const std::string& mode);

/// A run with the name under which it is compared.
struct NamedRun {
  std::string title;
  SimulationRunRef run;
};
/// Why one run beats the other; both of one kernel.
report::RunDifference differenceOf(const NamedRun& a, const NamedRun& b);

/// Checks invariants of results (report/sanity.h). Empty unless the engine has a bug.
base::Diagnostics checkSanity(const Exploration& exploration);
base::Diagnostics checkSanity(const SimulationRun& run);
base::Diagnostics checkSanity(const Explanation& explanation);

/// The JSON of an exploration, a simulation, an explanation, a difference (resources/docs/json.md).
std::string jsonOf(const Exploration& exploration);
/// The same without the time that the search took: equal for equal inputs. In `exportSteps` steps;
/// nothing once it is cancelled.
std::optional<std::string> repeatableJsonOf(const Exploration& exploration,
                                            base::Progress& progress);
std::int64_t exportSteps(const Exploration& exploration);
std::string jsonOf(const SimulationRun& run);
std::string jsonOf(const Explanation& explanation);
std::string jsonOf(const report::RunDifference& difference);
/// One mapping: as JSON for `--mapping` (with the peak of a numeric mode), as `.sched` directives,
/// or as an annotated loop nest.
std::string mappingJsonOf(const Hardware& hardware, const Kernel& kernel,
                          const mapping::Mapping& mapping, const std::string& mode);
std::string directivesOf(const Hardware& hardware, const Kernel& kernel,
                         const mapping::Mapping& mapping);
std::string loopNestOf(const Hardware& hardware, const Kernel& kernel,
                       const mapping::Mapping& mapping);

/// A table as comma-separated exact values.
std::string csvOf(const report::Table& table);

/// Version of the program: "0.1.0".
std::string_view version();

}  // namespace gridloom::service
