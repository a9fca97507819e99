// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "cost/term_set.h"
#include "cost/resource_loads.h"
#include "cost/terms/whole_candidate.h"

namespace gridloom::cost {

/// Cycles from the end of compute until the last tile of every output is stored. The tiles of all
/// outputs leave at the same moment, and share bandwidth where they take the same links.
struct LastTiles {
  static constexpr bool kMonotone = false;

  static double drain(WholeCandidate& whole) {
    double most = 0;
    if (!whole.asks(TermId::LastTiles)) return most;
    const std::size_t resources = whole.allResources();
    std::vector<double>& waits = whole.scratch().waited;
    waits.assign(resources, 0.0);
    int stores = 0;
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      if (!o.isStore) continue;
      ++stores;
      accumulateLoad(waits.data(), o, o.firstBytes(), resources);
    }
    if (stores < 2) return most;
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      if (!o.drainsTogether) continue;
      most = std::max(most, o.latency + largestAt(waits, o.pattern->load()));
    }
    return most;
  }
};

}  // namespace gridloom::cost
