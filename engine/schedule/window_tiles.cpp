// SPDX-License-Identifier: Apache-2.0
#include "schedule/window_tiles.h"

#include <algorithm>

namespace gridloom::schedule {

namespace {

// Of numbers that are not negative. Short divisions take a fraction of the time of long ones.
std::int64_t quotient(std::int64_t element, std::int64_t tileSize) {
  if (((element | tileSize) >> 32) != 0) return element / tileSize;
  return static_cast<std::uint32_t>(element) / static_cast<std::uint32_t>(tileSize);
}

}  // namespace

std::size_t WindowTiles::tilesOf(int output) const {
  std::size_t tiles = 1;
  for (const mapping::LoopId loop : gridOf(output)) {
    tiles *= static_cast<std::size_t>(tilingOf(loop).tiles);
  }
  return tiles;
}

WindowTiles::Window WindowTiles::windowOf(const TileDemand& need) const {
  const std::vector<mapping::LoopId>& grid = gridOf(need.awaits);
  Window window;
  for (std::size_t d = 0; d < grid.size(); ++d) {
    const kernel::RegionDim& dim = need.region[d];
    const mapping::LoopTiling& made = tilingOf(grid[d]);
    Extent extent{{},         dim.index.constant, dim.minOffset, dim.maxOffset,
                  dim.behind, made.extent,        made.tileSize, made.tiles};
    for (std::size_t l = 0; l < m_schedule.tiling.loops.size(); ++l) {
      if (dim.index.dependsOn(l)) extent.terms.push_back({l, dim.index.coefficient(l)});
    }
    window.push_back(std::move(extent));
  }
  return window;
}

TileDemand WindowTiles::wholeTile(int output) const {
  TileDemand own;
  own.loops = gridOf(output);
  own.awaits = output;
  for (const mapping::LoopId loop : own.loops) {
    own.region.push_back({affine::LinearExpr::dim(loop.index()), 0, 0, false});
  }
  return own;
}

bool WindowTiles::findBox(const Window& window, std::span<const kernel::TileSpan> spans) const {
  m_box.clear();
  for (const Extent& dim : window) {
    std::int64_t low = dim.constant, high = low;
    for (const auto& [loop, factor] : dim.terms) {
      const kernel::TileSpan& span = spans[loop];
      low += factor * (factor > 0 ? span.begin : span.end - 1);
      high += factor * (factor > 0 ? span.end - 1 : span.begin);
    }
    if (dim.behind) high = low - 1 - dim.maxOffset;
    const std::int64_t first = std::max<std::int64_t>(0, low + dim.minOffset);
    const std::int64_t last = std::min(dim.elements - 1, high + dim.maxOffset);
    if (last < first) return false;
    m_box.push_back({first, last, quotient(first, dim.tileSize), quotient(last, dim.tileSize)});
  }
  return true;
}

WindowTile WindowTiles::tileAt(const Window& window) const {
  WindowTile tile{0, m_at, 1};
  for (std::size_t d = 0; d < window.size(); ++d) {
    const Extent& dim = window[d];
    tile.number =
        tile.number * static_cast<std::size_t>(dim.tiles) + static_cast<std::size_t>(m_at[d]);
    const std::int64_t begin = std::max(m_box[d].first, m_at[d] * dim.tileSize);
    const std::int64_t end = std::min(m_box[d].last + 1, (m_at[d] + 1) * dim.tileSize);
    tile.elements *= end - begin;
  }
  return tile;
}

// Tiles are dealt in turn; the position among the ways of a loop is spread over its dimensions, the
// last one of the tiling order fastest.
std::int32_t WindowTiles::makerOf(int output, std::span<const std::int64_t> at,
                                  const Placement& placement) const {
  const std::vector<mapping::LoopId>& grid = gridOf(output);
  const mapping::Mapping& mapping = m_schedule.mapping;
  std::int32_t core = 0;
  for (std::size_t d = 0; d < grid.size(); ++d) {
    std::int64_t way = at[d] % tilingOf(grid[d]).unroll;
    for (std::size_t n = mapping.dimOrder.size(); n-- > 0;) {
      const int dim = mapping.dimOrder[n];
      if (mapping.space[static_cast<std::size_t>(dim)] != grid[d]) continue;
      const std::int32_t size = placement.sizeOf(dim);
      core = placement.moved(core, dim, static_cast<std::int32_t>(way % size));
      way /= size;
    }
  }
  return core;
}

}  // namespace gridloom::schedule
