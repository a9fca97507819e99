// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/tile_nest.h"
#include "values/sum_guards.h"

namespace gridloom::values {

/// The order, and the steps, in which a core evaluates a kernel's statements tile by tile.
struct StatementPlan {
  /// A statement, or the part of it that can run in one tile. The sum inside `relu(sum(k) ... + b)`
  /// is accumulated tile by tile; the rest runs in the epilogue.
  struct Step {
    kernel::Statement statement;
    std::vector<kernel::LoopId> targetLoops;
    /// The operation that reduces partial results of successive tiles; Constant: the value is
    /// complete.
    kernel::ExprOp join = kernel::ExprOp::Constant;
    std::int32_t toSum = -1;  ///< accumulator that receives the value; -1: the statement's target
    /// Number among the steps whose results several cores may reduce; -1: its value is complete, or
    /// is that of an output.
    std::int32_t partial = -1;
    /// number of the all-reduce inside the body, for sums that have one; -1: none
    std::int32_t reduce = -1;
    /// number in the nest's StateMerge, for statements with loop-carried state; -1: none
    std::int32_t state = -1;
    /// Constants of the expression that stand for accumulators: (node, accumulator).
    std::vector<std::pair<std::size_t, std::int32_t>> fromSums = {};
    /// Where one of these does not choose the value, it is that of an empty sum.
    std::vector<SumGuard> guards = {};
  };
  /// Steps that run the sequential loops together, index by index.
  struct Group {
    std::vector<kernel::LoopId> running;
    std::vector<Step> steps;
    std::int32_t part = 0;  ///< part of the body: the number of all-reduces before it
  };
  std::vector<Group> body;
  std::vector<Group> epilogue;
  std::int32_t sums = 0;
  std::int32_t partials = 0;
};

/// `splitAllReduces`: those of the nest's all-reduces that run across cores inside the body. Their
/// statements accumulate in one part of the body and finish in the next.
StatementPlan planStatements(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                             std::span<const std::size_t> splitAllReduces = {});

}  // namespace gridloom::values
