// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cost/evaluator.h"
#include "cost/recursion.h"
#include "search/memory_time.h"
#include "search/movement_plan.h"

namespace gridloom::search {

/// Bytes of one movement of an operand. Once it is costed, also its cost and a bound of every
/// candidate with it.
struct CostedOption {
  enum class Of : std::uint8_t { Input, Output, AllReduce };
  Of of = Of::Input;
  std::uint32_t operand = 0, choice = 0;  ///< which input, output or split all-reduce, and how
  cost::Footprint footprint;
  int overfull = kNone;  ///< the first shared buffer that is too small for it
  static constexpr int kNone = -1;
  /// Index of its cost in `m_costs`, and the number of further stages where tiles go through shared
  /// buffers; their costs follow.
  std::uint32_t cost = kNotCosted, stages = 0;
  static constexpr std::uint32_t kNotCosted = 0xffffffff;
  cost::HeldTiles held;
  double bound = 0;
  double apart = 0;  ///< the largest FlatCost::apart of its loads
  MemoryTime memory;
  double read = kNotCosted;  ///< cycles of its reads of global memory, once they are asked for
};

/// Options of one item (a space choice with its tile sizes). The bytes of each are counted on first
/// use. Costs are asked for apart: most options of a large space do not fit into memory.
class CostedOptions {
 public:
  explicit CostedOptions(const cost::Evaluator& evaluator) : m_evaluator(evaluator) {}

  /// Starts an item: a candidate with its movements.
  void startItem(const cost::TiledCandidate& candidate, const MovementPlan& movements);
  /// The candidate has the temporal order that later calls refer to.
  void startOrder(const cost::TiledCandidate& candidate);

  /// Returns the number of option `option` of an operand; look it up only after all options are
  /// made.
  std::uint32_t input(const cost::TiledCandidate& candidate, std::uint32_t operand,
                      std::uint32_t option);
  std::uint32_t output(const cost::TiledCandidate& candidate, std::uint32_t operand,
                       std::uint32_t option);
  /// The same for reduction topology `join` of an all-reduce of the plan.
  std::uint32_t join(const cost::TiledCandidate& candidate, std::uint32_t splitAllReduce,
                     std::uint32_t join);
  /// Costs an option of the order, unless it is costed. Look up loads only after all costs.
  void cost(const cost::TiledCandidate& candidate, std::uint32_t number);

  bool isCosted(std::uint32_t number) const {
    return m_made[number].cost != CostedOption::kNotCosted;
  }
  /// Cycles for which all channels of global memory read for an option; 0 where only its cost says
  /// so. Takes a small part of the time of a cost.
  double readTime(const cost::TiledCandidate& candidate, std::uint32_t number);

  std::size_t size() const { return m_made.size(); }
  /// Number of costs so far, of all stages.
  std::size_t costs() const { return m_costs.size(); }
  const CostedOption& operator[](std::uint32_t number) const { return m_made[number]; }
  cost::LoadedCost load(const CostedOption& option) const { return at(option.cost); }
  /// Of a further stage, from 0.
  cost::LoadedCost stageLoad(const CostedOption& option, std::size_t stage) const {
    return at(option.cost + 1 + stage);
  }
  /// Bound of the options on a stack with all stages of this one on top, as Recursion::bound.
  double bound(cost::Recursion& stack, const CostedOption& option,
               double enough = std::numeric_limits<double>::infinity(),
               double laterApart = std::numeric_limits<double>::infinity()) const {
    return option.stages == 0 ? stack.bound(load(option), enough, laterApart)
                              : boundOfStages(stack, option, enough, laterApart);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  double boundOfStages(cost::Recursion& stack, const CostedOption& option, double enough,
                       double laterApart) const;
  /// The number of an option, which gets one on first use.
  template <class FootprintOf>
  std::uint32_t known(std::uint32_t& number, CostedOption::Of of, std::uint32_t operand,
                      std::uint32_t choice, const FootprintOf& footprint);
  template <class Movement>
  void costMovement(const cost::TiledCandidate& candidate, CostedOption& option,
                    const Movement& movement,
                    cost::MovementCost (cost::Evaluator::*costOf)(const cost::TiledCandidate&,
                                                                  std::size_t, const Movement&)
                        const);
  void finish(CostedOption& option, std::span<const cost::MovementCost> stages);
  void addCost(const cost::MovementCost& stage);
  cost::LoadedCost at(std::size_t cost) const {
    const double* rows = m_rows.data() + 2 * m_rowCount * cost;
    return {&m_costs[cost], rows, rows + m_rowCount};
  }

  const cost::Evaluator& m_evaluator;
  const MovementPlan* m_movements = nullptr;
  std::vector<std::uint32_t> m_inputs, m_outputs;   ///< per option: its number, or none
  std::vector<std::vector<std::uint32_t>> m_joins;  ///< the same per all-reduce and topology
  std::vector<CostedOption> m_made;
  std::vector<cost::FlatCost> m_costs;  ///< of all stages of the options that are costed
  /// per cost: the resource loads of a LoadedCost, then those of `once`
  std::vector<double> m_rows;
  std::size_t m_rowCount = 0;
  cost::Recursion m_alone;
};

}  // namespace gridloom::search
