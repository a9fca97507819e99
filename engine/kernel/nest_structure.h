// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "kernel/dependences.h"
#include "kernel/statement_ops.h"
#include "kernel/tile_nest.h"

namespace gridloom::kernel {

/// Which loops of a kernel can be tiled and in which phase its parts run: the frame that tileNest
/// fills.
struct NestStructure {
  std::vector<FlowDependence> flows;
  std::vector<std::vector<StatementOp>> ops;  ///< per statement
  std::vector<TileNest::Whole> whole;
  std::vector<LoopId> inner;          ///< tiled reduction and sequential loops
  std::vector<Phase> statementPhase;  ///< per statement
  std::vector<AllReduce> allReduces;
  /// Per statement, the loops along which it advances one index at a time, as its next index needs
  /// more than one element of those before (`h[t - 1, k]` for all k). The first of them is outside.
  std::vector<std::vector<LoopId>> stepped;

  /// Per statement, the loop of state that outputs need at every index (kernel::followedStates).
  std::vector<LoopId> followed;

  bool isWhole(LoopId loop) const;
  /// Takes the loop out of the inner ones; false if it was whole before.
  bool markWhole(LoopId loop, std::string reason);
  /// Inside the inner loops, or once after them: for a part of a statement inside the reductions
  /// over these loops.
  Phase phaseOf(const Statement& statement, StatementId id, const std::vector<LoopId>& under) const;
};

base::Result<NestStructure> nestStructure(const Kernel& kernel);

}  // namespace gridloom::kernel
