// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "cost/evaluator.h"

namespace gridloom::cost {

// Slots that are free late, because what empties them waits for something else. `ended`: cycles of all work at a level and
// further inside, over the whole kernel, per level of the recursion.

/// Cycles per transfer for which a tile's only slot in the middle memory holds up those that take it from there: it is
/// free when the last of them has left, while its cores still compute on what their own slots hold.
inline double emptySlot(const TiledCandidate& s, const MovementCost& o,
                        std::span<const double> ended) {
  if (o.feedLevel == MovementCost::kNoFeeds) return 0;
  const auto level = static_cast<std::size_t>(o.feedLevel);
  const double period = ended[level] / s.iterations[level];
  return std::max(0.0, o.start + o.lone() - o.feedSlots * std::max(0.0, period - o.feed));
}

/// Cycles until the first tile of a stream has gone from neighbour to neighbour to the last core, from the first one.
inline double rippleOf(const MovementCost& o) { return o.after * o.pattern->hops; }

inline bool isStream(const MovementCost& o) { return o.forwards && !o.output; }

/// What the first tiles of two streams along different dimensions cost together, at least; 0 where there are none.
///
/// A stream's first tiles, as many as it has buffers, ripple through the cores at once. The next one follows from core
/// to core as compute frees the first one's slot. Far along the other stream, that is when the other stream's first tile
/// has come: so both ripple one after the other, and meanwhile the tiles in all slots are used up. `begun`: as `ended`,
/// without the level's own transfers.
inline double secondFill(const TiledCandidate& s, std::span<const MovementCost* const> options,
                         std::span<const double> begun, std::span<const double> ended) {
  double most = 0;
  for (const MovementCost* o : options) {
    const double slots = o->overlapped ? 2 : 1;
    if (!isStream(*o) || o->issues <= slots) continue;
    const auto level = static_cast<std::size_t>(o->level);
    // The recursion counts all iterations. Of those on the first tiles, only the work on one lies between the ripples.
    const double counted = (slots * ended[level] - begun[level]) / s.iterations[level];
    for (const MovementCost* other : options) {
      if (!isStream(*other) || (other->along & o->along) != 0) continue;
      most = std::max(most, rippleOf(*o) + other->first - counted);
    }
  }
  return most;
}

}  // namespace gridloom::cost
