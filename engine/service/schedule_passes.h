// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "schedule/schedule.h"
#include "service/workspace.h"

namespace gridloom::service {

/// Names that are no passes: found before anything is searched or run.
base::Diagnostics checkPasses(const std::string& names);

/// Passes by name, one after another: `ping-pong`, `merge=2`, `split`, `broadcast`, `depths`
/// (resources/docs/schedule.md). The schedule is verified after each of them. Errors: an unknown name, a pass
/// that fails and why, what a pass broke.
base::Result<schedule::Schedule> applyPasses(const std::string& names, schedule::Schedule schedule,
                                             const Kernel& kernel, const Hardware& hardware,
                                             const std::string& mode, base::Progress& progress);

/// The fewest slots with which the schedule is as fast as it is now. Channels are as deep as their buffers
/// have slots, so these are the smallest depths, too. The largest buffers are tried first, each from one slot
/// upward by simulation; afterwards no single buffer can have fewer without costing cycles. Fails like a
/// simulation.
base::Result<schedule::Schedule> smallestDepths(schedule::Schedule schedule, const Kernel& kernel,
                                                const Hardware& hardware, const std::string& mode,
                                                base::Progress& progress);

}  // namespace gridloom::service
