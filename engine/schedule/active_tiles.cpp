// SPDX-License-Identifier: Apache-2.0
#include "schedule/active_tiles.h"

#include <algorithm>

#include "base/units.h"

namespace gridloom::schedule {

namespace {

const TileDemand kNone;

bool isIn(std::span<const kernel::Difference> differences, mapping::LoopId loop) {
  return std::ranges::any_of(differences,
                             [&](const auto& d) { return d.a == loop || d.b == loop; });
}

// Whether a part has differences of the loop's tiles and of its elements.
bool isMixed(const kernel::TileGuard& guard, mapping::LoopId loop) {
  return std::ranges::any_of(guard.parts, [&](const kernel::GuardPart& part) {
    return isIn(part.tiles, loop) && isIn(part.elements, loop);
  });
}

}  // namespace

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
    m_spans[l] = spanAt(need, core, loop, wave);
  }
  return m_spans;
}

bool ActiveTiles::isTogether(const TileDemand& need, mapping::LoopId loop) {
  return need.shared && !kernel::contains(need.loops, loop);
}

kernel::TileSpan ActiveTiles::spanAt(const TileDemand& need, std::int32_t core,
                                     mapping::LoopId loop, std::int64_t wave) const {
  const std::int64_t unroll = m_schedule.tiling.loops[loop.index()].unroll;
  if (isTogether(need, loop)) return spanOf(loop, wave * unroll, wave * unroll + unroll - 1);
  const std::int64_t tile = wave * unroll + m_placement.unrollIndexOf(core, loop);
  return spanOf(loop, tile, tile);
}

bool ActiveTiles::isNeeded(const TileDemand& need, std::int32_t core,
                           std::span<const std::int32_t> waves, int depth) const {
  return need.guard.always() || need.guard.holds(spans(need, core, waves, depth));
}

// Over several tiles of a loop at once, differences of tiles may hold at one of them and those of
// elements at another.
bool ActiveTiles::holdsAtOneTile(const TileDemand& need, std::int32_t core, int depth,
                                 std::vector<kernel::TileSpan>& spans) const {
  if (!need.guard.holds(spans)) return false;
  for (int p = depth; p < static_cast<int>(m_schedule.mapping.order.size()); ++p) {
    const mapping::LoopId loop = m_schedule.mapping.order[static_cast<std::size_t>(p)];
    const kernel::TileSpan all = spans[loop.index()];
    if (all.firstTile == all.lastTile || !isMixed(need.guard, loop)) continue;
    bool holds = false;
    for (std::int32_t wave = 0; wave < m_placement.waves(core, p); ++wave) {
      const std::int64_t at =
          m_schedule.tiling.tileOf(loop, wave, m_placement.unrollIndexOf(core, loop));
      spans[loop.index()] = spanOf(loop, at, at);
      holds = holdsAtOneTile(need, core, p + 1, spans);
      if (holds) break;
    }
    spans[loop.index()] = all;
    return holds;
  }
  return true;
}

bool ActiveTiles::hasWork(std::int32_t core, std::span<const std::int32_t> waves) const {
  const int depth = static_cast<int>(m_schedule.mapping.order.size());
  return m_schedule.work.always() || m_schedule.work.holds(spans(kNone, core, waves, depth));
}

// The tiles of a loop ascend with its wave, so a part holds from the wave on where its lower bounds
// on the loop do, up to the one where its upper bounds do, as long as the others hold.
WaveRange ActiveTiles::nextNeeded(const TileDemand* need, std::int32_t core,
                                  std::span<const std::int32_t> waves, int depth,
                                  std::int32_t end) const {
  const auto position = static_cast<std::size_t>(depth - 1);
  const kernel::TileGuard& guard = need != nullptr ? need->guard : m_schedule.work;
  const TileDemand& demand = need != nullptr ? *need : kNone;
  const std::int64_t from = waves[position], last = end - 1;
  if (guard.always()) return {waves[position], end - 1};
  spans(demand, core, waves, depth);
  const mapping::LoopId loop = m_schedule.mapping.order[position];
  const mapping::LoopTiling& tiling = m_schedule.tiling.loops[loop.index()];
  const std::int64_t tileSize = tiling.tileSize, unroll = tiling.unroll;
  const kernel::TileSpan here = m_spans[loop.index()];
  const bool together = isTogether(demand, loop);
  const std::int64_t unrollIndex = m_placement.unrollIndexOf(core, loop);
  const std::int64_t firstOffset = together ? 0 : unrollIndex;
  const std::int64_t lastOffset = together ? unroll - 1 : unrollIndex;
  std::pair<std::int64_t, std::int64_t> found{end, end};
  for (const kernel::GuardPart& part : guard.parts) {
    m_spans[loop.index()] = here;
    const std::int64_t least = part.leastLastTile(m_spans, loop, tileSize);
    const std::int64_t greatest = part.greatestFirstTile(m_spans, loop, tileSize);
    const std::int64_t first = std::max(from, base::ceilDiv(least - lastOffset, unroll));
    if (first > found.first || first == end) continue;
    m_spans[loop.index()] = spanAt(demand, core, loop, first);
    if (!part.holds(m_spans)) continue;
    const std::int64_t until = std::min(last, base::floorDiv(greatest - firstOffset, unroll));
    if (first < found.first || until > found.second) found = {first, until};
  }
  return {static_cast<std::int32_t>(found.first), static_cast<std::int32_t>(found.second)};
}

}  // namespace gridloom::schedule
