// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/tile_nest.h"
#include "schedule/schedule.h"
#include "values/statement_plan.h"

namespace gridloom::values {

/// A sum or state whose partial results several cores reduce, in addition to an output's tile.
struct JoinedPartial {
  kernel::TensorId tensor;
  std::int32_t sum = -1;  ///< accumulator of the plan; -1: the tensor's elements
  kernel::ExprOp join = kernel::ExprOp::Sum;
  int buffer = -1;  ///< buffer of an output, or of shares, in whose slot it travels; -1: none
  std::int32_t state = -1;  ///< number in the nest's StateMerge; -1: a sum
};

/// Which sums travel with which output, and which on their own; by StatementPlan::Step::partial.
std::vector<JoinedPartial> joinedPartials(const schedule::Schedule& schedule,
                                          const kernel::TileNest& nest, const StatementPlan& plan);

/// The statement that says how partial results of an output combine: of several statements for it,
/// the one that reduces; null: there is none.
const kernel::Statement* joiningStatement(const kernel::Kernel& kernel, kernel::TensorId output);

}  // namespace gridloom::values
