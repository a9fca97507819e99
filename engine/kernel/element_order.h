// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
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

/// The fewest loops to step along, so that running all statements one after the other in every step
/// respects all dependences: each goes to a later step, or to a later statement of the same step.
/// Otherwise the index of a dependence that every choice of loops violates.
using StepsOrOpenFlow = std::variant<std::vector<LoopId>, std::size_t>;
StepsOrOpenFlow stepsFor(const std::vector<FlowDependence>& flows,
                         const std::vector<LoopId>& loops);

/// The order of so many statements that needs the fewest loops to step along; nothing where no
/// order of statements and loops respects all dependences. Statements keep their order otherwise.
std::optional<std::vector<std::size_t>> orderOfFewestSteps(const std::vector<FlowDependence>& flows,
                                                           const std::vector<LoopId>& loops,
                                                           std::size_t statements);

}  // namespace gridloom::kernel
