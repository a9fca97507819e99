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

/// Cost of one movement of an operand, and a bound of every candidate with it. An option that does
/// not fit into memory by itself has no cost.
struct CostedOption {
  cost::Footprint footprint;
  bool fitsLocal = true;
  int overfull = kNone;  ///< the first shared buffer that is too small for it
  bool fits() const { return fitsLocal && overfull == kNone; }
  static constexpr int kNone = -1;
  cost::FlatCost cost;
  /// Where tiles go through shared buffers: number of further stages, and the first of them.
  std::uint32_t stages = 0, firstStage = 0;
  cost::HeldTiles held;
  double bound = 0;
  MemoryTime memory;
  /// index of its resource loads in `m_rows`; those of the further stages follow
  std::size_t resourceLoads = 0;
};

/// Options of one item (a space choice with its tile sizes), each costed on first use.
class CostedOptions {
 public:
  explicit CostedOptions(const cost::Evaluator& evaluator) : m_evaluator(evaluator) {}

  /// Starts an item: a candidate with its movements.
  void startItem(const cost::TiledCandidate& candidate, const MovementPlan& movements);
  /// The candidate has the temporal order that later calls refer to.
  void startOrder(const cost::TiledCandidate& candidate);

  /// Returns the number of option `option` of an operand; look it up only after all options are
  /// made.
  std::uint32_t input(const cost::TiledCandidate& candidate, std::size_t operand,
                      std::uint32_t option);
  std::uint32_t output(const cost::TiledCandidate& candidate, std::size_t operand,
                       std::uint32_t option);
  /// The same for reduction topology `join` of an all-reduce of the plan.
  std::uint32_t join(const cost::TiledCandidate& candidate, std::size_t splitAllReduce,
                     std::size_t join);
  std::size_t size() const { return m_made.size(); }
  const CostedOption& operator[](std::uint32_t number) const { return m_made[number]; }
  cost::LoadedCost load(const CostedOption& option) const {
    return at(option.cost, option.resourceLoads);
  }
  /// Of a further stage, from 0.
  cost::LoadedCost stageLoad(const CostedOption& option, std::size_t stage) const {
    return at(m_stages[option.firstStage + stage],
              option.resourceLoads + 2 * m_rowCount * (stage + 1));
  }
  /// Bound of the options on a stack with all stages of this one on top. Above `enough`, it may be
  /// any number between the two.
  double bound(cost::Recursion& stack, const CostedOption& option,
               double enough = std::numeric_limits<double>::infinity()) const {
    return option.stages == 0 ? stack.bound(load(option), enough)
                              : boundOfStages(stack, option, enough);
  }

 private:
  double boundOfStages(cost::Recursion& stack, const CostedOption& option, double enough) const;
  static constexpr std::uint32_t kNone = 0xffffffff;
  CostedOption& add(std::uint32_t& number, const cost::Footprint& footprint);
  void finish(CostedOption& option, std::span<const cost::MovementCost> stages);
  template <class Movement>
  std::uint32_t made(const cost::TiledCandidate& candidate, std::size_t operand,
                     const Movement& movement, std::uint32_t& number,
                     cost::MovementCost (cost::Evaluator::*costOf)(const cost::TiledCandidate&,
                                                                   std::size_t, const Movement&)
                         const);
  void addRows(const cost::FlatCost& cost);
  cost::LoadedCost at(const cost::FlatCost& cost, std::size_t rows) const {
    return {&cost, m_rows.data() + rows, m_rows.data() + rows + m_rowCount};
  }

  const cost::Evaluator& m_evaluator;
  const MovementPlan* m_movements = nullptr;
  std::vector<std::uint32_t> m_inputs, m_outputs;   ///< per option: its number, or none
  std::vector<std::vector<std::uint32_t>> m_joins;  ///< the same per all-reduce and topology
  std::vector<CostedOption> m_made;
  std::vector<cost::FlatCost> m_stages;  ///< further stages of all options
  /// per transfer: the resource loads of a LoadedCost, then `filling`
  std::vector<double> m_rows;
  std::size_t m_rowCount = 0;
  cost::Recursion m_alone;
};

}  // namespace gridloom::search
