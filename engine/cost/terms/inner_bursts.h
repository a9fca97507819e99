// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/terms/bursts.h"

namespace gridloom::cost {

/// A multicast whose load shares a memory with what its cores load for themselves further inside.
/// Packets are served in turns, so while cores load tiles of b bytes each, the multicast's own load
/// gets no more than b bytes, however little the others leave idle on average. What is missing then
/// follows without them; and since the core that loads a tile sends it afterwards, the send follows
/// that. With D the time of the load beside an iteration's inner bursts, the period is D + send.
struct InnerBursts {
  static constexpr bool kMonotone = false;
  static constexpr Limit kLimit = Limit::Chain;

  static double atLevel(WholeCandidate& whole, const LevelNow& now) {
    double least = 0;
    if (!whole.asks(TermId::InnerBursts)) return least;
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      if (o.level != now.level || !o.loadsAhead() || !o.paces || !o.interleaves) continue;
      if (o.after > 0 && o.along != 0) least = std::max(least, cyclesOf(whole, o, now));
    }
    return least;
  }

 private:
  static double cyclesOf(WholeCandidate& whole, const FlatCost& o, const LevelNow& now) {
    const double inside = now.inside / o.issues, alone = o.alone();
    const InnerLoads others = burstsInside(whole, o);
    const double let = others.bytes * alone / o.bytes + std::max(0.0, inside - others.cycles);
    const double load = let < alone ? inside + alone - let : inside * alone / let;
    return others.cycles > 0 ? o.issues * o.chain(std::max(alone, load)) : 0;
  }
};

}  // namespace gridloom::cost
