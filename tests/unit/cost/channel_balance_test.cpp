// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cost/channel_balance.h"
#include "cost/edge_tile_fraction.h"
#include "cost/evaluator.h"
#include "support/problem.h"

namespace gridloom::cost {
namespace {

// Counts every page of every transfer; a transfer starts at the channel with the sum of its tile
// numbers.
double countedShare(const TiledCandidate& s, const kernel::Operand& operand, int level,
                    std::int64_t channels, double pages) {
  std::vector<std::int64_t> counts;
  for (const kernel::LoopId loop : operand.loops) {
    const mapping::LoopTiling& t = s.tiling.loops[loop.index()];
    counts.push_back(t.trips == 1 || isOutside(s, loop, level) ? t.tiles : t.unroll);
  }
  std::vector<double> load(static_cast<std::size_t>(channels), 0.0);
  std::vector<std::int64_t> at(counts.size(), 0);
  double all = 0;
  for (std::size_t d = 0; d < at.size();) {
    std::int64_t first = 0;
    for (const std::int64_t tile : at) first += tile;
    for (double page = 0; page < pages; ++page) {
      const double part = std::min(1.0, pages - page);
      load[static_cast<std::size_t>((first + static_cast<std::int64_t>(page)) % channels)] += part;
      all += part;
    }
    for (d = 0; d < at.size() && ++at[d] == counts[d]; ++d) at[d] = 0;
  }
  return *std::ranges::max_element(load) / all;
}

TEST(ChannelBalance, IsWhatCountingEveryPageGives) {
  const auto p =
      test::makeProblem(test::smallMesh(4, 3), "gemm", {{"M", 96}, {"N", 40}, {"K", 56}});
  const Evaluator evaluator(p.kernel, p.nest, p.hw, p.compute);
  int uneven = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const mapping::Mapping m = test::randomMapping(p, seed);
    if (m.inputs.empty()) continue;
    const TiledCandidate s = evaluator.candidate(m);
    for (const std::int64_t channels : {1, 2, 5, 12}) {
      for (const double pages : {0.25, 1.0, 2.5, 7.0, 29.75}) {
        const auto first = firstChannels(s, p.nest.inputs[0], m.inputs[0].level, channels);
        const double share = busiestShare(first, pages);
        const double counted =
            countedShare(s, p.nest.inputs[0], m.inputs[0].level, channels, pages);
        const double expected = first.empty() ? 0 : counted;
        EXPECT_NEAR(share, expected, 1e-9) << channels << " channels, " << pages << " pages";
        if (first.empty()) {
          EXPECT_NEAR(counted, 1.0 / static_cast<double>(channels), 1e-9);
        }
        uneven += counted > 1.2 / static_cast<double>(channels) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(uneven, 50);
}

// The last wave may leave some cores of a line without a tile.
TEST(TileShares, AGatherCountsTheCoresThatHaveATile) {
  const auto p = test::makeProblem(test::smallMesh(5, 1), "gemm", {{"M", 56}, {"N", 8}, {"K", 8}});
  const Evaluator evaluator(p.kernel, p.nest, p.hw, p.compute);
  mapping::Mapping m;
  m.tileSize = {8, 8, 8};
  m.space = {kernel::LoopId(0), kernel::LoopId()};
  m.dimOrder = {0, 1};
  m.order = {kernel::LoopId(0)};
  m.inputs.resize(2);
  m.outputs.resize(1);
  const TiledCandidate s = evaluator.candidate(m);
  // A transfer per wave: four others in the first wave of five tiles, one in the second of two.
  const Gathered perWave = gatheredAlong(s, 0, 1);
  EXPECT_EQ(perWave.average, 2.5);
  EXPECT_EQ(perWave.last, 1);
  // One transfer of both waves: every core has a tile of the first.
  const Gathered once = gatheredAlong(s, 0, 0);
  EXPECT_EQ(once.average, 4);
  EXPECT_EQ(once.last, 4);
}

// 33 elements in tiles of 32: a transfer of both tiles holds 33, not 64; of one tile each, the
// first is whole.
TEST(TileShares, TheFirstTransferHasTheEdgeTilesOfTheLoopsInsideIt) {
  const auto p = test::makeProblem(test::smallMesh(2, 1), "gemm", {{"M", 33}, {"N", 8}, {"K", 8}});
  const Evaluator evaluator(p.kernel, p.nest, p.hw, p.compute);
  mapping::Mapping m;
  m.tileSize = {32, 8, 8};
  m.space = {kernel::LoopId(), kernel::LoopId()};
  m.dimOrder = {0, 1};
  m.order = {kernel::LoopId(0)};
  m.inputs.resize(2);
  m.outputs.resize(1);
  const TiledCandidate s = evaluator.candidate(m);
  const EdgeShares once = edgeShares(s, p.nest.inputs[0], 0);
  EXPECT_DOUBLE_EQ(once.transfer, 33.0 / 64);
  EXPECT_DOUBLE_EQ(once.transfers, 1);
  const EdgeShares perTile = edgeShares(s, p.nest.inputs[0], 1);
  EXPECT_DOUBLE_EQ(perTile.transfer, 1);
  EXPECT_DOUBLE_EQ(perTile.transfers, 33.0 / 64);
}

}  // namespace
}  // namespace gridloom::cost
