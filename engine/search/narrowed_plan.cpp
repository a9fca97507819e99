// SPDX-License-Identifier: Apache-2.0
#include "search/narrowed_plan.h"

#include <optional>
#include <utility>

namespace gridloom::search {

namespace {

using mapping::Constraints;
using mapping::LoopId;

// The smallest loop that has several tile sizes and no directive about them; a reduction first,
// since few of its tiles are worth a core each.
std::optional<LoopId> smallestTiled(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                                    const Plan& plan, const Constraints& constraints) {
  std::optional<LoopId> found;
  const auto rank = [&](LoopId loop) {
    return std::pair(kernel::contains(nest.outputLoops, loop), kernel.loop(loop).extent);
  };
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    const std::int64_t extent = kernel.loops[l].extent;
    const bool isTiled = plan.axes.tileSizes[l].size() > 1;
    if (!isTiled || extent > kMostWhole || constraints.tileSizes.contains(LoopId::of(l))) continue;
    if (!found || rank(LoopId::of(l)) < rank(*found)) found = LoopId::of(l);
  }
  return found;
}

}  // namespace

base::Result<NarrowedPlan> makeNarrowedPlan(const kernel::Kernel& kernel,
                                            const cost::Evaluator& evaluator,
                                            const hardware::ComputeModel& compute,
                                            const Constraints& constraints,
                                            const base::Progress& progress) {
  Constraints narrowed = constraints;
  std::vector<LoopId> whole;
  while (true) {
    auto plan = makePlan(kernel, evaluator, compute, narrowed, progress);
    if (!plan) return plan.takeDiagnostics();
    if (plan->tooLarge.empty()) return NarrowedPlan{*std::move(plan), std::move(whole)};
    const auto loop = smallestTiled(kernel, evaluator.nest(), *plan, narrowed);
    if (!loop) {
      return base::plainError("the mapping space is too large to search: " + plan->tooLarge,
                              "pin loops with tile(...), space(...) or order(...) directives");
    }
    const std::int64_t extent = kernel.loop(*loop).extent;
    narrowed.tileSizes[*loop] = {{extent, extent}};
    whole.push_back(*loop);
  }
}

}  // namespace gridloom::search
