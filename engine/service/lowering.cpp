// SPDX-License-Identifier: Apache-2.0
#include "service/lowering.h"

namespace gridloom::service {

base::Result<schedule::VerifiedSchedule> verifiedSchedule(const kernel::Kernel& kernel,
                                                          const kernel::TileNest& nest,
                                                          const hardware::Topology& hw,
                                                          const mapping::Mapping& mapping,
                                                          const base::Progress& progress) {
  auto schedule = schedule::lower(kernel, nest, hw, mapping, &progress);
  if (!schedule) return schedule.takeDiagnostics();
  return schedule::verify(*std::move(schedule), kernel, nest, hw, nullptr, &progress);
}

simulate::Options simulatorOptions(const std::string& mode, const SimulationLimits& limits) {
  simulate::Options options;
  options.mode = mode;
  options.useBins = 0;  // recorded for single runs alone
  if (limits.events > 0) options.maxEvents = limits.events;
  if (limits.mebibytes > 0) options.maxBytes = limits.mebibytes << 20;
  return options;
}

}  // namespace gridloom::service
