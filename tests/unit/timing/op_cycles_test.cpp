// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "timing/op_cycles.h"

namespace gridloom::timing {
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
  return opCycles(op, kExtents, c);
}

TEST(PinnedUnit, PerformsTheProductThoughAnotherIsFaster) {
  hardware::ComputeModel c = model();
  kernel::TileOp op = product();
  EXPECT_EQ(opTime(op, kExtents, c).unit, kernel::UnitKind::Matrix);
  const double matrix = opCycles(op, kExtents, c);
  op.pinned = kernel::UnitKind::Vector;
  const OpTime pinned = opTime(op, kExtents, c);
  EXPECT_EQ(pinned.unit, kernel::UnitKind::Vector);
  EXPECT_GT(pinned.cycles, matrix);
  EXPECT_EQ(cyclesOnUnit(kernel::UnitKind::Matrix, op, kExtents, c), matrix);
  EXPECT_EQ(cyclesOnUnit(kernel::UnitKind::Vector, op, kExtents, c), pinned.cycles);
  EXPECT_LT(productRate(op, c), productRate(c));
  // The parts of its time add up on the pinned unit.
  double sum = 0;
  for (const double part : opParts(op, kExtents, computeLadder(c))) sum += part;
  EXPECT_DOUBLE_EQ(sum, pinned.cycles);
  // A systolic array is not asked by itself whether another unit is faster.
  c.systolic.stationary = hardware::Stationary::Output;
  c.systolic.rows = c.systolic.columns = 4;
  EXPECT_EQ(opTime(op, kExtents, c).unit, kernel::UnitKind::Vector);
  EXPECT_EQ(opCycles(op, kExtents, c), pinned.cycles);
  c.vectorDefault = 0;
  EXPECT_FALSE(cyclesOnUnit(kernel::UnitKind::Vector, op, kExtents, c));
}

TEST(UnitCycles, AddUpUnlessTheVectorUnitIsChained) {
  hardware::ComputeModel c = model();
  const kernel::TileNest nest;
  UnitCycles cycles;
  cycles.add({10, kernel::UnitKind::Matrix});
  cycles.add({3, kernel::UnitKind::Vector}, 2);
  EXPECT_DOUBLE_EQ(cycles.chained(c, nest).total(), 16);
  c.chained = true;
  EXPECT_DOUBLE_EQ(cycles.chained(c, nest).total(), 10);
  cycles.add({7, kernel::UnitKind::Vector});
  EXPECT_DOUBLE_EQ(cycles.chained(c, nest).total(), 13);
  EXPECT_DOUBLE_EQ(cycles.chained(c, nest).vector, 3);
  // Cores wait for each other between the parts of an iteration.
  kernel::TileNest cut;
  cut.allReduces.emplace_back();
  EXPECT_DOUBLE_EQ(cycles.chained(c, cut).total(), 23);
  // Work in front of a product may make its operands.
  cycles.add({1, kernel::UnitKind::Matrix});
  EXPECT_DOUBLE_EQ(cycles.chained(c, nest).total(), 24);
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

// Six vectors of 7, each for a matrix of 5 rows: 7 products of 30 elements and 6 additions, as if
// they were written out.
TEST(OpCycles, AMatrixTimesAVectorTakesTheFasterUnit) {
  auto c = model();
  auto op = product();
  op.batch = op.n;
  op.n.clear();
  const double onMatrixUnit = cyclesOn(c, op);
  EXPECT_DOUBLE_EQ(onMatrixUnit, 6 * 2.0 * 8 * 4 * 8 / 128);
  c.vectorRates = {{"mul", 32}, {"add", 16}};
  EXPECT_DOUBLE_EQ(cyclesOn(c, op), 7.0 * (1 + 2));
  c.vectorRates = {{"mul", 0.001}, {"add", 0.001}};
  EXPECT_DOUBLE_EQ(cyclesOn(c, op), onMatrixUnit);
}

// A product of 5 x 7 and 7 x 6: 7 products of 30 elements, padded to 32, and 7 additions.
TEST(OpCycles, ASmallProductTakesTheFasterUnitUnlessTheCoreIsAnArray) {
  auto c = model();
  const double onMatrixUnit = cyclesOn(c, product());
  EXPECT_DOUBLE_EQ(onMatrixUnit, 2.0 * 8 * 8 * 8 / 128);
  c.vectorRates = {{"mul", 128}, {"add", 64}};
  EXPECT_DOUBLE_EQ(cyclesOn(c, product()), 7 * (32.0 / 128 + 32.0 / 64));
  c.vectorIssue = 1;
  EXPECT_DOUBLE_EQ(cyclesOn(c, product()), onMatrixUnit);
  c.vectorIssue = 0;
  c.systolic = {.stationary = hardware::Stationary::Output, .rows = 4, .columns = 4};
  EXPECT_DOUBLE_EQ(cyclesOn(c, product()), 4 * (7 + 4 + 4 - 2));
}

TEST(OpCycles, NoProductExceedsTheProductRate) {
  auto c = model();
  for (const double matrix : {0.5, 128.0}) {
    for (const double multiply : {0.0, 2.0, 128.0}) {
      for (const double add : {0.0, 3.0, 64.0}) {
        c.matrixPeak = c.matrixSustained = matrix;
        c.vectorRates = {{"mul", multiply}, {"add", add}};
        EXPECT_GE(cyclesOn(c, product()) * productRate(c) * (1 + 1e-12), 2.0 * 5 * 6 * 7)
            << matrix << ' ' << multiply << ' ' << add;
      }
    }
  }
  c.vectorRates = {{"mul", 1000}, {"add", 1000}};
  c.matrixPeak = c.matrixSustained = 1;
  EXPECT_DOUBLE_EQ(productRate(c), 1000);
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

std::array<double, kComputeParts> partsOf(const hardware::ComputeModel& compute,
                                          const kernel::TileOp& op) {
  const std::vector<std::int64_t> extents{5, 6, 7};
  const auto parts = opParts(op, extents, computeLadder(compute));
  EXPECT_DOUBLE_EQ(std::accumulate(parts.begin(), parts.end(), 0.0), cyclesOn(compute, op));
  return parts;
}

TEST(ComputeLadder, DividesAMatrixOperation) {
  auto c = model();
  c.matrixPeak = 256;  // of which 128 are sustained
  c.issuePerOutput = 0.5;
  c.matrixIssue = 11;
  const auto parts = partsOf(c, product());  // 5 x 6 x 7 in intrinsics of 4 x 4 x 4
  const double flops = 2.0 * 5 * 6 * 7;
  EXPECT_DOUBLE_EQ(parts[0], flops / 256);
  EXPECT_DOUBLE_EQ(parts[1], flops / 128 - flops / 256);
  EXPECT_DOUBLE_EQ(parts[2], 0.5 * 5 * 6 + 11);
  EXPECT_DOUBLE_EQ(parts[3], 0);
  EXPECT_NEAR(parts[4], (2.0 * 8 * 8 * 8 - flops) / 128 + 0.5 * (8 * 8 - 5 * 6), 1e-12);
}

TEST(ComputeLadder, SmallOutputsAreUnitFill) {
  auto c = model();
  c.fullRateOutput = 256;
  const double flops = 2.0 * 5 * 6 * 7;
  EXPECT_NEAR(partsOf(c, product())[3], flops / 128 * (256.0 / 30 - 1), 1e-12);
}

// What the matrix unit would have lost is no part of what the vector unit takes.
TEST(ComputeLadder, AProductOnTheVectorUnitIsDividedAsOne) {
  auto c = model();
  c.issuePerOutput = 100;
  c.vectorRates = {{"mul", 128}, {"add", 64}};
  c.vectorIssue = 0.5;
  const std::vector<std::int64_t> extents{5, 6, 7};
  EXPECT_EQ(opTime(product(), extents, c).unit, kernel::UnitKind::Vector);
  const auto parts = partsOf(c, product());  // 7 products and 7 sums of 30 elements, padded to 32
  EXPECT_DOUBLE_EQ(parts[0], 2.0 * 5 * 6 * 7 / c.peakFlops());
  EXPECT_DOUBLE_EQ(parts[2], 14 * 0.5);
  EXPECT_DOUBLE_EQ(parts[3], 0);
  EXPECT_NEAR(parts[4], 7 * (2.0 / 128 + 2.0 / 64), 1e-12);
  c.vectorIssue = 1e6;
  EXPECT_EQ(opTime(product(), extents, c).unit, kernel::UnitKind::Matrix);
}

TEST(ComputeLadder, AVectorFunctionBelowThePeakIsUnitRate) {
  auto c = model();
  c.vectorRates = {{"exp", 1}};
  c.vectorIssue = 3;
  kernel::TileOp op;
  op.loops = {LoopId(0), LoopId(1)};  // 30 elements, 8 times 4 lanes
  op.fn = kernel::VectorFn::Exp;
  const auto parts = partsOf(c, op);
  EXPECT_DOUBLE_EQ(parts[0], 30 / c.peakFlops());
  EXPECT_DOUBLE_EQ(parts[1], 30 - 30 / c.peakFlops());
  EXPECT_DOUBLE_EQ(parts[2], 3);
  EXPECT_DOUBLE_EQ(parts[4], 2);
}

}  // namespace
}  // namespace gridloom::timing
