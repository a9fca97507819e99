// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/progress.h"
#include "schedule/verify.h"

namespace gridloom::service {

/// Errors for names that are no passes. Call it before any search or run.
base::Diagnostics checkPasses(const std::string& names);

/// Applies passes by name, in sequence: `ping-pong`, `merge=2`, `split`, `broadcast`, `depths`
/// (resources/docs/schedule.md). Verifies the schedule after each of them. Errors: an unknown name,
/// a pass that fails and why, a schedule that fails verification.
base::Result<schedule::VerifiedSchedule> applyPasses(const std::string& names,
                                                     schedule::VerifiedSchedule schedule,
                                                     const std::string& mode,
                                                     base::Progress& progress);

/// The fewest slots with which the schedule is as fast as before. Channels are as deep as their
/// buffers have slots, so these are the smallest depths, too. Tries the largest buffers first, each
/// from one slot upward, by simulation. In the result, no single buffer can have fewer slots
/// without costing cycles. Fails like a simulation.
base::Result<schedule::VerifiedSchedule> smallestDepths(schedule::VerifiedSchedule schedule,
                                                        const std::string& mode,
                                                        base::Progress& progress);

}  // namespace gridloom::service
