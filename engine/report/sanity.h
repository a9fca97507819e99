// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "report/records.h"

namespace gridloom::report {

/// Checks the invariants of every result: no utilization above 100%, no run below the roofline,
/// parts that sum to the whole, memory channels that carried the bytes that were moved. Each
/// finding is a bug of the engine, not an error of the input.
base::Diagnostics checkSanity(const cost::Estimate& predicted);
base::Diagnostics checkSanity(const SimulatedRecord& simulated,
                              const std::vector<ResourceRecord>& links,
                              const std::vector<ResourceRecord>& channels);
base::Diagnostics checkSanity(const SimulationRecord& run);
/// The steps from the peak to what is achieved sum to 100% within 0.1%, and none is negative.
base::Diagnostics checkSanity(const WaterfallRecord& waterfall);
/// Each of the run's `events` may fall short by a tick (network/ticks.h): on machines whose memory
/// is taken as unlimited, whole runs are shorter than that.
base::Diagnostics checkBound(const cost::Roofline& bound, double simulatedCycles,
                             std::int64_t events);

}  // namespace gridloom::report
