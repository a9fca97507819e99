// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/resource_loads.h"
#include "cost/terms/whole_candidate.h"

namespace gridloom::cost {

/// An all-reduce within a tile waits behind transfers of other tiles that started with it, on the
/// same links. These transfers overlap with the work before the all-reduce.
struct AllReduceBehind {
  static constexpr bool kMonotone = false;

  static double beforeLevels(WholeCandidate& whole) {
    if (whole.allReduces().empty() || !whole.asks(TermId::AllReduceBehind)) return 0;
    const FlatCost& first = *whole.allReduces().front().cost;
    const std::size_t resources = whole.sumResources();
    std::vector<double>& waits = whole.scratch().waited;
    waits.assign(resources, 0.0);
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      if (o.level != first.level || !o.overlapped) continue;
      accumulate(waits.data(), o, o.weight / first.issues, resources);
    }
    double burst = 0;
    for (std::size_t r = 0; r < resources; ++r) {
      if (first.pattern->resourceLoads[r] > 0) burst = std::max(burst, waits[r]);
    }
    return (first.issues - 1) * std::max(0.0, burst - first.headStart);
  }
};

}  // namespace gridloom::cost
