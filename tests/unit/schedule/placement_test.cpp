// SPDX-License-Identifier: Apache-2.0
#include "schedule/placement.h"

#include <gtest/gtest.h>

#include "support/problem.h"

namespace gridloom::schedule {
namespace {

using kernel::LoopId;

// 11 tiles of i over 2 x 3 cores, both dimensions carrying i: tile = (wave * 2 + x) * 3 + y, or the
// other way round.
struct BothDimensions : testing::TestWithParam<bool> {
  test::Problem p =
      test::makeProblem(test::smallMesh(2, 3, 3), "gemm", {{"M", 21}, {"N", 4}, {"K", 4}});
  mapping::Mapping m = [] {
    mapping::Mapping mapping;
    mapping.tileSize = {2, 4, 4};
    mapping.space = {LoopId(0), LoopId(0)};
    mapping.dimOrder = {0, 1};
    if (GetParam()) mapping.dimOrder = {1, 0};
    mapping.order = {LoopId(0)};
    mapping.inputs.resize(2);
    mapping.outputs.resize(1);
    return mapping;
  }();
  mapping::Tiling tiling = mapping::tilingOf(m, p.kernel, p.hw);
};

TEST_P(BothDimensions, WavesAndEdgesAgreeWithEnumeration) {
  const Placement placement(m, tiling, p.hw);
  std::vector<int> seen(11, 0);
  for (std::int32_t core = 0; core < 6; ++core) {
    const std::int32_t x = placement.coordinate(core, 0), y = placement.coordinate(core, 1);
    const std::int64_t way = GetParam() ? y * 2 + x : x * 3 + y;
    EXPECT_EQ(placement.unrollIndexOf(core, LoopId(0)), way);
    std::int32_t waves = 0;
    for (std::int64_t tile = way; tile < 11; tile += 6) {
      ++waves;
      ++seen[static_cast<std::size_t>(tile)];
    }
    ASSERT_TRUE(placement.active(core));
    EXPECT_EQ(placement.waves(core, 0), waves);
    const TileShape& shape =
        placement.shapes()[static_cast<std::size_t>(placement.shapeIndex(core))];
    EXPECT_EQ(shape.hasEdgeTile[0] != 0, way == 10 % 6) << "tile 10 has one row";
  }
  for (const int times : seen) EXPECT_EQ(times, 1) << "every tile is worked on once";
}

INSTANTIATE_TEST_SUITE_P(Orders, BothDimensions, testing::Bool());

TEST(Placement, CoresWithoutTilesAreIdle) {
  const test::Problem p =
      test::makeProblem(test::smallMesh(4, 2), "gemm", {{"M", 6}, {"N", 4}, {"K", 4}});
  mapping::Mapping m;
  m.tileSize = {2, 4, 4};
  m.space = {LoopId(0), {}};
  m.dimOrder = {0, 1};
  m.inputs.resize(2);
  m.outputs.resize(1);
  const Placement placement(m, mapping::tilingOf(m, p.kernel, p.hw), p.hw);
  EXPECT_EQ(placement.activeCores(), 3);
  EXPECT_EQ(placement.activeAlong(0, 0), 3);
  EXPECT_EQ(placement.activeAlong(0, 1), 1) << "y carries no loop: coordinate 0 only";
  EXPECT_FALSE(placement.active(placement.moved(0, 0, 3)));
  EXPECT_EQ(placement.moved(0, 0, 4), -1);
  EXPECT_FALSE(placement.active(-1));
  EXPECT_EQ(placement.rootOf(7, 0b11), 0);
  EXPECT_EQ(placement.rootOf(7, 0b01), placement.moved(0, 1, 1));
}

}  // namespace
}  // namespace gridloom::schedule
