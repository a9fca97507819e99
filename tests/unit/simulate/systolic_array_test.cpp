// SPDX-License-Identifier: Apache-2.0
#include "simulate/systolic_array.h"

#include <gtest/gtest.h>

#include "cost/compute.h"
#include "simulate/tile_work.h"

namespace gridloom::simulate {
namespace {

using hardware::Stationary;

hardware::ComputeModel arrayOf(Stationary stationary, std::int64_t rows, std::int64_t columns) {
  hardware::MatrixUnit unit;
  unit.systolic = stationary;
  if (stationary == Stationary::Output) unit.shape = {rows, columns, 1};
  if (stationary == Stationary::Weight) unit.shape = {1, columns, rows};
  if (stationary == Stationary::Input) unit.shape = {columns, 1, rows};
  hardware::ComputeModel model;
  model.matrixPeak = model.matrixSustained = 2.0 * static_cast<double>(rows * columns);
  std::copy_n(unit.shape.begin(), 3, model.matrixShape);
  model.systolic = hardware::systolicShape(unit, model.matrixPeak);
  return model;
}

TEST(SystolicArray, AWaveCrossesTheWholeArray) {
  for (const std::int64_t rows : {1, 2, 7, 32, 65, 100}) {
    for (const std::int64_t columns : {1, 3, 32, 80}) {
      for (const std::int64_t stream : {1, 2, 40, 256, 257, 1000}) {
        SCOPED_TRACE(testing::Message() << rows << " x " << columns << ", stream " << stream);
        EXPECT_EQ(foldCycles(arrayOf(Stationary::Output, rows, columns).systolic, stream),
                  stream + rows + columns - 2);
        for (const Stationary stationary : {Stationary::Weight, Stationary::Input}) {
          EXPECT_EQ(foldCycles(arrayOf(stationary, rows, columns).systolic, stream),
                    stream + 2 * rows + columns - 2)
              << "the operand that stays is pushed in first";
        }
      }
    }
  }
}

kernel::TileOp product() {
  kernel::TileOp op;
  op.unit = kernel::UnitKind::Matrix;
  op.m = {kernel::LoopId(0)};
  op.n = {kernel::LoopId(1)};
  op.k = {kernel::LoopId(2)};
  return op;
}

double cyclesOn(const hardware::ComputeModel& model, std::span<const std::int64_t> extents) {
  FoldTable folds(model.systolic);
  return cyclesOf(product(), extents, model, folds);
}

TEST(FoldTable, GivesWhatClockingGives) {
  for (const Stationary stationary : {Stationary::Output, Stationary::Weight}) {
    const auto array = arrayOf(stationary, 7, 12).systolic;
    FoldTable folds(array);
    for (int again = 0; again < 2; ++again) {
      for (const std::int64_t stream : {1, 2, 40, 256, 257, 1000}) {
        EXPECT_EQ(folds.cycles(stream), foldCycles(array, stream)) << stream;
      }
    }
  }
}

TEST(FoldTable, EveryArrayHasItsOwn) {
  FoldTables tables;
  const auto small = arrayOf(Stationary::Output, 4, 4).systolic;
  const auto large = arrayOf(Stationary::Output, 8, 8).systolic;
  EXPECT_EQ(&tables.of(small), &tables.of(small));
  EXPECT_NE(&tables.of(small), &tables.of(large));
  EXPECT_EQ(tables.of(large).cycles(3), foldCycles(large, 3));
}

TEST(SystolicArray, ProductsAreFoldsAndTheModelAgrees) {
  // SCALE-Sim's golden traces: 256 x 128 x 256 on a 32 x 32 array, without their stalls.
  const std::int64_t golden[] = {256, 128, 256};
  EXPECT_EQ(cyclesOn(arrayOf(Stationary::Output, 32, 32), golden), 10176);
  EXPECT_EQ(cyclesOn(arrayOf(Stationary::Weight, 32, 32), golden), 11200);
  for (const Stationary stationary : {Stationary::Output, Stationary::Weight, Stationary::Input}) {
    const auto model = arrayOf(stationary, 8, 16);
    for (const std::int64_t m : {1, 8, 33}) {
      for (const std::int64_t n : {5, 16, 40}) {
        for (const std::int64_t k : {1, 9, 300}) {
          const std::int64_t extents[] = {m, n, k};
          EXPECT_EQ(cyclesOn(model, extents), cost::opCycles(product(), extents, model));
        }
      }
    }
  }
}

TEST(SystolicArray, TwiceThePeakIsTwoArrays) {
  auto model = arrayOf(Stationary::Output, 4, 4);
  const std::int64_t extents[] = {12, 4, 10};
  EXPECT_EQ(cyclesOn(model, extents), 3 * 16);
  model.systolic.arrays = 2;
  EXPECT_EQ(cyclesOn(model, extents), 2 * 16) << "one array is idle in the second turn";
}

}  // namespace
}  // namespace gridloom::simulate
