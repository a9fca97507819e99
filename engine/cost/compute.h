// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::cost {

/// Cycles of one core for one tile operation, after TL's "Compute cost per loop body" (Li et al.,
/// 2025, Sec. 2.5). Added here: ceilings on the intrinsic's shape, the lower rate on small outputs,
/// and the issue overhead.
double opCycles(const kernel::TileOp& op, std::span<const std::int64_t> extents,
                const hardware::ComputeModel& compute);

/// Compute time of the core at coordinate 0, which has the most work, over the whole kernel.
struct ComputeTime {
  double matrix = 0;
  double vector = 0;
  double total() const { return matrix + vector; }
};
class TileCounts;

/// Operations of one tile add up: they depend on each other. Ragged last tiles are counted exactly, with `counts` of
/// the nest.
ComputeTime computeTime(const kernel::TileNest& nest, const mapping::Tiling& tiling,
                        const hardware::ComputeModel& compute, const TileCounts& counts);
ComputeTime computeTime(const kernel::TileNest& nest, const mapping::Tiling& tiling,
                        const hardware::ComputeModel& compute);

/// Cycles to add `elements` partial results to others.
double combineCycles(std::int64_t elements, const hardware::ComputeModel& compute);

}  // namespace gridloom::cost
