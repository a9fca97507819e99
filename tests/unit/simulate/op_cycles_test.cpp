// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "schedule/placement.h"
#include "simulate/tile_work.h"
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

kernel::TileOp product() {
  kernel::TileOp op;
  op.unit = kernel::UnitKind::Matrix;
  op.m = {LoopId(0)};
  op.n = {LoopId(1)};
  op.k = {LoopId(2)};
  return op;
}

const std::int64_t kExtents[] = {5, 6, 7};

double cyclesOn(const hardware::ComputeModel& c, const kernel::TileOp& op) {
  FoldTable folds(c.systolic);
  return cyclesOf(op, kExtents, c, folds);
}

TEST(OpCycles, IntrinsicsAreWhole) {
  EXPECT_DOUBLE_EQ(cyclesOn(model(), product()), 2.0 * 8 * 8 * 8 / 128);
}

TEST(OpCycles, SmallOutputsRunBelowTheFullRate) {
  auto c = model();
  c.fullRateOutput = 256;  // a quarter of it is there: 8 x 8
  EXPECT_DOUBLE_EQ(cyclesOn(c, product()), 4 * 2.0 * 8 * 8 * 8 / 128);
  c.fullRateOutput = 32;
  EXPECT_DOUBLE_EQ(cyclesOn(c, product()), 2.0 * 8 * 8 * 8 / 128);
}

TEST(OpCycles, FixedCostsArePerOperationAndPerPaddedOutput) {
  auto c = model();
  c.issuePerOutput = 0.5;
  c.matrixIssue = 11;
  EXPECT_DOUBLE_EQ(cyclesOn(c, product()), 8 + 0.5 * 8 * 8 + 11);
}

TEST(OpCycles, WithoutMatrixUnitTheVectorUnitMultipliesAndAdds) {
  auto c = model();
  c.matrixPeak = c.matrixSustained = 0;
  EXPECT_DOUBLE_EQ(cyclesOn(c, product()), 5.0 * 6 * 7 / 2);
}

TEST(OpCycles, VectorRatesByFunctionWithFallbacks) {
  auto c = model();
  c.vectorRates = {{"exp", 1}, {"reduce", 8}};
  kernel::TileOp op;
  op.loops = {LoopId(0), LoopId(1)};  // 30 elements, 8 times 4 lanes
  op.fn = kernel::VectorFn::Exp;
  EXPECT_DOUBLE_EQ(cyclesOn(c, op), 32);
  op.fn = kernel::VectorFn::MaxReduce;
  EXPECT_DOUBLE_EQ(cyclesOn(c, op), 4);
  op.fn = kernel::VectorFn::Div;
  c.vectorIssue = 3;
  EXPECT_DOUBLE_EQ(cyclesOn(c, op), 16 + 3);
}

TEST(TileWork, RaggedTilesAndHoistedTransfersSumActualElements) {
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
  const schedule::Schedule s = lowered(p, m);
  const schedule::Placement placement(s.mapping, s.tiling, p.hw);
  const auto compute = model();
  FoldTable folds(compute.systolic);
  auto work = TileWork::make(s, placement, p.nest, compute, folds);
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
  const schedule::Schedule s = lowered(p, addInTiles(1, 1));
  const schedule::Placement placement(s.mapping, s.tiling, p.hw);
  auto c = model();
  c.vectorDefault = 0;
  FoldTable folds(c.systolic);
  const auto work = TileWork::make(s, placement, p.nest, c, folds);
  ASSERT_FALSE(work.ok());
  EXPECT_NE(work.diagnostics().front().message.find("`add`"), std::string::npos);
}

}  // namespace
}  // namespace gridloom::simulate
