// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "schedule/schedule.h"

namespace gridloom::syntax {

/// An error that says what of the schedule the text form has no words for, or nothing.
base::Diagnostics checkPrintable(const schedule::Schedule& schedule);

/// The text form of a schedule that `checkPrintable` passes. Parsed and bound to the same kernel and hardware it gives the same schedule,
/// which prints to the same text.
std::string printSchedule(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                          const kernel::TileNest& nest, const hardware::Topology& hw);

}  // namespace gridloom::syntax
