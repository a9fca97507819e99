// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/running_read.h"
#include "kernel/tile_nest.h"

namespace gridloom::kernel {

/// One operation of a statement on a tile, before its phase is known.
struct StatementOp {
  TileOp op;
  /// Reduction loops of the statement around it.
  std::vector<LoopId> under;
  /// Loops of operands of a Matrix op that are computed, not read: each needs a buffer.
  std::vector<std::vector<LoopId>> computedOperands;
  /// It needs the statement's own state: it takes one step of the state's loop after the other.
  bool recurs = false;
};

/// The operations of a statement in execution order. A sum of products becomes a Matrix op where
/// its operands leave rows or columns, every other node with operands a Vector op over the loops
/// its value depends on; factors that a sum does not run over are applied once to its result.
/// `stepped`: the statement runs index by index of its loop with state, and not tile by tile.
std::vector<StatementOp> statementOps(const Kernel& kernel, const Statement& statement,
                                      bool stepped = false);

}  // namespace gridloom::kernel
