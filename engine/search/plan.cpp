// SPDX-License-Identifier: Apache-2.0
#include "search/plan.h"

namespace gridloom::search {

using mapping::LoopId;
using mapping::Mapping;
using mapping::Tiling;

namespace {

// Which loops have more than one trip: with the space, all that orders and movements depend on.
std::uint64_t tripMask(const Tiling& tiling) {
  std::uint64_t mask = 0;
  for (std::size_t l = 0; l < tiling.loops.size(); ++l) {
    if (tiling.loops[l].trips > 1) mask |= std::uint64_t{1} << l;
  }
  return mask;
}

MovementPlan planMovements(const cost::Evaluator& evaluator, Mapping mapping, const Tiling& tiling,
                           const mapping::Constraints& constraints) {
  const kernel::TileNest& nest = evaluator.nest();
  MovementPlan plan;
  for (auto& order : ordersOf(nest, tiling, constraints)) {
    mapping.order = order;
    OrderPlan orderPlan;
    orderPlan.order = std::move(order);
    orderPlan.points = 1;
    for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
      orderPlan.inputs.push_back(inputOptions(nest, i, mapping, evaluator.hardware(), constraints));
      orderPlan.points *= static_cast<std::int64_t>(orderPlan.inputs.back().size());
    }
    for (std::size_t i = 0; i < nest.outputs.size(); ++i) {
      orderPlan.outputs.push_back(
          outputOptions(nest, i, mapping, evaluator.hardware(), constraints));
      orderPlan.points *= static_cast<std::int64_t>(orderPlan.outputs.back().size());
    }
    plan.points += orderPlan.points;
    plan.orders.push_back(std::move(orderPlan));
  }
  return plan;
}

}  // namespace

Mapping Plan::mappingOf(const Item& item) const {
  Mapping m;
  std::uint64_t rest = item.blocks;
  for (const auto& sizes : axes.blocks) {
    m.block.push_back(sizes[rest % sizes.size()]);
    rest /= sizes.size();
  }
  m.space = axes.spaces[item.space].space;
  m.dimOrder = axes.spaces[item.space].dimOrder;
  return m;
}

Plan makePlan(const kernel::Kernel& kernel, const cost::Evaluator& evaluator,
              const hardware::ComputeModel& compute, const mapping::Constraints& constraints,
              const base::Progress& progress) {
  Plan plan;
  plan.axes = makeAxes(kernel, evaluator.nest(), evaluator.hardware(), compute.matrixShape,
                       compute.vectorLanes, constraints);
  std::uint64_t blockCount = 1;
  for (const auto& sizes : plan.axes.blocks) blockCount *= sizes.size();
  const double launch = evaluator.hardware().launch();
  for (std::uint32_t space = 0; space < plan.axes.spaces.size(); ++space) {
    for (std::uint64_t blocks = 0; blocks < blockCount; ++blocks) {
      if ((blocks & 1023) == 0 && progress.cancelled()) return plan;
      Item item{space, blocks, nullptr, 0};
      const Mapping mapping = plan.mappingOf(item);
      const Tiling tiling = tilingOf(mapping, kernel, evaluator.hardware());
      if (isRedundant(mapping, tiling, evaluator.hardware())) continue;
      const auto key = std::pair{space, tripMask(tiling)};
      auto at = plan.movements.find(key);
      if (at == plan.movements.end()) {
        at = plan.movements.emplace(key, planMovements(evaluator, mapping, tiling, constraints))
                 .first;
      }
      item.movements = &at->second;
      if (item.movements->points == 0) continue;
      item.bound = launch + cost::computeTime(evaluator.nest(), tiling, compute).total();
      plan.size += item.movements->points;
      plan.items.push_back(item);
    }
  }
  return plan;
}

}  // namespace gridloom::search
