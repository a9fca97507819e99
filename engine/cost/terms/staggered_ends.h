// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "cost/term_set.h"
#include "cost/terms/whole_candidate.h"

namespace gridloom::cost {

/// Cores whose first tiles come one after the other end one after the other, too: the last tiles of
/// outputs then leave over as long a time, and share the way to memory with fewer. While compute
/// decides, cores stay as far apart as they began, but no farther than the buffers of tiles that
/// they share allow. Where transfers decide, those of a level, one by one, keep cores apart.
struct StaggeredEnds {
  static constexpr bool kMonotone = false;

  static void endLevel(WholeCandidate& whole, const LevelNow& now, double time) {
    if (!whole.asks(TermId::StaggeredEnds)) return;
    const FlatCost* slowest = slowestOf(whole);
    if (slowest == nullptr) return;
    double least = whole.apart, byTransfers = 0;
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      if (o.level != now.level) continue;
      byTransfers = std::max(byTransfers, o.apart());
      if (o.along != 0 && (slowest->pattern->loaders & ~now.sums.inStep) == 0)
        least = std::min(least, o.overlapped ? time / now.iterations : 0);
    }
    whole.apart = now.moved > now.inside ? std::min(least, byTransfers) : least;
  }

  /// Cycles between the first and the last core to end.
  static double apart(WholeCandidate& whole) {
    if (!whole.asks(TermId::StaggeredEnds)) return 0;
    const FlatCost* slowest = slowestOf(whole);
    return slowest == nullptr ? 0 : std::min(whole.apart, slowest->apart());
  }

 private:
  // The load whose first tile comes last.
  static const FlatCost* slowestOf(const WholeCandidate& whole) {
    const FlatCost* slowest = nullptr;
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      if (o.isStore || o.late || o.first <= 0) continue;
      if (slowest == nullptr || o.first > slowest->first) slowest = &o;
    }
    return slowest;
  }
};

}  // namespace gridloom::cost
