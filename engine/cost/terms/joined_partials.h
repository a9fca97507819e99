// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/terms/whole_candidate.h"

namespace gridloom::cost {

/// Cores that share the tiles of an input also sum their partial results: the core that finishes a
/// sum releases the tile's buffer last, `joinInStep` cycles after the cores that begin it.
struct JoinedPartials {
  static constexpr bool kMonotone = false;
  static constexpr Limit kLimit = Limit::Chain;

  /// Into two buffers: the tile after the next one comes when both sides are through with this one.
  /// So two periods take a transfer, the work of a core on the tile, and the sums' way along the
  /// cores, without what the finishing core's own work has of it. The first two tiles do not wait.
  static double atLevel(WholeCandidate& whole, const LevelNow& now) {
    double waits = 0;
    if (now.iterations <= 2 || !whole.asks(TermId::JoinedPartials)) return waits;
    for (const LoadedCost& store : whole.transfers()) {
      const FlatCost& output = *store.cost;
      const double way = output.joinInStep - output.work / output.issues;
      if (!output.isStore || way <= 0) continue;
      for (const LoadedCost& movement : whole.transfers()) {
        const FlatCost& o = *movement.cost;
        if (o.level != now.level || !o.loadsAhead() || !isCommon(o, output)) continue;
        waits = std::max(waits, (o.chain(o.alone()) + way - now.inside / now.iterations) / 2);
      }
    }
    // The recursion takes off the last iteration's share.
    const double share = (now.iterations - 2) / (now.iterations - 1);
    return waits > 0 ? now.inside + now.iterations * share * waits : 0;
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
