// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "cost/evaluator.h"

namespace gridloom::cost {

// Buffers that are released late, because their readers wait for something else. `ended`: cycles of
// all work at a level and further inside, over the whole kernel, per level of the recursion.

/// Cycles per transfer for which a tile's single buffer in the shared buffer delays the transfers
/// that read it: it is released when the last of them has ended, while the cores still
/// compute on the contents of their own buffers.
inline double emptySlot(const TiledCandidate& s, const MovementCost& o,
                        std::span<const double> ended) {
  if (o.feedLevel == MovementCost::kNoFeeds) return 0;
  const auto level = static_cast<std::size_t>(o.feedLevel);
  const double period = ended[level] / s.iterations[level];
  return std::max(0.0, o.start + o.lone() - o.feedSlots * std::max(0.0, period - o.feed));
}

/// Cycles until the first tile of a stream has gone from neighbour to neighbour, from the first
/// core to the last.
inline double rippleOf(const MovementCost& o) { return o.after * o.pattern->hops; }

inline bool isStream(const MovementCost& o) { return o.forwards && !o.output; }

/// A lower bound on the joint fill of two streams along different dimensions; 0 where there are
/// none.
///
/// The first tiles of a stream, as many as it has buffers, move through the cores at once. The next
/// tile follows from core to core as compute releases the first one's buffer. Far along the other
/// stream, compute begins only when the other stream's first tile has arrived: so the two fills add
/// up, and meanwhile the tiles in all buffers are consumed. `begun`: as `ended`, without the
/// level's own transfers.
/// without the level's own transfers.
inline double secondFill(const TiledCandidate& s, std::span<const MovementCost* const> options,
                         std::span<const double> begun, std::span<const double> ended) {
  double most = 0;
  for (const MovementCost* o : options) {
    const double slots = o->overlapped ? 2 : 1;
    if (!isStream(*o) || o->issues <= slots) continue;
    const auto level = static_cast<std::size_t>(o->level);
    // The recursion counts all iterations. Between the two fills there is the work on one tile
    // only.
    const double counted = (slots * ended[level] - begun[level]) / s.iterations[level];
    for (const MovementCost* other : options) {
      if (!isStream(*other) || (other->along & o->along) != 0) continue;
      most = std::max(most, rippleOf(*o) + other->first - counted);
    }
  }
  return most;
}

}  // namespace gridloom::cost
