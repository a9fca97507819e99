// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "schedule/schedule.h"

namespace gridloom::syntax {

/// The text form of a schedule. Parsed and bound to the same kernel and hardware, it gives the same
/// schedule, which prints to the same text.
std::string printSchedule(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                          const kernel::TileNest& nest, const hardware::Topology& hw);

}  // namespace gridloom::syntax
