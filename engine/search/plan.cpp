// SPDX-License-Identifier: Apache-2.0
#include "search/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "base/units.h"
#include "mapping/admit.h"
#include "mapping/all_reduce.h"
#include "mapping/rotation.h"
#include "search/hints.h"
#include "search/known_compute.h"
#include "search/known_dependences.h"
#include "search/nothing_left.h"

namespace gridloom::search {

using mapping::LoopId;
using mapping::Mapping;
using mapping::Tiling;

namespace {

// Size limit of a plan: a larger one would fill the memory before the first candidate.
constexpr double kMostItems = 1e7;
constexpr int kMostTemporalLoops = 8;
constexpr std::size_t kMostOrders = 300'000;

Plan tooLarge(Plan plan, std::string why) {
  Plan out;
  out.axes = std::move(plan.axes);
  out.tooLarge = std::move(why);
  return out;
}

// Most trips of a loop in a placement.
std::int64_t mostTrips(const mapping::Axes& axes, const mapping::SpaceChoice& choice,
                       const kernel::Kernel& kernel, const hardware::Topology& hw, LoopId loop) {
  const auto& sizes = axes.tileSizes[loop.index()];
  if (sizes.empty()) return 1;
  std::int64_t unroll = 1;
  for (std::size_t d = 0; d < choice.space.size(); ++d) {
    if (choice.space[d] == loop) unroll *= hw.dims()[d].size;
  }
  return base::ceilDiv(base::ceilDiv(kernel.loop(loop).extent, sizes.front()), unroll);
}

// Whether the temporal orders of all loops together are too many, in all placements. Spares the
// time to make some of them.
bool hasTooManyOrders(const mapping::Axes& axes, const kernel::Kernel& kernel,
                      const kernel::TileNest& nest, const hardware::Topology& hw) {
  if (!nest.sequential.empty() || !nest.ties.empty()) return false;
  double orders = 0;
  for (const mapping::SpaceChoice& choice : axes.spaces) {
    double own = 1, loops = 0;
    for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
      if (mostTrips(axes, choice, kernel, hw, LoopId::of(l)) > 1) own *= ++loops;
    }
    orders += own;
  }
  return orders > kMostOrders;
}

// The set of loops with more than one trip: with the space, all that orders and movements depend
// on.
std::uint64_t tripMask(const Tiling& tiling) {
  std::uint64_t mask = 0;
  for (std::size_t l = 0; l < tiling.loops.size(); ++l) {
    if (tiling.loops[l].trips > 1) mask |= std::uint64_t{1} << l;
  }
  return mask;
}

// Dimensions along which the directives let some input rotate.
mapping::DimMask rotatingAlong(const cost::Evaluator& evaluator,
                               const mapping::Constraints& constraints) {
  mapping::DimMask dims = 0;
  const mapping::DimMask all = rotatingDims(evaluator.hardware(), constraints);
  for (std::uint8_t d = 0; d < evaluator.hardware().dims().size(); ++d) {
    const mapping::DimMask along = mapping::DimMask{1} << d;
    for (std::size_t i = 0; (all & along) != 0 && i < evaluator.nest().inputs.size(); ++i) {
      if (admitsMovement(constraints, i, mapping::MovementKind::Rotate, along, d)) dims |= along;
    }
  }
  return dims;
}

class PlanMaker {
 public:
  PlanMaker(const kernel::Kernel& kernel, const cost::Evaluator& evaluator,
            const hardware::ComputeModel& compute, const mapping::Constraints& constraints,
            const base::Progress& progress)
      : m_kernel(kernel),
        m_evaluator(evaluator),
        m_nest(evaluator.nest()),
        m_hw(evaluator.hardware()),
        m_compute(compute),
        m_constraints(constraints),
        m_progress(progress),
        m_dependences(m_nest),
        m_knownCompute(evaluator),
        m_rotating(rotatingAlong(evaluator, constraints)) {}

  base::Result<Plan> run() {
    m_plan.axes = makeAxes(m_kernel, m_nest, m_hw, m_compute.matrixShape, m_compute.vectorLanes,
                           m_constraints);
    if (m_plan.axes.tooManySpaces) return tooManySpaces();
    double items = static_cast<double>(m_plan.axes.spaces.size());
    for (const auto& sizes : m_plan.axes.tileSizes) items *= static_cast<double>(sizes.size());
    if (items > kMostItems) {
      return tooLarge(std::move(m_plan),
                      fmt::format("{:.2g} choices of tile sizes and placement", items));
    }
    if (!m_constraints.order && hasTooManyOrders(m_plan.axes, m_kernel, m_nest, m_hw))
      return tooLarge(std::move(m_plan), kTooManyOrders);
    const auto spaces = static_cast<std::uint32_t>(m_plan.axes.spaces.size());
    const auto blockCount =
        static_cast<std::uint64_t>(spaces == 0 ? 0 : items / static_cast<double>(spaces) + 0.5);
    for (std::uint32_t space = 0; space < spaces; ++space) {
      for (std::uint64_t tileSizes = 0; tileSizes < blockCount; ++tileSizes) {
        const bool ends = (tileSizes & 1023) == 0 && m_progress.cancelled();
        if (!ends && addItem({space, tileSizes, nullptr, 0})) continue;
        return ended();
      }
    }
    return planAll() ? checked() : ended();
  }

 private:
  static constexpr const char* kTooManyOrders = "more than 300,000 temporal orders";

  base::Diagnostic tooManySpaces() const {
    return m_constraints.errorAbout(
        mapping::Constraints::Axis::Space, 0,
        fmt::format("the mapping space is too large to search: more than {} placements of loops on "
                    "the {} dimensions of `{}`",
                    mapping::kMostPlacements, m_hw.dims().size(), m_hw.name()),
        "pin dimensions with space(i->x), or leave some unused with space(->y)");
  }

  // Cancelled, or too large.
  Plan ended() {
    if (m_tooLarge.empty()) return std::move(m_plan);
    return tooLarge(std::move(m_plan), std::move(m_tooLarge));
  }

  // False when the plan is to end here.
  bool addItem(Item item) {
    const Mapping mapping = m_plan.mappingOf(item);
    if (!mapping::keepsTies(m_nest, mapping.tileSize)) return true;
    const Tiling tiling = tilingOf(mapping, m_kernel, m_hw);
    if (isRedundant(mapping, tiling, m_hw)) return true;
    m_anyPlacement = true;
    if (!keepsShares(m_nest, tiling)) return true;
    m_anyShare = true;
    item.movements = movementsOf(item, mapping, tiling);
    if (item.movements == nullptr) return false;
    m_plan.items.push_back(item);
    return true;
  }

  // The movements of an item, which are planned later. Null when the plan is to end here.
  const MovementPlan* movementsOf(const Item& item, const Mapping& mapping, const Tiling& tiling) {
    const std::size_t kind = m_dependences.kindOf(mapping.tileSize);
    const std::uint64_t loops = tripMask(tiling);
    const auto [at, isNew] = m_plan.movements.try_emplace(
        {item.space, loops, kind, rotationsOf(m_nest, mapping, tiling, m_rotating)});
    if (!isNew) return &at->second;
    if (m_progress.cancelled()) return nullptr;
    if (std::popcount(loops) > kMostTemporalLoops) {
      m_tooLarge = fmt::format("{} loops can be ordered in time, up to {} are",
                               std::popcount(loops), kMostTemporalLoops);
      return nullptr;
    }
    m_orders += ordersOf(m_nest, tiling, m_constraints).size();
    if (m_orders > kMostOrders) m_tooLarge = kTooManyOrders;
    m_unplanned.push_back({&at->second, kind, mapping, tiling});
    return m_tooLarge.empty() ? &at->second : nullptr;
  }

  // Plans the movements of all items, now that they are not too many, and leaves out items without
  // any. False when the plan is to end here.
  bool planAll() {
    for (const Unplanned& u : m_unplanned) {
      *u.plan = planMovements(m_evaluator, u.mapping, u.tiling, m_compute, m_constraints,
                              m_dependences[u.kind], m_progress);
      if (m_progress.cancelled()) return false;
    }
    for (const Item& item : m_plan.items) {
      m_anyOrder = m_anyOrder || !item.movements->orders.empty();
      countTooEarly(item);
      m_plan.size = base::saturatingAdd(m_plan.size, item.movements->points);
    }
    std::erase_if(m_plan.items, [](const Item& item) { return item.movements->points == 0; });
    boundAll();
    if (m_plan.size == std::numeric_limits<std::int64_t>::max())
      m_tooLarge = "it has more than 9e18 mappings";
    return m_tooLarge.empty();
  }

  void boundAll() {
    std::uint64_t tileSizes = 1;
    for (const auto& sizes : m_plan.axes.tileSizes) tileSizes *= sizes.size();
    std::uint32_t space = static_cast<std::uint32_t>(m_plan.axes.spaces.size());
    for (Item& item : m_plan.items) {
      if (item.space != space)
        m_knownCompute.startSpace(m_plan.axes.spaces[item.space], m_kernel.loops.size(), tileSizes);
      space = item.space;
      const Tiling tiling = tilingOf(m_plan.mappingOf(item), m_kernel, m_hw);
      item.bound = m_hw.launch() + m_knownCompute.cycles(item.tileSizes, tiling);
    }
  }

  void countTooEarly(const Item& item) {
    const MovementPlan& movements = *item.movements;
    m_plan.tooEarly = base::saturatingAdd(m_plan.tooEarly, movements.tooEarly);
    m_plan.size = base::saturatingAdd(m_plan.size, movements.tooEarly);
    if (m_plan.tooEarly == 0 || !m_plan.tooEarlyExample.empty()) return;
    const Mapping mapping = m_plan.mappingOf(item);
    const std::size_t kind = m_dependences.kindOf(mapping.tileSize);
    m_plan.tooEarlyExample =
        tooEarlyExample(m_kernel, m_evaluator, mapping, movements, m_dependences[kind]);
  }

  base::Result<Plan> checked() {
    if (!m_plan.items.empty() || m_plan.tooEarly > 0) return std::move(m_plan);
    if (m_anyPlacement && !m_anyShare) return noShare(m_kernel, m_nest, m_constraints);
    return nothingLeft(m_plan, m_kernel, m_nest, m_constraints, m_anyPlacement, m_anyOrder);
  }

  const kernel::Kernel& m_kernel;
  const cost::Evaluator& m_evaluator;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  const hardware::ComputeModel& m_compute;
  const mapping::Constraints& m_constraints;
  const base::Progress& m_progress;
  mapping::KnownDependences m_dependences;
  KnownCompute m_knownCompute;
  mapping::DimMask m_rotating;
  Plan m_plan;
  struct Unplanned {
    MovementPlan* plan = nullptr;
    std::size_t kind = 0;  ///< of dependences
    Mapping mapping;       ///< of the first item that has it
    Tiling tiling;
  };
  std::vector<Unplanned> m_unplanned;
  std::size_t m_orders = 0;
  bool m_anyPlacement = false, m_anyShare = false, m_anyOrder = false;
  std::string m_tooLarge;
};

}  // namespace

Mapping Plan::mappingOf(const Item& item) const {
  Mapping m;
  std::uint64_t rest = item.tileSizes;
  for (const auto& sizes : axes.tileSizes) {
    m.tileSize.push_back(sizes[rest % sizes.size()]);
    rest /= sizes.size();
  }
  m.space = axes.spaces[item.space].space;
  m.dimOrder = axes.spaces[item.space].dimOrder;
  return m;
}

base::Result<Plan> makePlan(const kernel::Kernel& kernel, const cost::Evaluator& evaluator,
                            const hardware::ComputeModel& compute,
                            const mapping::Constraints& constraints,
                            const base::Progress& progress) {
  return PlanMaker(kernel, evaluator, compute, constraints, progress).run();
}

}  // namespace gridloom::search
