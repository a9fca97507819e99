// SPDX-License-Identifier: Apache-2.0
#include "kernel/element_order.h"

#include <algorithm>
#include <optional>

namespace gridloom::kernel {

namespace {

affine::IntegerSet domainOf(const Kernel& kernel, const std::vector<Difference>& differences,
                            const std::vector<LoopId>& loops) {
  affine::IntegerSet domain;
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    const bool runs = contains(loops, LoopId::of(l));
    domain.extents.push_back(runs ? kernel.loops[l].extent : 1);
  }
  for (const Difference& d : differences) domain.constraints.push_back(constraintOf(d));
  return domain;
}

/// Whether stepping respects a dependence: always, not decided by these loops, or not.
enum class Order { Kept, Open, Broken };

Order orderOf(const FlowDependence& flow, const std::vector<LoopId>& steps) {
  for (const LoopId loop : steps) {
    const std::optional<std::int64_t> least = flow.distance.perLoop[loop.index()].min;
    if (!least || *least < 0) return Order::Broken;
    if (*least > 0) return Order::Kept;
  }
  return flow.writer < flow.reader ? Order::Kept : Order::Open;
}

}  // namespace

std::vector<FlowDependence> placedFlows(const Kernel& kernel,
                                        const std::vector<PlacedStatement>& placed,
                                        const std::vector<std::vector<LoopId>>& targets,
                                        const std::vector<LoopId>& loops) {
  std::vector<FlowDependence> flows;
  for (std::size_t r = 0; r < kernel.statements.size(); ++r) {
    const Statement& reader = kernel.statements[r];
    std::vector<LoopId> around = loops;
    around.insert(around.end(), reader.reductions.begin(), reader.reductions.end());
    for (std::size_t read = 0; read < reader.reads.size(); ++read) {
      const bool sums = std::ranges::any_of(loopsOf(reader.reads[read]), [&](LoopId loop) {
        return contains(reader.reductions, loop);
      });
      const auto& points = sums ? placed[r].summed : placed[r].elements;
      for (std::size_t w = 0; w < kernel.statements.size(); ++w) {
        const Statement& writer = kernel.statements[w];
        if (writer.target.tensor != reader.reads[read].tensor) continue;
        std::vector<affine::LinearExpr> made;
        for (const LoopId loop : targets[writer.target.tensor.index()]) {
          made.push_back(affine::LinearExpr::dim(loop.index()));
        }
        FlowDependence flow{StatementId::of(w), StatementId::of(r), read, loops, {}};
        flow.distance =
            affine::dependence(domainOf(kernel, placed[w].elements, loops), made,
                               domainOf(kernel, points, around), reader.reads[read].indices);
        if (flow.distance.exists) flows.push_back(std::move(flow));
      }
    }
  }
  return flows;
}

std::variant<std::vector<LoopId>, std::size_t> stepsFor(const std::vector<FlowDependence>& flows,
                                                        const std::vector<LoopId>& loops) {
  std::vector<LoopId> steps;
  for (;;) {
    const auto open = std::ranges::find_if(
        flows, [&](const FlowDependence& flow) { return orderOf(flow, steps) != Order::Kept; });
    if (open == flows.end()) return steps;
    const auto next = std::ranges::find_if(loops, [&](LoopId loop) {
      std::vector<LoopId> longer = steps;
      longer.push_back(loop);
      return !contains(steps, loop) && orderOf(*open, longer) == Order::Kept &&
             std::ranges::none_of(
                 flows, [&](const auto& f) { return orderOf(f, longer) == Order::Broken; });
    });
    if (next == loops.end()) return static_cast<std::size_t>(open - flows.begin());
    steps.push_back(*next);
  }
}

}  // namespace gridloom::kernel
