// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/placement.h"
#include "schedule/schedule.h"

namespace gridloom::schedule {

/// Waves of a loop from `first` to `last`. None: `first` is the number of its waves.
struct WaveRange {
  std::int32_t first = 0, last = 0;
};

/// Says what happens at a core's waves: which tiles a transfer moves, and whether there is work.
/// Not thread-safe.
class ActiveTiles {
 public:
  ActiveTiles(const Schedule& schedule, const Placement& placement);

  /// Whether anything inside `depth` loops at these waves needs the buffer's tile.
  bool isNeeded(const TileDemand& need, std::int32_t core, std::span<const std::int32_t> waves,
                int depth) const;
  /// Whether the innermost iteration at these waves has work.
  bool hasWork(std::int32_t core, std::span<const std::int32_t> waves) const;
  /// The next waves of the innermost of `depth` loops, from the one in `waves` on and below `end`,
  /// at each of which `isNeeded` holds; with no demand: `hasWork`. The loop must not rotate.
  WaveRange nextNeeded(const TileDemand* need, std::int32_t core,
                       std::span<const std::int32_t> waves, int depth, std::int32_t end) const;

  /// The elements and tiles of every loop that a transfer at `depth` covers. Valid until the next
  /// call.
  std::span<const kernel::TileSpan> spans(const TileDemand& need, std::int32_t core,
                                          std::span<const std::int32_t> waves, int depth) const;
  /// Calls `tile(spans)` for every needed tile of one transfer at `depth`: the operand's tiles over
  /// the loops inside it. `tile` must not call this object.
  template <class Tile>
  void forTiles(const TileDemand& need, std::int32_t core, std::span<const std::int32_t> waves,
                int depth, const Tile& tile) const {
    const auto all = spans(need, core, waves, depth);
    m_walked.assign(all.begin(), all.end());
    walk(need, core, depth, depth, m_walked, tile);
  }

 private:
  kernel::TileSpan spanOf(mapping::LoopId loop, std::int64_t first, std::int64_t last) const;
  /// Whether cores that share a transfer consider the tiles of all cores of a wave.
  static bool isTogether(const TileDemand& need, mapping::LoopId loop);
  kernel::TileSpan spanAt(const TileDemand& need, std::int32_t core, mapping::LoopId loop,
                          std::int64_t wave) const;

  /// Whether the guard holds at one tile of the loops inside `depth` over which `spans` range.
  bool holdsAtOneTile(const TileDemand& need, std::int32_t core, int depth,
                      std::vector<kernel::TileSpan>& spans) const;

  template <class Tile>
  void walk(const TileDemand& need, std::int32_t core, int from, int depth,
            std::vector<kernel::TileSpan>& spans, const Tile& tile) const {
    const auto& order = m_schedule.mapping.order;
    if (depth == static_cast<int>(order.size())) {
      if (holdsAtOneTile(need, core, from, spans)) tile(spans);
      return;
    }
    const mapping::LoopId loop = order[static_cast<std::size_t>(depth)];
    if (!kernel::contains(need.loops, loop)) return walk(need, core, from, depth + 1, spans, tile);
    const kernel::TileSpan all = spans[loop.index()];
    for (std::int32_t wave = 0; wave < m_placement.waves(core, depth); ++wave) {
      const std::int64_t at =
          m_schedule.tiling.tileOf(loop, wave, m_placement.unrollIndexOf(core, loop));
      spans[loop.index()] = spanOf(loop, at, at);
      walk(need, core, from, depth + 1, spans, tile);
    }
    spans[loop.index()] = all;
  }

  const Schedule& m_schedule;
  const Placement& m_placement;
  std::vector<int> m_position;  ///< per loop: its position among the temporal loops; -1: none
  mutable std::vector<kernel::TileSpan> m_spans,
      m_walked;  ///< a member to save allocations
};

}  // namespace gridloom::schedule
