// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/terms/whole_candidate.h"

namespace gridloom::cost {

/// A lower bound on the joint fill of two streams along different dimensions.
///
/// The first tiles of a stream, as many as it has buffers, move through the cores at once. The next
/// tile follows from core to core as compute releases the first one's buffer. Far along the other
/// stream, compute begins only when the other stream's first tile has arrived: so the two fills add
/// up, and meanwhile the tiles in all buffers are consumed.
struct StreamFill {
  static constexpr bool kMonotone = false;

  static double fill(WholeCandidate& whole, double /*within*/) {
    double most = 0;
    if (!whole.asks(TermId::StreamFill)) return most;
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      const double slots = o.overlapped ? 2 : 1;
      if (!isStream(o) || o.issues <= slots) continue;
      // The recursion counts all iterations. Between the two fills there is the work on one tile
      // only.
      const double counted =
          (slots * whole.ended(o.level) - whole.begun(o.level)) / whole.iterations(o.level);
      for (const LoadedCost& second : whole.transfers()) {
        const FlatCost& other = *second.cost;
        if (!isStream(other) || (other.along & o.along) != 0) continue;
        // From the first core of the line to the last, neighbour by neighbour.
        const double ripple = o.after * o.pattern->hops;
        most = std::max(most, ripple + other.first - counted);
      }
    }
    return most;
  }

 private:
  static bool isStream(const FlatCost& o) { return o.forwards && !o.isStore; }
};

}  // namespace gridloom::cost
