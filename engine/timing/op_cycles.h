// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"

/// Facts of the machine that the cost model and the simulator share. Where the two are compared,
/// time spent in tile operations is therefore no evidence: it is one formula, asked twice.
namespace gridloom::timing {

/// Cycles of one core for one tile operation, after TL's "Compute cost per loop body" (Li et al.,
/// 2025, Sec. 2.5). Added here: ceilings on the intrinsic's shape, the lower rate on small outputs,
/// and the issue overhead. `extents`: elements per loop of the kernel. Without a matrix unit,
/// products are multiply-adds of the vector unit. 0 for a function that the machine gives no rate
/// for.
double opCycles(const kernel::TileOp& op, std::span<const std::int64_t> extents,
                const hardware::ComputeModel& compute);

/// Cycles of an elementwise function on `elements` at `rate` elements per cycle; 0 without a rate.
double vectorCycles(std::int64_t elements, double rate, const hardware::ComputeModel& compute);

/// Cycles to add `elements` partial results to others.
double additionCycles(std::int64_t elements, const hardware::ComputeModel& compute);

/// Cycles of one fold on a systolic array: from the first operand at its edge to the last result
/// that leaves it, for a stream of that many elements per row. Every result has left before the
/// next fold enters, whether all rows and columns have work or not; stationary weights or inputs
/// are first pushed in row by row (as in SCALE-Sim: Samajdar et al., 2020).
std::int64_t foldCycles(const hardware::SystolicShape& array, std::int64_t stream);

/// Bits of the widest input element: what the numeric mode follows.
double operandBits(const kernel::TileNest& nest);

}  // namespace gridloom::timing
