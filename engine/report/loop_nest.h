// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::report {

/// The mapping as a loop nest with annotated data movement, in the form of TL's Listing 5 (Li et
/// al., 2025): cores outside, temporal loops inside, every transfer at its hoist level with its
/// buffer and its resources. Sizes are bytes per core, over all slots.
std::string loopNestText(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                         const hardware::Topology& hw, const mapping::Mapping& mapping);

}  // namespace gridloom::report
