// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "cost/terms/whole_candidate.h"

namespace gridloom::cost {

/// Loads of one operand back to back, each with a second step (`after`), take longer when their
/// bytes share a resource with other transfers: of a time T, those leave (T - others) / T of it, so
/// that T = steps + bytes * T / (T - others). Without a second step T is the resource's busy time,
/// which the closed form has.
struct SharedChains {
  static constexpr bool kMonotone = false;
  static constexpr Limit kLimit = Limit::Chain;

  static double atLevel(WholeCandidate& whole, const LevelNow& now) {
    double least = 0;
    if (!whole.asks(TermId::SharedChains)) return least;
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      const bool chains = o.isStore || o.overlapped;
      if (o.level == now.level && chains && o.after > 0) {
        least = std::max(least, cyclesOf(o, now.busy, whole.sumResources(), now.time));
      }
    }
    return least;
  }

 private:
  // At least `least`.
  static double cyclesOf(const FlatCost& o, const double* busy, std::size_t count, double least) {
    const std::vector<double>& rows = o.pattern->resourceLoads;
    const double alone = o.issues * o.repeat * o.alone();
    const double whole = o.issues * (o.repeat * o.start + o.after) + alone;
    for (std::size_t r = 0; r < count; ++r) {
      if (rows[r] <= 0 || whole + busy[r] <= least) continue;
      const double bytes = std::min(whole, o.weight * rows[r]);
      const double others = std::max(0.0, busy[r] - o.weight * rows[r]);
      const double sum = whole + others;
      const double root = std::sqrt(std::max(0.0, sum * sum - 4 * (whole - bytes) * others));
      least = std::max(least, (sum + root) / 2);
    }
    return least;
  }
};

}  // namespace gridloom::cost
