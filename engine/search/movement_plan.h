// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "cost/evaluator.h"
#include "mapping/space.h"

namespace gridloom::search {

/// One temporal order and the choices of its operands, as numbers of the movement plan's options.
/// All tile sizes share these options.
struct OrderPlan {
  std::vector<mapping::LoopId> order;
  /// Options of inputs before this number belong to earlier orders; this one may share them.
  std::uint32_t firstInput = 0;
  /// Its options of inputs that no earlier order has, without those that differ from another one in
  /// their buffers alone: these read the same, and need more memory.
  std::vector<std::uint32_t> reads;
  std::vector<std::vector<std::uint32_t>> inputs, outputs;  ///< per operand
  std::int64_t points = 0;                                  ///< product of the lists' sizes
  std::int64_t tooEarly = 0;                                ///< points with a violated dependence
};

/// The orders of one space choice with one set of loops that have more than one trip, for tile
/// sizes with the same dependences between tiles. One option of an operand serves all orders with
/// the same loops outside its transfers: its cost depends on nothing else, unless the kernel makes
/// operands itself.
struct MovementPlan {
  std::vector<mapping::InputMovement> inputs;
  std::vector<std::uint32_t> inputOf;  ///< per option of an input: which one
  std::vector<mapping::OutputMovement> outputs;
  /// A local tensor that needs an all-reduce, with its possible topologies. They are the same for
  /// all orders.
  struct AllReduceChoice {
    std::size_t reduce = 0;  ///< index into TileNest::allReduces
    std::vector<mapping::ReductionTopology> joins;
  };
  std::vector<AllReduceChoice> splitAllReduces;
  /// per TileNest::allReduces: directives leave a topology for it
  std::vector<bool> canJoin;
  std::vector<OrderPlan> orders;
  std::int64_t points = 0;
  std::int64_t tooEarly = 0;
};

/// `mapping` has tile sizes, space and dimOrder. The result is incomplete once `progress` is
/// cancelled.
MovementPlan planMovements(const cost::Evaluator& evaluator, mapping::Mapping mapping,
                           const mapping::Tiling& tiling, const hardware::ComputeModel& compute,
                           const mapping::Constraints& constraints,
                           const mapping::TileDependences& dependences,
                           const base::Progress& progress);

}  // namespace gridloom::search
