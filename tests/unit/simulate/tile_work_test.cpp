// SPDX-License-Identifier: Apache-2.0
#include "simulate/tile_work.h"

#include <gtest/gtest.h>

#include "schedule/placement.h"
#include "unit/simulate/run.h"

namespace gridloom::simulate {
namespace {

using kernel::LoopId;

hardware::ComputeModel model() {
  hardware::ComputeModel c;
  c.matrixShape[0] = c.matrixShape[1] = c.matrixShape[2] = 4;
  c.matrixPeak = c.matrixSustained = 128;
  c.vectorLanes = 4;
  c.vectorDefault = 2;
  return c;
}

TEST(TileWork, EdgeTilesAndHoistedTransfersSumActualElements) {
  // 10 = 4 + 4 + 2 along each loop; i over two cores: core 0 has tiles 0 and 2, core 1 has tile 1.
  const test::Problem p =
      makeProblem(test::smallMesh(2, 1), "gemm", {{"M", 10}, {"N", 10}, {"K", 10}});
  mapping::Mapping m;
  m.tileSize.assign(3, 4);
  m.space = {LoopId(0), {}};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0), LoopId(1), LoopId(2)};
  m.inputs = {{mapping::MovementKind::Direct, 0, 0, 1, 1},
              {mapping::MovementKind::Direct, 0, 0, 3, 1}};
  m.outputs = {{}};
  const schedule::VerifiedSchedule s = test::verified(lowered(p, m), p);
  const schedule::Placement& placement = s->placement;
  const auto compute = model();
  auto work = TileWork::make(*s, compute);
  ASSERT_TRUE(work.ok());
  const std::int32_t first = placement.shapeIndex(0), second = placement.shapeIndex(1);
  EXPECT_EQ(placement.waves(0, 0), 2);
  EXPECT_EQ(placement.waves(1, 0), 1);
  EXPECT_EQ(work->inputBytes(0, first, 0), 4 * 10 * 2) << "a strip of A: all of k";
  EXPECT_EQ(work->inputBytes(0, first, 1), 2 * 10 * 2) << "its last strip has two rows";
  EXPECT_EQ(work->inputBytes(0, second, 0), 4 * 10 * 2);
  EXPECT_EQ(work->inputBytes(1, first, 0b110), 2 * 2 * 2);
  const std::int32_t waves[] = {1, 2, 2};
  EXPECT_EQ(work->edges(first, waves, 3), 0b111u);
  EXPECT_EQ(work->edges(first, waves, 1), 0b001u);
  const std::int32_t only[] = {0, 2, 0};
  EXPECT_EQ(work->edges(second, only, 3), 0b010u) << "core 1 never has i's last tile";
}

TEST(TileWork, WhatNoUnitCanDoIsAnError) {
  const test::Problem p = makeProblem(test::smallMesh(1, 1, 1), "vector_add", {{"N", 64}});
  const schedule::VerifiedSchedule s = test::verified(lowered(p, addInTiles(1, 1)), p);
  auto c = model();
  c.vectorDefault = 0;
  const auto work = TileWork::make(*s, c);
  ASSERT_FALSE(work.ok());
  EXPECT_NE(work.diagnostics().front().message.find("`add`"), std::string::npos);
}

}  // namespace
}  // namespace gridloom::simulate
