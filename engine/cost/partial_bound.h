// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cost/evaluator.h"

namespace gridloom::cost {

/// An option's transfers, and for how many cycles each row is busy with them.
struct OptionLoad {
  const MovementCost* cost = nullptr;
  const double* resourceLoads = nullptr;  ///< over the kernel
  const double* filling = nullptr;        ///< with the first tile of an input
};

/// Rows of a skeleton's options here: loops take several at a time, and the last ones may be idle.
std::size_t paddedRows(const TiledCandidate& candidate);
/// Written to `rows`, twice as many as `paddedRows`.
OptionLoad loadOf(const MovementCost& cost, std::span<double> rows);

/// A bound of all candidates that have the options of a stack: the recursion of the model (see `Evaluator`) over these
/// alone, without what only a whole candidate is asked. Each term grows with every transfer added. What the options on
/// the stack have in common is worked out once, when they are put there: candidates that differ in their last option
/// cost one pass over the rows.
class PartialBound {
 public:
  /// An empty stack for combinations of this skeleton's options, with its order set.
  void start(const TiledCandidate& candidate, double launch);
  void push(const OptionLoad& option);
  void pop() { m_options.pop_back(); }

  /// Cycles; not more than those of any whole combination with the options of the stack.
  double bound() const { return boundWith({}); }
  /// The same with an option on top.
  double bound(const OptionLoad& option) const { return boundWith(option); }

 private:
  /// What the options of the stack want at one level of the recursion.
  struct Level {
    bool any = false;
    /// Dimensions along which cores keep step, here and further inside.
    mapping::DimMask inStep = 0;
    double fixed = 0, loads = 0;      ///< what compute waits for: inputs with one buffer
    double stored = 0;                ///< and outputs
    double chained = 0;               ///< transfers of one operand back to back
    double busiestChannelCycles = 0;  ///< busiest channel, here and further inside
    double loaded = 0;                ///< most loaded row, here and further inside
    void add(const MovementCost& option);
  };
  /// What they want of the whole.
  struct Whole {
    double inside = 0;  ///< compute, with what joins partial results
    double fill = 0, drain = 0;
    void add(const MovementCost& option);
  };

  std::size_t depth() const { return m_options.size(); }
  /// At [depth][level].
  std::size_t layout(std::size_t depth, std::size_t level) const {
    return depth * m_share.size() + level;
  }
  const double* filling() const { return m_filling.data() + depth() * m_rows; }
  void joinSteps(Level& at, int level, mapping::DimMask along) const;
  double boundWith(const OptionLoad& last) const;

  const TiledCandidate* m_candidate = nullptr;
  double m_launch = 0;
  std::size_t m_rows = 0;
  std::vector<double> m_share;  ///< [level]: of one iteration
  std::vector<const MovementCost*> m_options;
  // Of the stack up to each of its options; [0]: empty.
  std::vector<Whole> m_whole;     ///< [depth]
  std::vector<Level> m_levels;    ///< [depth][level]; level 0 is loaded once
  std::vector<double> m_busy;     ///< [depth][level][row]: cycles, here and further inside
  std::vector<double> m_filling;  ///< [depth][row]: cycles of the first tiles
};

}  // namespace gridloom::cost
