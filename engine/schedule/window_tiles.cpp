// SPDX-License-Identifier: Apache-2.0
#include "schedule/window_tiles.h"

#include <algorithm>

namespace gridloom::schedule {

std::size_t WindowTiles::tilesOf(int output) const {
  std::size_t tiles = 1;
  for (const mapping::LoopId loop : gridOf(output)) {
    tiles *= static_cast<std::size_t>(tilingOf(loop).tiles);
  }
  return tiles;
}

bool WindowTiles::findBox(const TileDemand& need, std::span<const kernel::TileSpan> spans,
                          std::vector<Reach>& box) const {
  const std::vector<mapping::LoopId>& grid = gridOf(need.awaits);
  box.clear();
  for (std::size_t d = 0; d < grid.size(); ++d) {
    const kernel::RegionDim& dim = need.region[d];
    const mapping::LoopTiling& made = tilingOf(grid[d]);
    std::int64_t low = dim.index.constant, high = low;
    for (std::size_t l = 0; l < spans.size(); ++l) {
      const std::int64_t c = dim.index.coefficient(l);
      low += c * (c > 0 ? spans[l].begin : spans[l].end - 1);
      high += c * (c > 0 ? spans[l].end - 1 : spans[l].begin);
    }
    if (dim.behind) high = low - 1 - dim.maxOffset;
    const std::int64_t first = std::max<std::int64_t>(0, low + dim.minOffset);
    const std::int64_t last = std::min(made.extent - 1, high + dim.maxOffset);
    if (last < first) return false;
    box.push_back({first, last, first / made.tileSize, last / made.tileSize});
  }
  return true;
}

WindowTile WindowTiles::tileAt(const TileDemand& need, const std::vector<Reach>& box,
                               std::span<const std::int64_t> at) const {
  const std::vector<mapping::LoopId>& grid = gridOf(need.awaits);
  WindowTile tile{0, at, 1};
  for (std::size_t d = 0; d < grid.size(); ++d) {
    const mapping::LoopTiling& made = tilingOf(grid[d]);
    tile.number =
        tile.number * static_cast<std::size_t>(made.tiles) + static_cast<std::size_t>(at[d]);
    const std::int64_t begin = std::max(box[d].first, at[d] * made.tileSize);
    const std::int64_t end = std::min(box[d].last + 1, (at[d] + 1) * made.tileSize);
    tile.elements *= end - begin;
  }
  return tile;
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

// Inverts the cyclic assignment. The position among the `ways` of a loop is distributed over its
// dimensions; the last one of the tiling order varies fastest.
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
