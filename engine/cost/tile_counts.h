// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::cost {

/// The tiles of a loop that are counted: `first + stride * v` for v in [0, count), each `width` tiles wide.
struct CountedTiles {
  std::int64_t first = 0;
  std::int64_t stride = 1;
  std::int64_t count = 1;
  std::int64_t width = 1;
};

/// How many of the combinations of tiles a guard holds at: exact, by counting integer points of the polyhedra
/// that the guard is over tile numbers. One entry of `tiles` per loop of the kernel; loops that the guard does
/// not speak of multiply.
double countWhere(const kernel::TileGuard& guard, const mapping::Tiling& tiling,
                  const std::vector<CountedTiles>& tiles);

/// All tiles of a loop looked at as one.
CountedTiles allAtOnce(const mapping::LoopTiling& loop);
/// The tiles that a core at one position among the ways works on.
CountedTiles tilesOf(const mapping::LoopTiling& loop, std::int64_t way);

}  // namespace gridloom::cost
