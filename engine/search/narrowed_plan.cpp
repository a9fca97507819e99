// SPDX-License-Identifier: Apache-2.0
#include "search/narrowed_plan.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace gridloom::search {

namespace {

using mapping::Constraints;
using mapping::LoopId;

// Loops that must have the same tile size.
std::vector<LoopId> tiedTo(const kernel::TileNest& nest, LoopId loop) {
  for (const auto& tied : nest.ties) {
    if (kernel::contains(tied, loop)) return tied;
  }
  return {loop};
}

class Narrowing {
 public:
  Narrowing(const kernel::Kernel& kernel, const kernel::TileNest& nest,
            const Constraints& constraints)
      : m_kernel(kernel), m_nest(nest), m_constraints(constraints) {}

  // The next loops to keep whole; none where there are no more.
  std::vector<LoopId> next(const mapping::Axes& axes) const {
    std::optional<LoopId> found;
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      const LoopId loop = LoopId::of(l);
      if (axes.tileSizes[l].size() < 2 || !mayStayWhole(axes, loop)) continue;
      if (!found || rank(loop) < rank(*found)) found = loop;
    }
    return found ? tiedTo(m_nest, *found) : std::vector<LoopId>{};
  }

 private:
  // The smallest; a reduction first, since few of its tiles are worth a core each.
  std::pair<bool, std::int64_t> rank(LoopId loop) const {
    return {kernel::contains(m_nest.outputLoops, loop), m_kernel.loop(loop).extent};
  }

  // What directives say of a loop, or of one tied to it, stands.
  bool mayStayWhole(const mapping::Axes& axes, LoopId loop) const {
    return std::ranges::all_of(tiedTo(m_nest, loop), [&](LoopId each) {
      const std::int64_t extent = m_kernel.loop(each).extent;
      const bool placed = std::ranges::any_of(
          m_constraints.space, [&](const auto& entry) { return entry.second == each; });
      return extent <= kMostWhole && !placed && !m_constraints.tileSizes.contains(each) &&
             extent == m_kernel.loop(loop).extent &&
             std::ranges::count(axes.tileSizes[each.index()], extent) > 0;
    });
  }

  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const Constraints& m_constraints;
};

base::Diagnostic tooLarge(const std::string& why) {
  return base::plainError("the mapping space is too large to search: " + why,
                          "pin loops with tile(...), space(...) or order(...) directives");
}

}  // namespace

base::Result<NarrowedPlan> makeNarrowedPlan(const kernel::Kernel& kernel,
                                            const cost::Evaluator& evaluator,
                                            const hardware::ComputeModel& compute,
                                            const Constraints& constraints,
                                            const base::Progress& progress) {
  const Narrowing narrowing(kernel, evaluator.nest(), constraints);
  Constraints narrowed = constraints;
  std::vector<LoopId> whole;
  std::string why;
  while (true) {
    auto plan = makePlan(kernel, evaluator, compute, narrowed, progress);
    if (!plan) return whole.empty() ? plan.takeDiagnostics() : base::Diagnostics{tooLarge(why)};
    if (plan->tooLarge.empty()) return NarrowedPlan{*std::move(plan), std::move(whole)};
    if (why.empty()) why = plan->tooLarge;
    const std::vector<LoopId> loops = narrowing.next(plan->axes);
    if (loops.empty()) return tooLarge(why);
    for (const LoopId loop : loops) {
      const std::int64_t extent = kernel.loop(loop).extent;
      narrowed.tileSizes[loop] = {{extent, extent}};
      whole.push_back(loop);
    }
  }
}

}  // namespace gridloom::search
