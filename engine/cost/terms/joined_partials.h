// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/terms/whole_candidate.h"

namespace gridloom::cost {

/// Cores that share the tiles of an input also sum their partial results: the core that finishes a
/// sum releases the tile's buffer last, `joinInStep` cycles after the cores that begin it.
struct JoinedPartials {
  static constexpr bool kMonotone = false;
  static constexpr Limit kLimit = Limit::Chain;

  /// Into two buffers: the tile after the next one comes when both sides are through with this one,
  /// so two periods take a transfer, the work of a core on the tile, and the sums' way along the
  /// cores.
  static double atLevel(WholeCandidate& whole, const LevelNow& now) {
    double least = 0;
    if (!whole.asks(TermId::JoinedPartials)) return least;
    for (const LoadedCost& store : whole.transfers()) {
      const FlatCost& output = *store.cost;
      if (!output.isStore || output.joinInStep <= 0) continue;
      for (const LoadedCost& movement : whole.transfers()) {
        const FlatCost& o = *movement.cost;
        if (o.level != now.level || !o.loadsAhead() || !isCommon(o, output)) continue;
        const double around = o.chain(o.alone()) + output.joinInStep;
        least = std::max(least, (now.iterations * around + now.inside) / 2);
      }
    }
    return least;
  }

  /// Into one buffer: all cores wait for the core that finishes the previous sum.
  static double afterLevels(WholeCandidate& whole) {
    double cycles = 0;
    if (!whole.asks(TermId::JoinedPartials)) return cycles;
    for (const LoadedCost& store : whole.transfers()) {
      const FlatCost& output = *store.cost;
      if (!output.isStore || output.joinInStep <= 0) continue;
      double times = 0;
      for (const LoadedCost& movement : whole.transfers()) {
        const FlatCost& o = *movement.cost;
        if (!o.overlapped && isCommon(o, output)) times = std::max(times, o.issues - 1);
      }
      cycles += times * output.joinInStep;
    }
    return cycles;
  }

 private:
  static bool isCommon(const FlatCost& o, const FlatCost& output) {
    return !o.isStore && (o.along & output.split) != 0 && o.level > 0 && o.level <= output.level;
  }
};

}  // namespace gridloom::cost
