// SPDX-License-Identifier: Apache-2.0
#include "search/movement_plan.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "mapping/all_reduce.h"
#include "search/input_lists.h"

namespace gridloom::search {

using mapping::LoopId;
using mapping::OutputMovement;

namespace {

/// Everything that the cost of an output's movement depends on, beside tile sizes and space.
struct Option {
  OutputMovement movement;
  std::size_t operand = 0;
  std::uint64_t outside = 0;  ///< loops outside its transfer
  std::size_t order = 0;      ///< its order, where the cost depends on it
  friend bool operator==(const Option&, const Option&) = default;
};

std::size_t bitsOf(const OutputMovement& m) {
  std::size_t ways = 0;
  for (const std::uint8_t buffers : m.sharedBuffers) ways = ways << 4 | buffers;
  return static_cast<std::size_t>(m.reduction) | static_cast<std::size_t>(m.gather + 1) << 4 |
         std::size_t{m.buffers} << 12 | static_cast<std::size_t>(m.layout) << 20 | ways << 32;
}

struct HashOption {
  std::size_t operator()(const Option& o) const {
    std::size_t hash = bitsOf(o.movement);
    for (const std::uint64_t part : {std::uint64_t{o.operand}, o.outside, std::uint64_t{o.order}}) {
      hash = (hash ^ part) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

class Planner {
 public:
  Planner(const cost::Evaluator& evaluator, const hardware::ComputeModel& compute,
          const mapping::Constraints& constraints, const mapping::TileDependences& dependences,
          const base::Progress& progress)
      : m_nest(evaluator.nest()),
        m_hw(evaluator.hardware()),
        m_compute(compute),
        m_constraints(constraints),
        m_progress(progress),
        m_canReduce(compute.vectorRate("add") > 0),
        m_forOneOrder(m_nest.hasProduced()),
        m_inputs(m_nest, m_hw, m_constraints, dependences, m_forOneOrder, m_plan) {}

  MovementPlan run(mapping::Mapping mapping, const mapping::Tiling& tiling) {
    addAllReduces(mapping);
    for (auto& order : ordersOf(m_nest, tiling, m_constraints)) {
      if (m_progress.cancelled()) break;
      mapping.order = std::move(order);
      addOrder(mapping);
    }
    return std::move(m_plan);
  }

 private:
  // Adds the topologies of all-reduces. `canJoin` is false where directives leave none.
  void addAllReduces(const mapping::Mapping& mapping) {
    const std::vector<std::size_t> met = mapping::splitAllReduces(m_nest, mapping);
    for (std::size_t r = 0; r < m_nest.allReduces.size(); ++r) {
      auto joins = allReduceOptions(m_nest, r, mapping, m_constraints);
      const bool performed = std::ranges::all_of(m_nest.allReduces[r].ops, [&](const auto& op) {
        return m_compute.vectorRate(kernel::nameOf(op.fn)) > 0;
      });
      const bool isAllReduce = std::ranges::find(met, r) != met.end();
      if (isAllReduce && !performed) joins.clear();
      m_plan.canJoin.push_back(!joins.empty());
      m_joins *= static_cast<std::int64_t>(joins.size());
      if (isAllReduce) m_plan.splitAllReduces.push_back({r, std::move(joins)});
    }
  }

  void addOrder(const mapping::Mapping& mapping) {
    m_inputs.startOrder(mapping);
    OrderPlan plan;
    plan.order = mapping.order;
    plan.firstInput = static_cast<std::uint32_t>(m_plan.inputs.size());
    plan.points = m_joins;
    std::int64_t all = m_joins;
    for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
      std::int64_t tooEarly = 0;
      plan.inputs.push_back(m_inputs.of(mapping, i, tooEarly, plan.reads));
      const auto options = static_cast<std::int64_t>(plan.inputs.back().size());
      all = base::saturatingMul(all, options + tooEarly);
      plan.points = base::saturatingMul(plan.points, options);
    }
    for (std::size_t i = 0; i < m_nest.outputs.size(); ++i) {
      plan.outputs.push_back(outputs(mapping, i));
      const auto options = static_cast<std::int64_t>(plan.outputs.back().size());
      all = base::saturatingMul(all, options);
      plan.points = base::saturatingMul(plan.points, options);
    }
    plan.tooEarly = all - plan.points;
    m_plan.points = base::saturatingAdd(m_plan.points, plan.points);
    m_plan.tooEarly = base::saturatingAdd(m_plan.tooEarly, plan.tooEarly);
    m_plan.orders.push_back(std::move(plan));
  }

  std::vector<std::uint32_t> outputs(const mapping::Mapping& mapping, std::size_t operand) {
    const auto level = static_cast<std::size_t>(mapping::outputLevel(m_nest, mapping.order));
    std::uint64_t outside = 0;
    for (const LoopId loop : std::span(mapping.order).first(level))
      outside |= std::uint64_t{1} << loop.index();
    std::vector<std::uint32_t> numbers;
    for (const OutputMovement& m : outputOptions(m_nest, operand, mapping, m_hw, m_constraints)) {
      if (m.reduction != mapping::ReductionTopology::None && !m_canReduce) continue;
      numbers.push_back(numberOf({m, operand, outside, orderThatMatters()}));
    }
    return numbers;
  }

  // One number for each different option.
  std::uint32_t numberOf(const Option& option) {
    const auto next = static_cast<std::uint32_t>(m_plan.outputs.size());
    const auto [entry, isNew] = m_outputs.try_emplace(option, next);
    if (isNew) m_plan.outputs.push_back(option.movement);
    return entry->second;
  }

  // The dependences of operands that the kernel makes depend on the order.
  std::size_t orderThatMatters() const { return m_forOneOrder ? m_plan.orders.size() : 0; }

  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  const hardware::ComputeModel& m_compute;
  const mapping::Constraints& m_constraints;
  const base::Progress& m_progress;
  bool m_canReduce, m_forOneOrder;
  std::int64_t m_joins = 1;  ///< number of combinations of all-reduce topologies
  MovementPlan m_plan;
  InputLists m_inputs;
  std::unordered_map<Option, std::uint32_t, HashOption> m_outputs;
};

}  // namespace

MovementPlan planMovements(const cost::Evaluator& evaluator, mapping::Mapping mapping,
                           const mapping::Tiling& tiling, const hardware::ComputeModel& compute,
                           const mapping::Constraints& constraints,
                           const mapping::TileDependences& dependences,
                           const base::Progress& progress) {
  return Planner(evaluator, compute, constraints, dependences, progress)
      .run(std::move(mapping), tiling);
}

}  // namespace gridloom::search
