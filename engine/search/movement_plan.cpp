// SPDX-License-Identifier: Apache-2.0
#include "search/movement_plan.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "mapping/all_reduce.h"

namespace gridloom::search {

using mapping::InputMovement;
using mapping::LoopId;
using mapping::OutputMovement;

namespace {

/// Everything that the cost of an operand's movement depends on, beside tile sizes and space.
template <class Movement> struct Option {
  Movement movement;
  std::size_t operand = 0;
  std::uint64_t outside = 0;  ///< loops outside its transfer
  /// loops outside its transfers into the shared buffers it uses
  std::array<std::uint64_t, hardware::kMostSharedBuffers> outsideShared = {};
  std::size_t order = 0;  ///< its order, where the cost depends on it
  friend bool operator==(const Option&, const Option&) = default;
};

std::size_t bitsOf(const InputMovement& m) {
  return m.along | std::size_t{m.level} << 16 | std::size_t{m.buffers} << 24 |
         static_cast<std::size_t>(m.kind) << 26 | std::size_t{m.first} << 32 |
         static_cast<std::size_t>(m.layout) << 38;
}

std::size_t bitsOf(const OutputMovement& m) {
  std::size_t ways = 0;
  for (const std::uint8_t buffers : m.sharedBuffers) ways = ways << 4 | buffers;
  return static_cast<std::size_t>(m.reduction) | static_cast<std::size_t>(m.gather + 1) << 4 |
         std::size_t{m.buffers} << 12 | static_cast<std::size_t>(m.layout) << 20 | ways << 32;
}

struct HashOption {
  template <class Movement> std::size_t operator()(const Option<Movement>& o) const {
    std::size_t hash = bitsOf(o.movement);
    std::uint64_t shared = 0;
    for (const std::uint64_t outside : o.outsideShared) shared = shared * 31 + outside;
    for (const std::uint64_t part :
         {std::uint64_t{o.operand}, o.outside, shared, std::uint64_t{o.order}}) {
      hash = (hash ^ part) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

/// Assigns one number to each different option.
template <class Movement> class Numbers {
 public:
  explicit Numbers(std::vector<Movement>& movements) : m_movements(movements) {}

  std::uint32_t of(const Option<Movement>& option) {
    const auto next = static_cast<std::uint32_t>(m_movements.size());
    const auto [entry, isNew] = m_known.try_emplace(option, next);
    if (isNew) m_movements.push_back(option.movement);
    return entry->second;
  }

 private:
  std::vector<Movement>& m_movements;
  std::unordered_map<Option<Movement>, std::uint32_t, HashOption> m_known;
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
        m_dependences(dependences),
        m_progress(progress),
        m_canReduce(compute.vectorRate("add") > 0),
        m_forOneOrder(m_nest.hasProduced()) {}

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
    m_outside.assign(1, 0);
    for (const LoopId loop : mapping.order)
      m_outside.push_back(m_outside.back() | std::uint64_t{1} << loop.index());
    OrderPlan plan;
    plan.order = mapping.order;
    plan.firstInput = static_cast<std::uint32_t>(m_plan.inputs.size());
    plan.points = m_joins;
    std::int64_t all = m_joins;
    for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
      std::int64_t tooEarly = 0;
      plan.inputs.push_back(inputs(mapping, i, tooEarly));
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
    for (std::uint32_t option = plan.firstInput; option < m_plan.inputs.size(); ++option) {
      if (isLean(option)) plan.reads.push_back(option);
    }
    m_plan.points = base::saturatingAdd(m_plan.points, plan.points);
    m_plan.tooEarly = base::saturatingAdd(m_plan.tooEarly, plan.tooEarly);
    m_plan.orders.push_back(std::move(plan));
  }

  std::vector<std::uint32_t> inputs(const mapping::Mapping& mapping, std::size_t operand,
                                    std::int64_t& tooEarly) {
    std::vector<std::uint32_t> numbers;
    for (const InputMovement& m :
         inputOptions(m_nest, operand, mapping, m_hw, m_constraints, &m_dependences, &tooEarly)) {
      Option<InputMovement> option{m, operand, m_outside[m.level], {}, orderThatMatters()};
      for (int k = m.nextShared(-1); k >= 0; k = m.nextShared(k)) {
        const auto level = static_cast<std::size_t>(k);
        option.outsideShared[level] =
            m_outside[static_cast<std::size_t>(m.sharedBuffers[level].level)];
      }
      const std::size_t before = m_plan.inputs.size();
      numbers.push_back(m_inputs.of(option));
      if (m_plan.inputs.size() > before) addAlike(option, numbers.back());
    }
    m_plan.inputOf.resize(m_plan.inputs.size(), static_cast<std::uint32_t>(operand));
    return numbers;
  }

  // Notes which options differ in their buffers alone.
  void addAlike(Option<InputMovement> option, std::uint32_t number) {
    option.movement.buffers = 1;
    for (mapping::SharedBufferUse& use : option.movement.sharedBuffers) use.buffers = 1;
    const std::uint32_t group = m_groups.of(option);
    m_alike.resize(m_grouped.size());
    m_alike[group].push_back(number);
    m_groupOf.push_back(group);
  }

  // Whether every option that is alike needs more buffers of some memory.
  bool isLean(std::uint32_t number) const {
    const InputMovement& own = m_plan.inputs[number];
    return std::ranges::none_of(m_alike[m_groupOf[number]], [&](std::uint32_t other) {
      const InputMovement& movement = m_plan.inputs[other];
      bool less = other != number && movement.buffers <= own.buffers;
      for (std::size_t k = 0; k < own.sharedBuffers.size(); ++k)
        less = less && movement.sharedBuffers[k].buffers <= own.sharedBuffers[k].buffers;
      return less;
    });
  }

  std::vector<std::uint32_t> outputs(const mapping::Mapping& mapping, std::size_t operand) {
    const auto level = static_cast<std::size_t>(mapping::outputLevel(m_nest, mapping.order));
    std::vector<std::uint32_t> numbers;
    for (const OutputMovement& m : outputOptions(m_nest, operand, mapping, m_hw, m_constraints)) {
      if (m.reduction != mapping::ReductionTopology::None && !m_canReduce) continue;
      numbers.push_back(m_outputs.of({m, operand, m_outside[level], 0, orderThatMatters()}));
    }
    return numbers;
  }

  // The dependences of operands that the kernel makes depend on the order.
  std::size_t orderThatMatters() const { return m_forOneOrder ? m_plan.orders.size() : 0; }

  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  const hardware::ComputeModel& m_compute;
  const mapping::Constraints& m_constraints;
  const mapping::TileDependences& m_dependences;
  const base::Progress& m_progress;
  bool m_canReduce, m_forOneOrder;
  std::int64_t m_joins = 1;  ///< number of combinations of all-reduce topologies
  MovementPlan m_plan;
  Numbers<InputMovement> m_inputs{m_plan.inputs};
  Numbers<OutputMovement> m_outputs{m_plan.outputs};
  std::vector<InputMovement> m_grouped;  ///< one of each group of options that are alike
  Numbers<InputMovement> m_groups{m_grouped};
  std::vector<std::vector<std::uint32_t>> m_alike;  ///< per group: its options
  std::vector<std::uint32_t> m_groupOf;             ///< per option of an input
  std::vector<std::uint64_t> m_outside;  ///< per number of temporal loops: the set of the outermost
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
