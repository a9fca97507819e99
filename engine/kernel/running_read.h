// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// The read of a statement's own tensor at an earlier index of one loop (`l[i, j - 1]`):
/// loop-carried state.
struct RunningRead {
  std::size_t read = 0;
  LoopId loop;
  std::int64_t distance = 0;
};
std::optional<RunningRead> runningRead(const Statement& statement);

/// `state[j - 1] * factor + rest` (either order), or `max(state[j - 1], rest)` and min.
struct RunningForm {
  LoopId loop;
  std::int64_t distance = 0;
  ExprOp join = ExprOp::Sum;  ///< Sum, MaxReduce or MinReduce
  std::int32_t factor = -1;   ///< node of the expression; -1: none
  std::int32_t rest = -1;
};
/// Nothing where a statement's root does not have this form.
std::optional<RunningForm> runningForm(const Statement& statement);

/// Distance of `read` behind `target` of the same tensor, along the one loop in which they differ.
std::optional<RunningRead> lagBehind(const Access& target, const Access& read);

/// Whether a statement only computes how loop-carried state is rescaled between tiles: every read
/// is of such state, one of an earlier index (`c[i, j] = exp(m[i, j - 1] - m[i, j])`). It runs once
/// per tile.
std::optional<LoopId> rescaledLoop(const Kernel& kernel, const Statement& statement);

}  // namespace gridloom::kernel
