// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include "kernel/dependences.h"
#include "kernel/tile_guard.h"

namespace gridloom::kernel {

/// A statement of a kernel whose outputs depend on each other, placed in the outputs' loops.
struct PlacedStatement {
  std::vector<Difference> elements;  ///< between the loops, for the elements it defines
  std::vector<Difference> summed;    ///< the same for the points of its sums
  std::vector<LoopId> sums;          ///< its reduction loops that run over several tiles
};

/// The flow dependences between placed statements. `targets`: per tensor, the loop of each
/// dimension; `loops`: all of them.
std::vector<FlowDependence> placedFlows(const Kernel& kernel,
                                        const std::vector<PlacedStatement>& placed,
                                        const std::vector<std::vector<LoopId>>& targets,
                                        const std::vector<LoopId>& loops);

/// Loops to step along, so that running all statements one after the other in every step respects
/// all dependences: each goes to a later step, or to a later statement of the same step. Otherwise
/// the index of a dependence that every choice of loops violates.
std::variant<std::vector<LoopId>, std::size_t> stepsFor(const std::vector<FlowDependence>& flows,
                                                        const std::vector<LoopId>& loops);

}  // namespace gridloom::kernel
