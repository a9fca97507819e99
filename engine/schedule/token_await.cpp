// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "schedule/token_machine.h"

namespace gridloom::schedule {

namespace {

// First and last tile of an output's loop that a region reaches along one dimension.
std::pair<std::int64_t, std::int64_t> reach(const kernel::RegionDim& dim,
                                            std::span<const kernel::TileSpan> spans,
                                            const mapping::LoopTiling& made) {
  std::int64_t low = 0, high = 0;
  for (std::size_t l = 0; l < spans.size(); ++l) {
    const std::int64_t c = dim.index.coefficient(l);
    low += c * (c > 0 ? spans[l].begin : spans[l].end - 1);
    high += c * (c > 0 ? spans[l].end - 1 : spans[l].begin);
  }
  if (dim.behind) high = low - 1 - dim.maxOffset;
  low = std::max<std::int64_t>(0, low + dim.minOffset);
  high = std::min(made.extent - 1, high + dim.maxOffset);
  return {low / made.block, high < low ? low / made.block - 1 : high / made.block};
}

}  // namespace

void TokenMachine::prepareStored() {
  for (const Buffer& buffer : m_schedule.buffers) m_awaits = m_awaits || buffer.need.awaits >= 0;
  if (!m_awaits) return;
  for (const std::vector<mapping::LoopId>& grid : m_schedule.grids) {
    std::size_t tiles = 1;
    for (const mapping::LoopId loop : grid) {
      tiles *= static_cast<std::size_t>(m_schedule.tiling.loops[loop.index()].tiles);
    }
    m_stored.emplace_back(tiles, std::uint8_t{0});
    m_firstAwaiting.emplace_back(tiles, -1);
  }
  m_nextAwaiting.assign(m_processes.size(), -1);
}

template <class Visit>
bool TokenMachine::allTiles(const Need& need, std::span<const kernel::TileSpan> spans,
                            const Visit& visit) const {
  const std::vector<mapping::LoopId>& grid = m_schedule.grids[index(need.awaits)];
  std::vector<std::pair<std::int64_t, std::int64_t>> box;
  for (std::size_t d = 0; d < grid.size(); ++d) {
    box.push_back(reach(need.region[d], spans, m_schedule.tiling.loops[grid[d].index()]));
    if (box.back().second < box.back().first) return true;
  }
  std::vector<std::int64_t> at;
  for (const auto& range : box) at.push_back(range.first);
  for (;;) {
    std::size_t tile = 0;
    for (std::size_t d = 0; d < grid.size(); ++d) {
      tile = tile * static_cast<std::size_t>(m_schedule.tiling.loops[grid[d].index()].tiles) +
             static_cast<std::size_t>(at[d]);
    }
    if (!visit(tile)) return false;
    std::size_t d = grid.size();
    while (d > 0 && ++at[d - 1] > box[d - 1].second) {
      at[d - 1] = box[d - 1].first;
      --d;
    }
    if (d == 0) return true;
  }
}

// Of the tiles that the load of a produced operand brings, one that global memory does not hold yet.
std::optional<std::size_t> TokenMachine::missingTile(std::int32_t process, const Code& code) const {
  const Need& need = m_schedule.buffers[index(code.buffer)].need;
  const std::vector<std::uint8_t>& stored = m_stored[index(need.awaits)];
  std::optional<std::size_t> missing;
  m_presence.forTiles(need, coreOf(process), waves(process), code.depth, [&](const auto& spans) {
    if (missing) return;
    allTiles(need, spans, [&](std::size_t tile) {
      if (stored[tile] == 0) missing = tile;
      return !missing;
    });
  });
  return missing;
}

// A process that has to wait waits for one of its tiles, and looks for the next one when that is there.
bool TokenMachine::await(std::int32_t process, const Code& code) {
  const std::optional<std::size_t> missing = missingTile(process, code);
  if (!missing) return true;
  const auto output = index(m_schedule.buffers[index(code.buffer)].need.awaits);
  m_nextAwaiting[index(process)] = std::exchange(m_firstAwaiting[output][*missing], process);
  return false;
}

void TokenMachine::noteStored(std::int32_t process) {
  const Code& code = at(process);
  const Buffer& buffer = m_schedule.buffers[index(code.buffer)];
  const std::vector<mapping::LoopId>& grid = m_schedule.grids[index(buffer.operand)];
  Need own;
  own.loops = grid;
  own.awaits = buffer.operand;
  for (const mapping::LoopId loop : grid) {
    own.region.push_back({affine::LinearExpr::dim(loop.index()), 0, 0, false});
  }
  m_presence.forTiles(own, tileOwner(process), waves(process), code.depth, [&](const auto& spans) {
    allTiles(own, spans, [&](std::size_t tile) {
      m_stored[index(buffer.operand)][tile] = 1;
      std::int32_t next = std::exchange(m_firstAwaiting[index(buffer.operand)][tile], -1);
      while (next >= 0) wake(std::exchange(next, m_nextAwaiting[index(next)]));
      return true;
    });
  });
}

}  // namespace gridloom::schedule
