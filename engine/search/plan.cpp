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
#include "search/known_dependences.h"

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

base::Diagnostic operandWithoutMovement(const Plan& plan, const kernel::TileNest& nest,
                                        const mapping::Constraints& constraints,
                                        const std::string& start) {
  using Axis = mapping::Constraints::Axis;
  const auto never = [&](auto member, std::size_t operand) {
    for (const auto& [key, movements] : plan.movements) {
      for (const OrderPlan& order : movements.orders) {
        if (!(order.*member)[operand].empty()) return false;
      }
    }
    return true;
  };
  const OrderPlan& any = [&]() -> const OrderPlan& {
    for (const auto& [key, movements] : plan.movements) {
      if (!movements.orders.empty()) return movements.orders.front();
    }
    static const OrderPlan none;
    return none;
  }();
  for (std::size_t i = 0; i < any.inputs.size(); ++i) {
    if (!never(&OrderPlan::inputs, i)) continue;
    return constraints.errorAbout(
        Axis::Input, static_cast<int>(i),
        fmt::format("{}no movement of `{}` is left", start, nest.inputs[i].name),
        hintAbout(constraints.inputs, i));
  }
  for (std::size_t i = 0; i < any.outputs.size(); ++i) {
    if (!never(&OrderPlan::outputs, i)) continue;
    return constraints.errorAbout(
        Axis::Output, static_cast<int>(i),
        fmt::format("{}no movement of `{}` is left", start, nest.outputs[i].name),
        hintAbout(constraints.outputs, i));
  }
  for (std::size_t r = 0; r < nest.allReduces.size(); ++r) {
    const auto canJoin = [&](const auto& entry) { return bool{entry.second.canJoin[r]}; };
    if (std::ranges::any_of(plan.movements, canJoin)) continue;
    return constraints.errorAbout(
        Axis::AllReduce, static_cast<int>(r),
        fmt::format("{}`{}` cannot be reduced that way", start, nest.allReduces[r].name),
        "cores join what they reduce where each has a share of the loop; `none` is for all others");
  }
  return base::plainError(start + "no legal combination of movements is left",
                          "an operand is shared only along dimensions whose loop it does not "
                          "depend on; partial results are combined only when a reduction is split");
}

// Tile size and placement of a loop that cannot be tiled contradict each other.
base::Diagnostic noShare(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                         const mapping::Constraints& constraints) {
  const auto dealt = std::ranges::find(nest.whole, true, &kernel::TileNest::Whole::inShares);
  const std::string& name = kernel.loop(dealt->loop).name;
  return constraints.errorAbout(
      mapping::Constraints::Axis::Blocks, static_cast<int>(dealt->loop.index()),
      fmt::format("the directives exclude every mapping: no block of `{}` left is what a core has "
                  "of it in a placement left",
                  name),
      fmt::format("{}; a core has one share of {}, so do not pin its tile size", dealt->reason,
                  name));
}

// The first axis that directives leave without a choice, at the directive that causes it.
base::Diagnostic nothingLeft(const Plan& plan, const kernel::Kernel& kernel,
                             const kernel::TileNest& nest, const mapping::Constraints& constraints,
                             bool anyPlacement, bool anyOrder) {
  using Axis = mapping::Constraints::Axis;
  const std::string start = "the directives exclude every mapping: ";
  for (std::size_t l = 0; l < plan.axes.tileSizes.size(); ++l) {
    if (!plan.axes.tileSizes[l].empty()) continue;
    return constraints.errorAbout(
        Axis::Blocks, static_cast<int>(l),
        fmt::format("{}no tile size of loop `{}` is left", start, kernel.loops[l].name),
        "`gridloom show --space` lists the sizes; `tile(i, 48)` names any other");
  }
  if (plan.axes.spaces.empty()) {
    return constraints.errorAbout(Axis::Space, 0, start + "no placement on the mesh is left", {});
  }
  if (!anyPlacement) {
    return constraints.errorAbout(
        Axis::Space, 0, start + "every placement left gives a mesh dimension a single tile",
        "smaller tile sizes make more tiles");
  }
  if (!anyOrder) {
    return constraints.errorAbout(Axis::Order, 0, start + "no temporal order is left",
                                  "sequential loops keep their order");
  }
  return operandWithoutMovement(plan, nest, constraints, start);
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
  Plan plan;
  plan.axes = makeAxes(kernel, evaluator.nest(), evaluator.hardware(), compute.matrixShape,
                       compute.vectorLanes, constraints);
  if (plan.axes.tooManySpaces) {
    return constraints.errorAbout(
        mapping::Constraints::Axis::Space, 0,
        fmt::format("the mapping space is too large to search: more than {} placements of loops on "
                    "the {} dimensions of `{}`",
                    mapping::kMostPlacements, evaluator.hardware().dims().size(),
                    evaluator.hardware().name()),
        "pin dimensions with space(i->x), or leave some unused with space(->y)");
  }
  double items = static_cast<double>(plan.axes.spaces.size());
  for (const auto& sizes : plan.axes.tileSizes) items *= static_cast<double>(sizes.size());
  if (items > kMostItems) {
    return tooLarge(std::move(plan),
                    fmt::format("{:.2g} choices of tile sizes and placement", items));
  }
  if (!constraints.order &&
      hasTooManyOrders(plan.axes, kernel, evaluator.nest(), evaluator.hardware())) {
    return tooLarge(std::move(plan), "more than 300,000 temporal orders");
  }
  const auto blockCount = static_cast<std::uint64_t>(
      plan.axes.spaces.empty() ? 0 : items / static_cast<double>(plan.axes.spaces.size()) + 0.5);
  const double launch = evaluator.hardware().launch();
  mapping::KnownDependences dependences(evaluator.nest());
  const mapping::DimMask rotating = rotatingAlong(evaluator, constraints);
  std::size_t orders = 0;
  bool anyPlacement = false, anyShare = false, anyOrder = false;
  for (std::uint32_t space = 0; space < plan.axes.spaces.size(); ++space) {
    for (std::uint64_t tileSizes = 0; tileSizes < blockCount; ++tileSizes) {
      if ((tileSizes & 1023) == 0 && progress.cancelled()) return plan;
      Item item{space, tileSizes, nullptr, 0};
      const Mapping mapping = plan.mappingOf(item);
      if (!mapping::keepsTies(evaluator.nest(), mapping.tileSize)) continue;
      const Tiling tiling = tilingOf(mapping, kernel, evaluator.hardware());
      if (isRedundant(mapping, tiling, evaluator.hardware())) continue;
      anyPlacement = true;
      if (!keepsShares(evaluator.nest(), tiling)) continue;
      anyShare = true;
      const std::size_t kind = dependences.kindOf(mapping.tileSize);
      const auto key = std::tuple{space, tripMask(tiling), kind,
                                  rotationsOf(evaluator.nest(), mapping, tiling, rotating)};
      auto at = plan.movements.find(key);
      if (at == plan.movements.end()) {
        if (progress.cancelled()) return plan;
        if (std::popcount(std::get<1>(key)) > kMostTemporalLoops) {
          return tooLarge(std::move(plan),
                          fmt::format("{} loops can be ordered in time, up to {} are",
                                      std::popcount(std::get<1>(key)), kMostTemporalLoops));
        }
        at = plan.movements
                 .emplace(key, planMovements(evaluator, mapping, tiling, compute, constraints,
                                             dependences[kind], progress))
                 .first;
        if (progress.cancelled()) return plan;
        orders += at->second.orders.size();
        if (orders > kMostOrders)
          return tooLarge(std::move(plan), "more than 300,000 temporal orders");
      }
      item.movements = &at->second;
      anyOrder = anyOrder || !item.movements->orders.empty();
      plan.tooEarly = base::saturatingAdd(plan.tooEarly, item.movements->tooEarly);
      plan.size = base::saturatingAdd(plan.size, item.movements->tooEarly);
      if (plan.tooEarly > 0 && plan.tooEarlyExample.empty()) {
        plan.tooEarlyExample = tooEarlyExample(kernel, evaluator, mapping, *item.movements);
      }
      if (item.movements->points == 0) continue;
      item.bound = launch + evaluator.compute(tiling).total();
      plan.size = base::saturatingAdd(plan.size, item.movements->points);
      if (plan.size == std::numeric_limits<std::int64_t>::max()) {
        return tooLarge(std::move(plan), "its operands can be moved in more than 9e18 ways");
      }
      plan.items.push_back(item);
    }
  }
  if (!plan.items.empty() || plan.tooEarly > 0) return plan;
  if (anyPlacement && !anyShare) return noShare(kernel, evaluator.nest(), constraints);
  return nothingLeft(plan, kernel, evaluator.nest(), constraints, anyPlacement, anyOrder);
}

}  // namespace gridloom::search
