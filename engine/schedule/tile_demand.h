// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "schedule/schedule.h"

namespace gridloom::schedule {

/// What the kernel says about an input's tiles: where in the nest they are needed, and, when the
/// kernel computes them itself, which output tiles must be stored before they are loaded.
TileDemand demandOf(const kernel::TileNest& nest, const kernel::Operand& operand,
                    const mapping::InputMovement& movement);

/// Computes Schedule::grids: the loop of every dimension, per output. Empty when the kernel
/// produces none of its inputs.
std::vector<std::vector<mapping::LoopId>> outputGrids(const kernel::TileNest& nest);

}  // namespace gridloom::schedule
