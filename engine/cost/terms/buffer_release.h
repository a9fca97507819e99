// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/terms/whole_candidate.h"

namespace gridloom::cost {

/// A tile's single buffer in the shared buffer delays the transfers that read it: it is released
/// when the last of them has ended, while the cores still compute on the contents of their own
/// buffers.
struct BufferRelease {
  static constexpr bool kMonotone = false;
  static constexpr Limit kLimit = Limit::Chain;

  static double atLevel(WholeCandidate& whole, const LevelNow& now) {
    double emptied = 0;
    if (!whole.asks(TermId::BufferRelease)) return 0;
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      if (o.level != now.level || !o.loadsAhead() || o.feed.level == Load::Feed::kNone) continue;
      const double slack = std::max(0.0, whole.period(o.feed.level) - o.feed.cycles);
      const double delay = o.start + o.alone() - o.feed.slots * slack;
      emptied = std::max(emptied, o.issues * std::max(0.0, delay));
    }
    return emptied > 0 ? now.inside + emptied : 0;
  }
};

}  // namespace gridloom::cost
