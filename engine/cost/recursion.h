// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "cost/movement_cost.h"
#include "cost/term_list.h"

namespace gridloom::cost {

struct TiledCandidate;

/// Sums over the movements of one level of the recursion. Entries only grow as movements are added.
struct LevelSums {
  bool any = false;
  /// Dimensions along which cores are synchronised, here and further inside: in every transfer of
  /// the level they receive a common tile at least once, or reduce together.
  mapping::DimMask inStep = 0;
  /// Dimensions along which cores start each tile of an output together, since they sum its partial
  /// results, at any level. Between them `lockstep` loads stay synchronised.
  mapping::DimMask inScope = 0;
  mapping::DimMask contends = 0;  ///< of the level's movements
  /// What compute waits for: `fixed` plus `loads`. A core's single buffers are refilled at the same
  /// moment, so their loads share the path into its memory.
  double fixed = 0, loads = 0;
  double storedFixed = 0, stored = 0;  ///< the same for outputs
  double chained = 0;                  ///< transfers of one operand back to back
  double loaded = 0;                   ///< cycles of the busiest resource, from here inwards

  /// Adds what a movement takes at its level, apart from loads of resources and channels.
  void add(const FlatCost& cost);
};

/// Sums over all movements.
struct WholeSums {
  double work = 0;  ///< compute, with reductions and all-reduces
  double fill = 0, drain = 0;
  double apart = 0;  ///< the largest FlatCost::apart of the loads
  double lone = 0;   ///< the drain of the slowest store where cores store one after the other
  int stores = 0;
};

/// One level as its terms see it, in cycles over the whole kernel.
struct LevelNow {
  int level = 0;
  double iterations = 1;
  double before = 0;  ///< everything further inside
  double inside = 0;  ///< with what compute waits for at this level
  double time = 0;    ///< the largest of the terms so far, at least `inside`
  double moved = 0;   ///< the largest of the terms so far
  Limit limit = Limit::Inside;
  const LevelSums& sums;
  const double* busy;  ///< per resource, here and further inside; none with a movement on top
};

/// Observes nothing; bounds and ranking use it.
struct SilentObserver {
  void waited(double) {}
  void excess(double, Limit, const double*) {}
  void level(const LevelNow&, double) {}
  void fill(double) {}
  void drain(double) {}
};

/// The recursion of the model (see `Evaluator`) over a stack of movements. Everything that depends
/// on the movements of the stack alone is computed once, when they are pushed: candidates that
/// differ in their last movement cost one pass over the resource loads.
///
/// `cycles` turns the sums of all levels into cycles with a list of terms: the monotone ones give
/// an admissible bound on all candidates with the movements of the stack, all of them the cycles of
/// a whole candidate, and with an observer its explanation.
class Recursion {
 public:
  /// Starts an empty stack for combinations of this candidate's movements, with its order set.
  void start(const TiledCandidate& candidate, double launch);
  void push(const LoadedCost& movement);
  void pop() { m_stack.pop_back(); }

  /// Cycles; at most those of any whole candidate with the movements of the stack, and with `last`
  /// on top. Above `enough`, it may be any number between the two. `laterApart`: the largest
  /// FlatCost::apart of the loads that may follow.
  double bound(const LoadedCost& last = {}, double enough = std::numeric_limits<double>::infinity(),
               double laterApart = std::numeric_limits<double>::infinity()) const;

  /// `last` may be on top of the stack. `context`: what the terms read. Above `enough`, the result
  /// may be any number between the two, and observers do not see everything. Defined in
  /// cost/recurse.h.
  template <class Terms, class Context, class Observer>
  double cycles(const LoadedCost& last, Context& context, Observer& observer,
                double enough = std::numeric_limits<double>::infinity()) const;

  /// Work of all movements and compute that the innermost iterations share.
  double compute() const { return m_whole[0].work; }

 private:
  std::size_t depth() const { return m_stack.size(); }
  /// Index of [depth][level].
  std::size_t at(std::size_t depth, std::size_t level) const {
    return depth * m_share.size() + level;
  }
  static void add(const FlatCost& cost, WholeSums& sums) {
    sums.work += cost.work;
    if (!cost.late) sums.fill = std::max(sums.fill, cost.first);
    sums.drain = std::max(sums.drain, cost.drain);
    sums.lone = std::max(sums.lone, cost.drain - cost.crowded);
    if (cost.isStore) {
      ++sums.stores;
    } else {
      sums.apart = std::max(sums.apart, cost.apart());
    }
  }
  /// Adds fill and drain to the cycles `within` the levels; no less than what the busiest resource
  /// is `loaded`.
  template <class Terms, class Context, class Observer>
  double endsAfter(double within, const WholeSums& whole, double loaded, Context& context,
                   Observer& observer, double enough) const;
  /// The rows of first and last tiles with this movement on top.
  void fillWith(const LoadedCost& movement);
  void drainWith(const LoadedCost& movement);
  double drainOf(const LoadedCost& store, const double* draining) const;
  void joinSteps(LevelSums& sums, int level, const FlatCost& joined) const;
  template <class Terms, class Context, class Observer>
  static double endLevel(const LevelNow& now, Context& context, Observer& observer);
  double workWith(const LoadedCost& last) const;
  WholeSums wholeWith(const LoadedCost& last) const;
  LevelSums levelWith(std::size_t level, const LoadedCost& last) const;

  double m_launch = 0;
  std::size_t m_rows = 0;
  std::vector<double> m_share;  ///< [level]: of one iteration
  std::vector<const FlatCost*> m_stack;
  // Sums over the stack up to each of its movements; [0]: empty.
  std::vector<WholeSums> m_whole;   ///< [depth]
  std::vector<LevelSums> m_levels;  ///< [depth][level]; level 0 is loaded once
  std::vector<double> m_busy;       ///< [depth][level][resource]: cycles, here and further inside
  std::vector<double> m_filling;    ///< [depth][resource]: cycles of the first tiles
  std::vector<double> m_draining;   ///< [depth][resource]: of the last tiles, from the first store
};

}  // namespace gridloom::cost
