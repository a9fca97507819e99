// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "report/records.h"

namespace gridloom::report {

/// What no result may show, whatever made it: a resource in use for more than the whole time,
/// utilization above 100%, a run shorter than what no mapping can beat, parts that do not sum to the whole, memory channels that carried other bytes
/// than were moved. Each finding is a fault of ours, not of the input.
base::Diagnostics checkSanity(const cost::Estimate& predicted);
base::Diagnostics checkSanity(const SimulatedRecord& simulated,
                              const std::vector<ResourceRecord>& links,
                              const std::vector<ResourceRecord>& channels);
base::Diagnostics checkSanity(const SimulationRecord& run);
base::Diagnostics checkBound(const cost::Roofline& bound, double simulatedCycles);

}  // namespace gridloom::report
