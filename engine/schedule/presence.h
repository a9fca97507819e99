// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/placement.h"
#include "schedule/schedule.h"

namespace gridloom::schedule {

/// Tells what takes place at a core's waves: which tiles a transfer is for, and whether there is work.
class Presence {
 public:
  Presence(const Schedule& schedule, const Placement& placement)
      : m_schedule(schedule), m_placement(placement) {}

  /// Whether anything inside `depth` loops at these waves needs the tile of a buffer.
  bool isNeeded(const Need& need, std::int32_t core, std::span<const std::int32_t> waves,
                int depth) const;
  /// Whether the innermost iteration at these waves has work.
  bool hasWork(std::int32_t core, std::span<const std::int32_t> waves) const;

  /// Calls `tile(spans)` for every tile that one transfer at `depth` brings: those of the operand's loops
  /// inside it that are needed.
  /// The elements and tiles of every loop that a transfer at `depth` is for.
  std::vector<kernel::TileSpan> spans(const Need& need, std::int32_t core,
                                      std::span<const std::int32_t> waves, int depth) const;
  template <class Tile>
  void forTiles(const Need& need, std::int32_t core, std::span<const std::int32_t> waves, int depth,
                const Tile& tile) const {
    std::vector<kernel::TileSpan> at = spans(need, core, waves, depth);
    walk(need, core, depth, at, tile);
  }

 private:
  kernel::TileSpan spanOf(mapping::LoopId loop, std::int64_t first, std::int64_t last) const;

  template <class Tile>
  void walk(const Need& need, std::int32_t core, int depth, std::vector<kernel::TileSpan>& spans,
            const Tile& tile) const {
    const auto& order = m_schedule.mapping.order;
    if (depth == static_cast<int>(order.size())) {
      if (need.guard.holds(spans)) tile(spans);
      return;
    }
    const mapping::LoopId loop = order[static_cast<std::size_t>(depth)];
    if (!kernel::contains(need.loops, loop)) return walk(need, core, depth + 1, spans, tile);
    const kernel::TileSpan all = spans[loop.index()];
    for (std::int32_t wave = 0; wave < m_placement.waves(core, depth); ++wave) {
      const std::int64_t at = m_schedule.tiling.tileOf(loop, wave, m_placement.wayOf(core, loop));
      spans[loop.index()] = spanOf(loop, at, at);
      walk(need, core, depth + 1, spans, tile);
    }
    spans[loop.index()] = all;
  }

  const Schedule& m_schedule;
  const Placement& m_placement;
};

}  // namespace gridloom::schedule
