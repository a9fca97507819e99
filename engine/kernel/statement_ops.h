// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/tile_nest.h"

namespace gridloom::kernel {

/// One operation of a statement on a tile, before its phase is known.
struct StatementOp {
  TileOp op;
  /// Reduction loops of the statement that it runs inside of.
  std::vector<LoopId> under;
  /// Loops of operands of a Matrix op that are computed, not read: each needs a buffer.
  std::vector<std::vector<LoopId>> computedOperands;
};

/// The read of a statement's own tensor at an earlier index of one loop (`l[i, j - 1]`).
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
/// None where a statement's root is not of this form.
std::optional<RunningForm> runningForm(const Statement& statement);

/// How far behind along its one differing loop `read` is, against `target` of the same tensor.
std::optional<RunningRead> lagBehind(const Access& target, const Access& read);

/// Whether a statement only tells how running state shrinks between tiles: every read is of running
/// state, one of an earlier index (`c[i, j] = exp(m[i, j - 1] - m[i, j])`). It runs once per tile.
std::optional<LoopId> rescaledLoop(const Kernel& kernel, const Statement& statement);

/// The operations of a statement in execution order. A sum of products becomes a Matrix op where its
/// operands leave rows or columns, every other node with operands a Vector op over the loops its
/// value depends on; factors that a sum does not run over are applied once to its result.
std::vector<StatementOp> statementOps(const Kernel& kernel, const Statement& statement);

}  // namespace gridloom::kernel
