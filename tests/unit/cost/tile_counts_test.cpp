// SPDX-License-Identifier: Apache-2.0
#include "cost/tile_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <vector>

namespace gridloom::cost {
namespace {

using kernel::Difference;
using kernel::GuardPart;
using kernel::LoopId;
using kernel::TileSpan;

constexpr std::size_t kLoops = 3;

mapping::Tiling tilingOf(std::int64_t extent, std::int64_t tileSize) {
  mapping::Tiling tiling;
  tiling.loops.resize(kLoops);
  for (mapping::LoopTiling& loop : tiling.loops) {
    loop.extent = extent;
    loop.tileSize = tileSize;
    loop.tiles = (extent + tileSize - 1) / tileSize;
    loop.trips = loop.tiles;
  }
  return tiling;
}

double countOneByOne(const kernel::TileGuard& guard, const mapping::Tiling& tiling) {
  const mapping::LoopTiling& loop = tiling.loops.front();
  double count = 0;
  for (std::int64_t at = 0; at < loop.tiles * loop.tiles * loop.tiles; ++at) {
    std::vector<TileSpan> spans;
    for (const std::int64_t tile :
         {at % loop.tiles, at / loop.tiles % loop.tiles, at / loop.tiles / loop.tiles}) {
      const std::int64_t begin = tile * loop.tileSize;
      spans.push_back({begin, std::min(begin + loop.tileSize, loop.extent), tile, tile});
    }
    if (guard.holds(spans)) ++count;
  }
  return count;
}

// `at`: per loop, the number of an element or of a tile.
bool holdsAt(const std::vector<Difference>& differences, const std::array<std::int64_t, 3>& at) {
  const auto valueOf = [&](LoopId loop) { return loop.valid() ? at[loop.index()] : 0; };
  return std::ranges::all_of(
      differences, [&](const Difference& d) { return valueOf(d.a) - valueOf(d.b) >= d.least; });
}

// The tile combinations with an element at which the guard holds.
double countByElements(const kernel::TileGuard& guard, const mapping::Tiling& tiling) {
  const std::int64_t extent = tiling.loops.front().extent, size = tiling.loops.front().tileSize;
  std::set<std::array<std::int64_t, 3>> tiles;
  for (std::int64_t at = 0; at < extent * extent * extent; ++at) {
    const std::array<std::int64_t, 3> element{at % extent, at / extent % extent,
                                              at / extent / extent};
    const std::array<std::int64_t, 3> tile{element[0] / size, element[1] / size, element[2] / size};
    if (guard.always()) tiles.insert(tile);
    for (const GuardPart& part : guard.parts) {
      if (holdsAt(part.elements, element) && holdsAt(part.tiles, tile)) tiles.insert(tile);
    }
  }
  return static_cast<double>(tiles.size());
}

double count(const kernel::TileGuard& guard, const mapping::Tiling& tiling) {
  std::vector<CountedTiles> all;
  for (const mapping::LoopTiling& loop : tiling.loops) all.push_back(tilesOf(loop, 0));
  return countWhere(guard, tiling, all);
}

Difference atLeast(std::size_t loop, std::int64_t least) { return {LoopId::of(loop), {}, least}; }
Difference atMost(std::size_t loop, std::int64_t most) { return {{}, LoopId::of(loop), -most}; }

// A face of a cube each, as the borders of a stencil, and its middle.
TEST(CountWhere, CountsTheUnionOfManyBoxes) {
  constexpr std::int64_t kExtent = 10;
  kernel::TileGuard guard;
  GuardPart middle;
  for (std::size_t l = 0; l < kLoops; ++l) {
    addPart(guard, {{atMost(l, 0)}, {}}, l == 0);
    addPart(guard, {{atLeast(l, kExtent - 1)}, {}}, false);
    middle.elements.push_back(atLeast(l, 4));
    middle.elements.push_back(atMost(l, 5));
  }
  addPart(guard, middle, false);
  for (const std::int64_t tileSize : {1, 2, 3, 4}) {
    const mapping::Tiling tiling = tilingOf(kExtent, tileSize);
    EXPECT_EQ(count(guard, tiling), countOneByOne(guard, tiling)) << tileSize;
  }
}

TEST(CountWhere, CountsRandomGuards) {
  std::mt19937 random(7);
  const auto below = [&](int end) {
    return std::uniform_int_distribution<int>(0, end - 1)(random);
  };
  for (int round = 0; round < 300; ++round) {
    const std::int64_t extent = 3 + below(8);
    kernel::TileGuard guard;
    const bool compares = below(2) == 0;
    const int parts = compares ? 1 + below(4) : 1 + below(12);
    for (int part = 0; part < parts; ++part) {
      GuardPart made;
      for (std::size_t loop = 0; loop < kLoops; ++loop) {
        const std::int64_t least = below(static_cast<int>(extent));
        const std::int64_t most = least + below(static_cast<int>(extent - least));
        if (below(2) == 0) made.elements.push_back(atLeast(loop, least));
        if (below(2) == 0) made.elements.push_back(atMost(loop, most));
        if (below(4) == 0) made.tiles.push_back(atLeast(loop, least / 2));
        if (compares && below(2) == 0)
          made.elements.push_back({LoopId::of(loop), LoopId::of((loop + 1) % kLoops), least - 2});
      }
      addPart(guard, made, part == 0);
    }
    const mapping::Tiling tiling = tilingOf(extent, 1 + below(4));
    const double counted = count(guard, tiling);
    EXPECT_EQ(counted, countOneByOne(guard, tiling)) << round;
    EXPECT_EQ(counted, countByElements(guard, tiling)) << round;
  }
}

TEST(CountWhere, BoundsWithoutSolutionHoldNowhere) {
  const mapping::Tiling tiling = tilingOf(6, 2);
  const Difference untrue{{}, {}, 1}, isTrue{{}, {}, 0};
  kernel::TileGuard numbers, bounds, always;
  addPart(numbers, {{untrue}, {}}, true);
  addPart(bounds, {{atLeast(0, 3), atMost(0, 2)}, {}}, true);
  addPart(always, {{isTrue}, {}}, true);
  EXPECT_EQ(count(numbers, tiling), 0);
  EXPECT_EQ(count(bounds, tiling), 0);
  EXPECT_EQ(count(always, tiling), 27);
}

}  // namespace
}  // namespace gridloom::cost
