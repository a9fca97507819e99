// SPDX-License-Identifier: Apache-2.0
#include "unit/timing/systolic_array.h"

#include <gtest/gtest.h>

#include "timing/op_cycles.h"

namespace gridloom::timing {
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

TEST(SystolicArray, TheClosedFormIsWhatClockingGives) {
  for (const std::int64_t rows : {1, 2, 7, 32}) {
    for (const std::int64_t columns : {1, 3, 20, 40}) {
      for (const std::int64_t stream : {1, 2, 40, 100}) {
        SCOPED_TRACE(testing::Message() << rows << " x " << columns << ", stream " << stream);
        for (const Stationary stationary :
             {Stationary::Output, Stationary::Weight, Stationary::Input}) {
          const auto array = arrayOf(stationary, rows, columns).systolic;
          EXPECT_EQ(foldCycles(array, stream), test::clockedFoldCycles(array, stream));
        }
      }
    }
  }
}

kernel::TileOp wideProduct() {
  kernel::TileOp op;
  op.unit = kernel::UnitKind::Matrix;
  op.m = {kernel::LoopId(0)};
  op.n = {kernel::LoopId(1)};
  op.k = {kernel::LoopId(2)};
  return op;
}

double cyclesOn(const hardware::ComputeModel& model, std::span<const std::int64_t> extents) {
  return opCycles(wideProduct(), extents, model);
}

TEST(SystolicArray, ProductsAreFolds) {
  // SCALE-Sim's golden traces: 256 x 128 x 256 on a 32 x 32 array, without their stalls.
  const std::int64_t golden[] = {256, 128, 256};
  EXPECT_EQ(cyclesOn(arrayOf(Stationary::Output, 32, 32), golden), 10176);
  EXPECT_EQ(cyclesOn(arrayOf(Stationary::Weight, 32, 32), golden), 11200);
}

TEST(SystolicArray, TwiceThePeakIsTwoArrays) {
  auto model = arrayOf(Stationary::Output, 4, 4);
  const std::int64_t extents[] = {12, 4, 10};
  EXPECT_EQ(cyclesOn(model, extents), 3 * 16);
  model.systolic.arrays = 2;
  EXPECT_EQ(cyclesOn(model, extents), 2 * 16) << "one array is idle in the second turn";
}

}  // namespace
}  // namespace gridloom::timing
