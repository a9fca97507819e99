// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"

/// Facts of the machine that the cost model and the simulator share. Where the two are compared,
/// time spent in tile operations is therefore no evidence: it is one formula, asked twice.
namespace gridloom::timing {

/// Cycles of one core for one tile operation, after TL's "Compute cost per loop body" (Li et al.,
/// 2025, Sec. 2.5). Added here: ceilings on the intrinsic's shape, the lower rate on small outputs,
/// and the issue overhead. `extents`: elements per loop of the kernel. Without a matrix unit,
/// products are multiply-adds of the vector unit. Beside a matrix unit that is no systolic array, a
/// product runs on the unit that is faster for the tile: on the vector unit, as products of columns
/// and rows, it is as fast as if its terms were written out (a matrix times a vector, or 4 x 4
/// matrices, fill little of a matrix unit). TileOp::pinned chooses instead. 0 for a function that
/// the machine gives no rate for.
double opCycles(const kernel::TileOp& op, std::span<const std::int64_t> extents,
                const hardware::ComputeModel& compute);

/// The cycles on one unit, whichever performs the operation; none: the machine has no such unit, or
/// it does not perform the operation.
std::optional<double> cyclesOnUnit(kernel::UnitKind unit, const kernel::TileOp& op,
                                   std::span<const std::int64_t> extents,
                                   const hardware::ComputeModel& compute);

/// The same with the unit that performs the operation.
struct OpTime {
  double cycles = 0;
  kernel::UnitKind unit = kernel::UnitKind::Vector;
};
OpTime opTime(const kernel::TileOp& op, std::span<const std::int64_t> extents,
              const hardware::ComputeModel& compute);

/// Whether the vector work of an iteration hides behind its products. All-reduces cut an iteration
/// into parts, which wait for each other: no chaining.
inline bool chains(const hardware::ComputeModel& compute, const kernel::TileNest& nest) {
  return compute.chained && nest.allReduces.empty();
}

/// Cycles of the operations of one iteration, by the unit that performs them: they depend on each
/// other, so their times add up, unless the vector unit is chained behind the matrix unit. Added in
/// the order in which they run.
struct UnitCycles {
  double matrix = 0;
  double vector = 0;
  /// Vector work stands before a product of the matrix unit, whose operands it may make: only what
  /// leaves the matrix unit is chained.
  bool isVectorInFront = false;
  void add(const OpTime& op, double times = 1) {
    isVectorInFront = isVectorInFront || (op.unit == kernel::UnitKind::Matrix && vector > 0);
    (op.unit == kernel::UnitKind::Matrix ? matrix : vector) += times * op.cycles;
  }
  double total() const { return matrix + vector; }
  /// What is left of them beside the unit that works longer, where they are chained.
  UnitCycles chained(const hardware::ComputeModel& compute, const kernel::TileNest& nest) const {
    if (isVectorInFront || !chains(compute, nest)) return *this;
    return matrix >= vector ? UnitCycles{matrix, 0} : UnitCycles{matrix, vector - matrix};
  }
};

/// Flop per cycle of one core that products do not exceed, on whichever unit they run (chained: on
/// both at once): without padding, issue overhead, or the time to fill a unit. 0 without units.
double productRate(const hardware::ComputeModel& compute);
/// The same for one operation.
double productRate(const kernel::TileOp& op, const hardware::ComputeModel& compute);

/// Cycles of an elementwise function on `elements` at `rate` elements per cycle; 0 without a rate.
double vectorCycles(std::int64_t elements, double rate, const hardware::ComputeModel& compute);

/// Cycles to add `elements` partial results to others.
double additionCycles(std::int64_t elements, const hardware::ComputeModel& compute);

/// Cycles of one fold on a systolic array: from the first operand at its edge to the last result
/// that leaves it, for a stream of that many elements per row. Every result has left before the
/// next fold enters, whether all rows and columns have work or not; stationary weights or inputs
/// are first pushed in row by row (as in SCALE-Sim: Samajdar et al., 2020).
std::int64_t foldCycles(const hardware::SystolicShape& array, std::int64_t stream);

/// What lengthens a tile operation beyond its flops at the core's peak rate.
enum class ComputePart : std::uint8_t {
  AtPeak,    ///< the operation's flops at ComputeModel::peakFlops
  UnitRate,  ///< the sustained rate of the unit that performs it, or of its vector function
  Issue,     ///< issue overhead per operation and per output
  UnitFill,  ///< filling and draining a systolic array; outputs too small for the full rate
  Padding,   ///< up to whole intrinsics of the matrix unit and whole vectors
};
constexpr std::size_t kComputeParts = 5;

/// The cores that each part changes: entry p has parts 0..p and nothing else, the last entry is the
/// machine itself.
using ComputeLadder = std::array<hardware::ComputeModel, kComputeParts>;
ComputeLadder computeLadder(const hardware::ComputeModel& compute);
/// The cycles of an operation by part, on the unit that performs it on the machine itself: those of
/// the part's entry minus those of the entry before it. They sum to its `opCycles`. Each part is
/// counted with those before it in place; in another order the same overlaps would fall to other
/// parts.
std::array<double, kComputeParts> opParts(const kernel::TileOp& op,
                                          std::span<const std::int64_t> extents,
                                          const ComputeLadder& ladder);

/// Bits of the widest input element: what the numeric mode follows.
double operandBits(const kernel::TileNest& nest);

}  // namespace gridloom::timing
