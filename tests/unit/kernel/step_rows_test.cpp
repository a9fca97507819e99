// SPDX-License-Identifier: Apache-2.0
#include "kernel/step_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernel/tile_nest.h"
#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

std::string powerOf(const std::string& norm) {
  return "kernel power(T = 4, N = 32) {\n"
         "  tensor A[N, N]: f32  tensor b[N]: f32  tensor x[T + 1, N]: f32\n"
         "  local y[T, N]: f32  local n[T]: f32\n"
         "  x[0, i] = b[i]\n  y[t, i] = sum(j) A[i, j] * x[t, j]\n  n[t] = " +
         norm + "\n  x[t + 1, i] = y[t, i] / n[t]\n}\n";
}

std::string parallelOf(const Kernel& kernel) {
  const auto nest = tileNest(kernel);
  if (!nest) {
    ADD_FAILURE() << base::render(nest.diagnostics());
    return "";
  }
  return namesOf(kernel, nest->parallel);
}

TEST(StepRows, AreComputedAgainSoThatCoresShareTheStep) {
  const Kernel kernel = kernelOf(powerOf("sqrt(sum(i) y[t, i] * y[t, i])"));
  EXPECT_EQ(parallelOf(kernel), "i t2 ");
  ASSERT_TRUE(kernel.alternative);
  EXPECT_EQ(parallelOf(*kernel.alternative), "");
  const TensorValues inputs = sampleInputs(kernel, 3);
  EXPECT_EQ(valuesOf(kernel, inputs)["x"].data, valuesOf(kernel.asWritten(), inputs)["x"].data);
}

// A limit of the sum that reads is none of the norm that is put into it.
TEST(StepRows, KeepTheirLimitsToThemselves) {
  for (const std::string limit : {"j >= 3", "j <= i"}) {
    const Kernel kernel = kernelOf(
        "kernel power(T = 4, N = 32) {\n"
        "  tensor A[N, N]: f32  tensor b[N]: f32  tensor y[T + 1, N]: f32\n  local n[T]: f32\n"
        "  y[0, i] = b[i]\n  y[t + 1, i] = (sum(j) A[i, j] * y[t, j]) / n[t]  where " +
        limit + "\n  n[t] = sqrt(sum(i) y[t, i] * y[t, i])\n}\n");
    EXPECT_EQ(parallelOf(kernel), "i t2 ");
    const TensorValues inputs = sampleInputs(kernel, 3);
    EXPECT_EQ(valuesOf(kernel, inputs)["y"].data, valuesOf(kernel.asWritten(), inputs)["y"].data)
        << limit;
  }
}

// All cores would take as long for the norm as one of them for everything.
TEST(StepRows, AreNotComputedAgainWhereThatIsMuchWork) {
  const Kernel kernel = kernelOf(powerOf("sqrt(sum(i, j) A[i, j] * y[t, i] * y[t, j])"));
  EXPECT_EQ(parallelOf(kernel), "");
}

// One window of all elements of the step before, whatever the sums over it are called.
TEST(StepRows, OfOneTensorAreOneOperand) {
  const Kernel kernel = kernelOf(
      "kernel rows(T = 4, N = 32) {\n  tensor A[N, N]: f32  tensor y[T, N]: f32\n"
      "  y[0, i] = A[0, i]\n"
      "  y[t, i] = sum(j) A[i, j] * (y[t - 1, j] / sum(q) abs(y[t - 1, q]))  where t >= 1\n}\n");
  const auto nest = tileNest(kernel);
  ASSERT_TRUE(nest);
  EXPECT_EQ(std::ranges::count(nest->inputs, true, &Operand::produced), 1);
}

}  // namespace
}  // namespace gridloom::kernel
