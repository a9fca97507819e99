// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/terms/whole_candidate.h"

namespace gridloom::cost {

/// All cores wait for the core that combines partial results: it also loads an input for the cores
/// that make them, into its single buffer, which is released when it has combined those of the
/// previous tile.
struct JoinedPartials {
  static constexpr bool kMonotone = false;

  static double afterLevels(WholeCandidate& whole) {
    double cycles = 0;
    if (!whole.asks(TermId::JoinedPartials)) return cycles;
    for (const LoadedCost& store : whole.transfers()) {
      const FlatCost& output = *store.cost;
      if (!output.isStore || output.joinInStep <= 0) continue;
      double times = 0;
      for (const LoadedCost& movement : whole.transfers()) {
        const FlatCost& o = *movement.cost;
        const bool common = !o.isStore && (o.along & output.split) != 0;
        if (common && !o.overlapped && o.level > 0 && o.level <= output.level) {
          times = std::max(times, o.issues - 1);
        }
      }
      cycles += times * output.joinInStep;
    }
    return cycles;
  }
};

}  // namespace gridloom::cost
