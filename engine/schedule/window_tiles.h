// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/active_tiles.h"
#include "schedule/placement.h"
#include "schedule/schedule.h"

namespace gridloom::schedule {

/// A tile of an output that a window reads: its row-major number in the grid, its position, and how
/// many of its elements lie in the window.
struct WindowTile {
  std::size_t number = 0;
  std::span<const std::int64_t> at;
  std::int64_t elements = 0;
};

/// Maps windows on outputs to output tiles. Not thread-safe.
class WindowTiles {
 public:
  explicit WindowTiles(const Schedule& schedule) : m_schedule(schedule) {}

  std::size_t tilesOf(int output) const;

  /// Calls `visit(WindowTile)` for all tiles of output `need.awaits` that intersect the window at
  /// these spans, until it returns false. Returns whether it visited all. `visit` must not call
  /// this object.
  template <class Visit>
  bool forAll(const TileDemand& need, std::span<const kernel::TileSpan> spans,
              const Visit& visit) const {
    std::vector<Reach>& box = m_box;
    std::vector<std::int64_t>& at = m_at;
    if (!findBox(need, spans, box)) return true;
    at.clear();
    for (const Reach& range : box) at.push_back(range.firstTile);
    for (;;) {
      if (!visit(tileAt(need, box, at))) return false;
      std::size_t d = box.size();
      while (d > 0 && ++at[d - 1] > box[d - 1].lastTile) {
        at[d - 1] = box[d - 1].firstTile;
        --d;
      }
      if (d == 0) return true;
    }
  }

  /// The window that covers one whole tile of an output.
  TileDemand wholeTile(int output) const;

  /// The core that computes a tile.
  std::int32_t makerOf(int output, std::span<const std::int64_t> at,
                       const Placement& placement) const;

 private:
  /// Along one dimension: elements [first, last] of the window, and the tiles they lie in.
  struct Reach {
    std::int64_t first = 0, last = 0, firstTile = 0, lastTile = 0;
  };
  const std::vector<mapping::LoopId>& gridOf(int output) const {
    return m_schedule.grids[static_cast<std::size_t>(output)];
  }
  const mapping::LoopTiling& tilingOf(mapping::LoopId loop) const {
    return m_schedule.tiling.loops[loop.index()];
  }
  bool findBox(const TileDemand& need, std::span<const kernel::TileSpan> spans,
               std::vector<Reach>& box) const;
  WindowTile tileAt(const TileDemand& need, const std::vector<Reach>& box,
                    std::span<const std::int64_t> at) const;

  const Schedule& m_schedule;
  mutable std::vector<Reach> m_box;  ///< a member to save allocations
  mutable std::vector<std::int64_t> m_at;
};

}  // namespace gridloom::schedule
