// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "schedule/schedule.h"

namespace gridloom::exchange {

/// The programs of the cores as JSON (resources/docs/schema/programs.json): loops and mesh,
/// buffers, channels, and for each program its cores and the code of its processes, with the
/// instructions and names of a `.prog` text.
std::string programsJson(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                         const kernel::TileNest& nest, const hardware::Topology& hw);

}  // namespace gridloom::exchange
