// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::cost {

/// Compute time of the core at coordinate 0, which has the most work, over the whole kernel.
struct ComputeTime {
  double matrix = 0;
  double vector = 0;
  double total() const { return matrix + vector; }
};
class TileCounts;

/// The operations of one tile depend on each other, so their times add up. Edge tiles are counted
/// exactly, with the `counts` of the nest.
ComputeTime computeTime(const kernel::TileNest& nest, const mapping::Tiling& tiling,
                        const hardware::ComputeModel& compute, const TileCounts& counts);
ComputeTime computeTime(const kernel::TileNest& nest, const mapping::Tiling& tiling,
                        const hardware::ComputeModel& compute);

}  // namespace gridloom::cost
