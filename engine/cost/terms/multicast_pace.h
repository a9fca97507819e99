// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "cost/terms/bursts.h"

/// A multicast synchronises the cores that it reaches: their own transfers then come as bursts, and
/// its next load waits behind them.
namespace gridloom::cost {

/// A multicast further inside that waits for the bursts of this level, once per iteration: for
/// those of its own cores together, and for those of each other line of cores.
struct BurstStall {
  static constexpr bool kMonotone = false;
  static constexpr Limit kLimit = Limit::Chain;

  static double atLevel(WholeCandidate& whole, const LevelNow& now) {
    const auto& [multicast, own, inside] = whole.pacer;
    if (!multicast || !whole.asks(TermId::BurstStall)) return 0;
    const double slack = std::abs(own - inside);
    const double together = std::max(0.0, delayByBursts(whole, *multicast, now.level) - slack);
    const double apart = delayByLines(whole, *multicast, now.level, slack);
    const double stalled = now.iterations * (together + apart);
    return stalled > 0 ? now.inside + stalled : 0;
  }
};

/// A multicast of this level that its own bursts delay, and that sets the pace of the level. It
/// takes F by itself, and a burst of W starts after the work c of an iteration without it; so the
/// period is P = F + max(0, c + W - P).
struct MulticastPace {
  static constexpr bool kMonotone = false;
  static constexpr Limit kLimit = Limit::Chain;

  static double atLevel(WholeCandidate& whole, const LevelNow& now) {
    double period = 0;
    auto& [pacer, pace, paceInside] = whole.pacer;
    const double inside = now.inside / now.iterations;
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      if (o.level != now.level || !o.loadsAhead() || !o.paces) continue;
      const double own = o.chain(o.alone());
      if (pacer && pace * pacer->issues > own * o.issues) continue;
      const double burst = delayByBursts(whole, o, now.level);
      if (burst > std::abs(own - inside)) period = std::max(period, (own + inside + burst) / 2);
      pacer = &o;
      pace = own;
      paceInside = inside;
    }
    return whole.asks(TermId::MulticastPace) ? now.iterations * period : 0;
  }
};

}  // namespace gridloom::cost
