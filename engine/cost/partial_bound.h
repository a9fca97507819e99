// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cost/evaluator.h"

namespace gridloom::cost {

/// An option with the cycles for which its transfers keep each resource busy.
struct OptionLoad {
  const MovementCost* cost = nullptr;
  const double* resourceLoads = nullptr;  ///< cycles over the kernel
  const double* filling = nullptr;        ///< cycles of the first tile of an input
};

/// Number of resources of a candidate, padded for loops that take several at a time.
std::size_t paddedRows(const TiledCandidate& candidate);
/// Written to `rows`, which has twice `paddedRows` entries.
OptionLoad loadOf(const MovementCost& cost, std::span<double> rows);

/// An admissible bound on all candidates with the options of a stack: the recursion of the model
/// (see `Evaluator`) over these options alone, without the terms of whole candidates. Each term
/// grows with every transfer added. The common part of the options on the stack is computed once,
/// when they are pushed: candidates that differ in their last option cost one pass over the
/// resource loads.
class PartialBound {
 public:
  /// Starts an empty stack for combinations of this candidate's options, with its order set.
  void start(const TiledCandidate& candidate, double launch);
  void push(const OptionLoad& option);
  void pop() { m_options.pop_back(); }

  /// Cycles; at most those of any whole combination with the options of the stack.
  double bound() const { return boundWith({}); }
  /// The same with one more option on top.
  double bound(const OptionLoad& option) const { return boundWith(option); }

 private:
  /// Sums over the options of the stack at one level of the recursion.
  struct Level {
    bool any = false;
    /// Dimensions along which cores are synchronised, here and further inside.
    mapping::DimMask inStep = 0;
    double fixed = 0, loads = 0;      ///< what compute waits for: inputs with one buffer
    double stored = 0;                ///< the same for outputs
    double chained = 0;               ///< transfers of one operand back to back
    double busiestChannelCycles = 0;  ///< busiest channel, here and further inside
    double loaded = 0;                ///< most loaded resource, here and further inside
    void add(const MovementCost& option);
  };
  /// Sums over all levels.
  struct Whole {
    double inside = 0;  ///< compute, with the combining of partial results
    double fill = 0, drain = 0;
    void add(const MovementCost& option);
  };

  std::size_t depth() const { return m_options.size(); }
  /// Index of [depth][level].
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
  // Sums over the stack up to each of its options; [0]: empty.
  std::vector<Whole> m_whole;     ///< [depth]
  std::vector<Level> m_levels;    ///< [depth][level]; level 0 is loaded once
  std::vector<double> m_busy;     ///< [depth][level][resource]: cycles, here and further inside
  std::vector<double> m_filling;  ///< [depth][resource]: cycles of the first tiles
};

}  // namespace gridloom::cost
