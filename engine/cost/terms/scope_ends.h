// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "cost/term_set.h"
#include "cost/terms/dma_load.h"
#include "cost/terms/first_tiles.h"
#include "cost/terms/whole_candidate.h"

namespace gridloom::cost {

/// What follows the last product of a scope, once for many iterations: epilogue and reduction.

/// An input of the epilogue alone may arrive while the products of the first scope are computed;
/// where it arrives later, the epilogue waits.
struct LateInputs {
  static constexpr bool kMonotone = false;

  /// Cycles of the fill with that wait. `within`: of all iterations.
  static double fill(WholeCandidate& whole, double within) {
    double arrival = 0;
    if (!whole.asks(TermId::LateInputs)) return arrival;
    for (const LoadedCost& movement : whole.transfers()) {
      if (movement.cost->late) arrival = std::max(arrival, movement.cost->first);
    }
    if (arrival <= 0) return 0;
    arrival = std::max(arrival, DmaLoad::firstTiles(whole).late);
    const auto isLate = [](const FlatCost& o) { return o.late; };
    arrival = std::max(arrival, FirstTiles::arrivals(whole, isLate));
    const int scope = whole.candidate().outputLevel;
    const double all = scope > 0 ? whole.ended(scope) : within;
    return arrival - (all - whole.candidate().compute.epilogue) / whole.iterations(scope);
  }
};

/// Where a scope's loads take longer than its products, its end is not hidden behind them: while
/// compute works on it, only the tiles of the next scope for which there are buffers arrive. Of the
/// last scope, no tile follows.
struct ScopeEnds {
  static constexpr bool kMonotone = false;

  static double afterLevel(WholeCandidate& whole, const LevelNow& now) {
    const int scope = whole.candidate().outputLevel;
    if (now.level <= scope || whole.scopeEnded || !whole.asks(TermId::ScopeEnds)) return 0;
    const double scopes = whole.iterations(scope);
    const double end = cyclesOfEnds(whole) / scopes;
    const double product = now.inside / now.iterations - end * scopes / now.iterations;
    const double load = now.moved / now.iterations;
    if (end <= 0 || now.iterations <= scopes || load <= product) return 0;
    whole.scopeEnded = true;
    const double arrives = kSlots * (load - product);
    const double cycles = (now.iterations - 1) * load + product + end +
                          (scopes - 1) * std::max(0.0, end - arrives);
    const double credit = (now.time - now.inside) / now.iterations;
    return std::max(0.0, cycles - (now.time - credit));
  }

 private:
  static constexpr double kSlots = 2;  ///< buffers of an input that loads ahead

  static double cyclesOfEnds(const WholeCandidate& whole) {
    double cycles = whole.candidate().compute.epilogue;
    for (const LoadedCost& movement : whole.transfers()) {
      if (movement.cost->isStore) cycles += movement.cost->work;
    }
    return cycles;
  }
};

}  // namespace gridloom::cost
