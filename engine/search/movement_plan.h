// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "cost/evaluator.h"
#include "mapping/space.h"

namespace gridloom::search {

/// One temporal order, and what its operands choose from: numbers of the movement plan's options, which are shared by
/// all blocks.
struct OrderPlan {
  std::vector<mapping::LoopId> order;
  std::vector<std::vector<std::uint32_t>> inputs, outputs;  ///< per operand
  std::int64_t points = 0;                                  ///< product of the lists' sizes
  std::int64_t tooEarly = 0;  ///< points whose dependences do not go forward in time
};

/// The orders of one space choice with one set of loops that have more than one trip, and for blocks whose
/// dependences between tiles are of one kind. An operand's movement is one option of all the orders under which the same
/// loops are outside its transfers: its cost does not depend on more, unless the kernel makes operands itself.
struct MovementPlan {
  std::vector<mapping::InputMovement> inputs;
  std::vector<mapping::OutputMovement> outputs;
  /// A local tensor that cores reduce together, and how their results may be joined: under all orders alike.
  struct AllReduceChoice {
    std::size_t reduce = 0;  ///< index into TileNest::allReduces
    std::vector<mapping::ReductionTopology> joins;
  };
  std::vector<AllReduceChoice> splitAllReduces;
  std::vector<bool>
      canJoin;  ///< per TileNest::allReduces: directives leave something to do with it
  std::vector<OrderPlan> orders;
  std::int64_t points = 0;
  std::int64_t tooEarly = 0;
};

/// `mapping` has block, space and dimOrder. Cut short once `progress` is cancelled.
MovementPlan planMovements(const cost::Evaluator& evaluator, mapping::Mapping mapping,
                           const mapping::Tiling& tiling, const hardware::ComputeModel& compute,
                           const mapping::Constraints& constraints,
                           const mapping::TileDependences& dependences,
                           const base::Progress& progress);

}  // namespace gridloom::search
