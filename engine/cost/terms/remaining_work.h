// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/resource_loads.h"
#include "cost/terms/whole_candidate.h"

namespace gridloom::cost {

/// Remaining work of the most loaded resource when the first tile operation ends: until then, only
/// the tiles that fill the buffers can arrive.
struct RemainingWork {
  static constexpr bool kMonotone = false;

  /// `busy`: work of every resource over the kernel.
  static double remaining(WholeCandidate& whole, const double* busy) {
    if (!whole.asks(TermId::RemainingWork)) return 0;
    const std::size_t resources = whole.sumResources();
    std::vector<double>& left = whole.scratch().waited;
    left.assign(busy, busy + resources);
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      if (o.isStore) continue;
      const double tiles = std::min(o.early(), o.issues);
      accumulate(left.data(), o, -tiles * o.perTransfer(), resources);
    }
    return maximum(left.data(), resources);
  }
};

}  // namespace gridloom::cost
