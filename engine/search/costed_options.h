// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cost/evaluator.h"
#include "cost/partial_bound.h"
#include "search/movement_plan.h"

namespace gridloom::search {

/// The transfers of one way to move an operand, and a bound of every candidate that moves it so. What does not even fit
/// into memory by itself has no cost.
struct CostedOption {
  cost::Footprint footprint;
  bool fitsLocal = true, fitsSharedBuffer = true;
  cost::MovementCost cost;
  std::optional<cost::MovementCost>
      sharedBuffer;  ///< the other half of the way, where tiles stay on it
  double bound = 0;
  std::size_t resourceLoads = 0;  ///< where its rows begin, those of `stay` behind them
};

/// Options of one item (a space choice with its blocks), each costed when it is first asked for.
class CostedOptions {
 public:
  explicit CostedOptions(const cost::Evaluator& evaluator) : m_evaluator(evaluator) {}

  /// An item of this skeleton, with these movements.
  void startItem(const cost::TiledCandidate& candidate, const MovementPlan& movements);
  /// The skeleton has the temporal order that options are asked for from now on.
  void startOrder(const cost::TiledCandidate& candidate);

  /// Option `option` of an operand: its number, to be looked up once all are made.
  std::uint32_t input(const cost::TiledCandidate& candidate, std::size_t operand,
                      std::uint32_t option);
  std::uint32_t output(const cost::TiledCandidate& candidate, std::size_t operand,
                       std::uint32_t option);
  /// Way `join` of a meeting of the plan.
  std::uint32_t join(const cost::TiledCandidate& candidate, std::size_t splitAllReduce,
                     std::size_t join);
  std::size_t size() const { return m_made.size(); }
  const CostedOption& operator[](std::uint32_t number) const { return m_made[number]; }
  cost::OptionLoad load(const CostedOption& option) const {
    return at(option.cost, option.resourceLoads);
  }
  cost::OptionLoad sharedBufferLoad(const CostedOption& option) const {
    return at(*option.sharedBuffer, option.resourceLoads + 2 * m_rowCount);
  }
  /// Of the options on a stack with this one, both halves of it, on top.
  double bound(cost::PartialBound& stack, const CostedOption& option) const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  CostedOption& add(std::uint32_t& number, const cost::Footprint& footprint);
  void finish(CostedOption& option);
  void addRows(const cost::MovementCost& cost);
  cost::OptionLoad at(const cost::MovementCost& cost, std::size_t rows) const {
    return {&cost, m_rows.data() + rows, m_rows.data() + rows + m_rowCount};
  }

  const cost::Evaluator& m_evaluator;
  const MovementPlan* m_movements = nullptr;
  std::vector<std::uint32_t> m_inputs, m_outputs;   ///< per option: its number, or none
  std::vector<std::vector<std::uint32_t>> m_joins;  ///< the same per meeting and way to join
  std::vector<CostedOption> m_made;
  std::vector<double> m_rows;  ///< per transfer: all `rows` of an OptionLoad, then `filling`
  std::size_t m_rowCount = 0;
  cost::PartialBound m_alone;
};

}  // namespace gridloom::search
