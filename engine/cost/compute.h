// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"
#include "timing/op_cycles.h"

namespace gridloom::cost {

/// Compute time of the core at coordinate 0, which has the most work, over the whole kernel.
struct ComputeTime : timing::UnitCycles {
  double epilogue = 0;  ///< the part that follows a scope's last product
};
class TileCounts;

/// Edge tiles are counted exactly, with the `counts` of the nest. Vector work behind products of a
/// chained unit is left out, except where operations have guards.
ComputeTime computeTime(const kernel::TileNest& nest, const mapping::Tiling& tiling,
                        const hardware::ComputeModel& compute, const TileCounts& counts);
ComputeTime computeTime(const kernel::TileNest& nest, const mapping::Tiling& tiling,
                        const hardware::ComputeModel& compute);

}  // namespace gridloom::cost
