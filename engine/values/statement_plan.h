// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/tile_nest.h"

namespace gridloom::values {

/// In what order, and in which pieces, a core evaluates a kernel's statements on one tile after the other.
struct StatementPlan {
  /// A statement, or the part of one that can be done in a tile: the sum inside `relu(sum(k) ... + b)` is
  /// accumulated tile by tile, the rest follows in the epilogue.
  struct Step {
    kernel::Statement statement;
    std::vector<kernel::LoopId> targetLoops;
    /// How partial results of successive tiles join; Constant: the value is complete.
    kernel::ExprOp join = kernel::ExprOp::Constant;
    std::int32_t toSum = -1;  ///< accumulator the value goes to; -1: the statement's target
    /// Number among the steps whose results several cores may join; -1: its value is complete, or the output's.
    std::int32_t partial = -1;
    std::int32_t reduce =
        -1;  ///< number of the all-reduce, of sums that cores join in the middle of the body
    std::int32_t state = -1;  ///< number in the nest's StateMerge, of statements that carry state
    /// Constants of the expression that stand for accumulators: node, accumulator.
    std::vector<std::pair<std::size_t, std::int32_t>> fromSums = {};
  };
  /// Steps that go through the running loops together, index by index.
  struct Group {
    std::vector<kernel::LoopId> running;
    std::vector<Step> steps;
    std::int32_t part = 0;  ///< of the body, behind so many meetings of the cores
  };
  std::vector<Group> body;
  std::vector<Group> epilogue;
  std::int32_t sums = 0;
  std::int32_t partials = 0;
};

/// `meetings`: those of the nest's all-reduces that cores do together. Their statements accumulate in one part of the
/// body, and are finished in the next.
StatementPlan planStatements(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                             std::span<const std::size_t> splitAllReduces = {});

}  // namespace gridloom::values
