// SPDX-License-Identifier: Apache-2.0
#include "schedule/active_tiles.h"

#include <algorithm>

namespace gridloom::schedule {

ActiveTiles::ActiveTiles(const Schedule& schedule, const Placement& placement)
    : m_schedule(schedule),
      m_placement(placement),
      m_position(schedule.tiling.loops.size(), -1),
      m_spans(schedule.tiling.loops.size()) {
  for (std::size_t p = 0; p < schedule.mapping.order.size(); ++p) {
    m_position[schedule.mapping.order[p].index()] = static_cast<int>(p);
  }
}

kernel::TileSpan ActiveTiles::spanOf(mapping::LoopId loop, std::int64_t first,
                                     std::int64_t last) const {
  const mapping::LoopTiling& l = m_schedule.tiling.loops[loop.index()];
  last = std::min(last, l.tiles - 1);
  return {first * l.tileSize, std::min(l.extent, (last + 1) * l.tileSize), first, last};
}

// Loops outside the transfer are fixed at their wave; loops inside run over their whole range.
// Cores that share a transfer must agree, so along loops that the tile does not depend on they
// consider all cores of the wave.
std::span<const kernel::TileSpan> ActiveTiles::spans(const TileDemand& need, std::int32_t core,
                                                     std::span<const std::int32_t> waves,
                                                     int depth) const {
  for (std::size_t l = 0; l < m_spans.size(); ++l) {
    const mapping::LoopId loop = mapping::LoopId::of(l);
    const mapping::LoopTiling& tiling = m_schedule.tiling.loops[l];
    const int at = m_position[l];
    if (at >= depth) {
      m_spans[l] = spanOf(loop, 0, tiling.tiles - 1);
      continue;
    }
    const auto position = static_cast<std::size_t>(at);
    const std::int64_t wave = at >= 0 ? m_placement.waveAt(core, position, waves[position]) : 0;
    const bool together = need.shared && !kernel::contains(need.loops, loop);
    const std::int64_t first = together
                                   ? wave * tiling.unroll
                                   : tiling.unroll * wave + m_placement.unrollIndexOf(core, loop);
    m_spans[l] = spanOf(loop, first, together ? first + tiling.unroll - 1 : first);
  }
  return m_spans;
}

bool ActiveTiles::isNeeded(const TileDemand& need, std::int32_t core,
                           std::span<const std::int32_t> waves, int depth) const {
  return need.guard.always() || need.guard.holds(spans(need, core, waves, depth));
}

bool ActiveTiles::hasWork(std::int32_t core, std::span<const std::int32_t> waves) const {
  const int depth = static_cast<int>(m_schedule.mapping.order.size());
  static const TileDemand none;
  return m_schedule.work.always() || m_schedule.work.holds(spans(none, core, waves, depth));
}

}  // namespace gridloom::schedule
