// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "cost/terms/bursts.h"

namespace gridloom::cost {

/// All cores start at one moment, and a synchronised iteration takes as long as the bytes of all
/// cores. A resource serves one core before the other, so they are apart after the first burst:
/// loads, whose first burst is the fill, lose what the second one takes longer, less a turn of one
/// packet by which cores are apart by then; stores lose one burst more. Transfers of a level whose
/// packets are not served in turns keep their cores synchronised.
struct FirstBursts {
  static constexpr bool kMonotone = false;

  static double afterLevel(WholeCandidate& whole, const LevelNow& now) {
    if (!whole.asks(TermId::FirstBursts)) return 0;
    // Without the overlapped transfers of this level.
    const double inside = now.before / now.iterations;
    double inPhase = 0;
    const FlatCost* slowest = nullptr;
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      if (o.level != now.level || o.overlapped == o.isStore) continue;
      if (!o.isStore && !o.interleaves) continue;
      const double burst = burstWith(whole, o);
      const double together =
          o.start + (o.isStore ? inside + burst : std::max(burst, o.least) + o.after);
      if (together <= inPhase) continue;
      inPhase = together;
      slowest = &o;
    }
    if (!slowest) return 0;
    const double early = slowest->isStore ? 0 : slowest->early();
    return untilApart(inPhase - now.time / now.iterations, now.iterations - early, *slowest);
  }

 private:
  // Cycles lost by at most `bursts` bursts that take `over` longer than the steady state.
  static double untilApart(double over, double bursts, const FlatCost& o) {
    if (over <= 0 || bursts <= 0) return 0;
    if (o.turn <= 0) return over * std::ceil(bursts);
    const double second = std::max(0.0, over - o.turn);
    return o.isStore ? over + (bursts > 1 ? second : 0) : second;
  }
};

}  // namespace gridloom::cost
