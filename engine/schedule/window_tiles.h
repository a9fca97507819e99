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

  /// Along one dimension of the output: which elements a window reads, and the tiles they lie in.
  struct Extent {
    /// A loop that the window moves with, and by how many elements per element of it.
    struct Term {
      std::size_t loop = 0;
      std::int64_t factor = 1;
    };
    std::vector<Term> terms;
    std::int64_t constant = 0, minOffset = 0, maxOffset = 0;
    bool behind = false;  ///< only elements before the ones at hand
    std::int64_t elements = 1, tileSize = 1, tiles = 1;
  };
  /// A need on an output, as it is looked up.
  using Window = std::vector<Extent>;

  /// `need` awaits an output.
  Window windowOf(const TileDemand& need) const;
  /// The need for a whole tile of an output.
  TileDemand wholeTile(int output) const;

  /// Calls `visit(WindowTile)` for all tiles that the window reaches into from these spans, until
  /// it says false; tells whether it never did. `visit` asks for no other window.
  template <class Visit>
  bool forAll(const Window& window, std::span<const kernel::TileSpan> spans,
              const Visit& visit) const {
    if (!findBox(window, spans)) return true;
    m_at.clear();
    for (const Reach& range : m_box) m_at.push_back(range.firstTile);
    for (;;) {
      if (!visit(tileAt(window))) return false;
      std::size_t d = m_box.size();
      while (d > 0 && ++m_at[d - 1] > m_box[d - 1].lastTile) {
        m_at[d - 1] = m_box[d - 1].firstTile;
        --d;
      }
      if (d == 0) return true;
    }
  }

  /// The core that makes a tile.
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
  bool findBox(const Window& window, std::span<const kernel::TileSpan> spans) const;
  WindowTile tileAt(const Window& window) const;

  const Schedule& m_schedule;
  mutable std::vector<Reach> m_box;  ///< a member to save allocations
  mutable std::vector<std::int64_t> m_at;
};

}  // namespace gridloom::schedule
