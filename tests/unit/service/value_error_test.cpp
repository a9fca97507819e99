// SPDX-License-Identifier: Apache-2.0
#include "kernel/value_error.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "service/tensor_files.h"
#include "service/workspace.h"
#include "support/problem.h"

namespace gridloom::service {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct ValueError : testing::Test {
  test::Problem p = test::makeProblem(test::smallMesh(2, 2), "vector_add", {{"N", 3}});

  static kernel::TensorValues outputs(std::vector<double> c) {
    kernel::TensorValues values;
    values["c"].data = std::move(c);
    return values;
  }
  double errorOf(std::vector<double> got, std::vector<double> reference) const {
    return valueError(p.kernel, outputs(std::move(got)), outputs(std::move(reference)));
  }
};

TEST_F(ValueError, IsRelativeToTheLargestMagnitude) {
  EXPECT_EQ(errorOf({1, 2, -4}, {1, 2, -4}), 0);
  EXPECT_EQ(errorOf({1, 2, -4}, {1, 3, -4}), 0.25);
  EXPECT_EQ(errorOf({0, 2, 0}, {0, 0, 0}), 2);
}

TEST_F(ValueError, ElementsNeverWrittenAreInfinitelyWrong) {
  EXPECT_EQ(errorOf({1, kNan, -4}, {1, 2, -4}), kInfinity);
  EXPECT_EQ(errorOf({kNan, kNan, kNan}, {1, 2, -4}), kInfinity);
  EXPECT_EQ(errorOf({1, 2, -4}, {1, kNan, -4}), kInfinity);
  EXPECT_EQ(errorOf({1, 2}, {1, 2, -4}), kInfinity);
  EXPECT_EQ(valueError(p.kernel, {}, outputs({1, 2, -4})), kInfinity);
}

TEST_F(ValueError, InfinitiesOfTheReferenceMustBeMet) {
  EXPECT_EQ(errorOf({-kInfinity, kNan, 2}, {-kInfinity, kNan, 4}), 0.5);
  EXPECT_EQ(errorOf({1, kInfinity, 4}, {1, -kInfinity, 4}), kInfinity);
  EXPECT_EQ(errorOf({1, 3, 4}, {1, kInfinity, 4}), kInfinity);
}

// A sum is computed apart from the `select` around it, which keeps its reads inside of A.
TEST(ValuesOfASum, AreOfWhatASelectChooses) {
  for (const char* sum : {"select(i >= 1, sum(k) A[i - 1, k] * B[k, j], 0)",
                          "select(i == 0, 7, max(k) (A[i - 1, k] + B[k, j])) * 2",
                          "select(i > 1 and A[i, 0] > 0, sum(k) A[i - 1, k] * B[k, j], B[0, j])",
                          "select(idx[i] >= 0, sum(k) A[idx[i], k] * B[k, j], 0)"}) {
    base::Progress progress;
    const auto hardware = *openHardware(base::makeSource("mesh.hw", test::smallMesh(2, 2)));
    const auto kernel = openKernel(
        base::makeSource("k.rec", std::string("kernel k(M = 12, N = 8, K = 8) {\n"
                                              "  tensor A[M, K]: f32  tensor B[K, N]: f32\n"
                                              "  tensor idx[M]: i32  tensor Y[M, N]: f32\n"
                                              "  Y[i, j] = ") +
                                      sum + " + 0 * idx[i]\n}\n"),
        {});
    ASSERT_TRUE(kernel) << base::render(kernel.diagnostics());
    const auto explored = explore(hardware, *kernel, {}, {1, 1, ""}, progress);
    ASSERT_TRUE(explored) << base::render(explored.diagnostics());
    ASSERT_FALSE((*explored)->top.empty()) << sum;
    SimulateOptions options{"", true, false};
    options.inputs = kernel::sampleInputs((*kernel)->kernel, 5);
    for (double& index : options.inputs.at("idx").data) index -= 6;
    const auto run = simulateMapping(hardware, *kernel, (*explored)->top[0].candidate.mapping,
                                     options, progress);
    ASSERT_TRUE(run) << sum << base::render(run.diagnostics());
    EXPECT_LE((*run)->valueError.value(), 1e-9) << sum;
  }
}

void expectValuesOf(const char* text) {
  base::Progress progress;
  const auto hardware = *openHardware(base::makeSource("mesh.hw", test::smallMesh(2, 2)));
  const auto kernel = openKernel(base::makeSource("k.rec", text), {});
  ASSERT_TRUE(kernel) << base::render(kernel.diagnostics());
  const auto explored = explore(hardware, *kernel, {}, {1, 1, ""}, progress);
  ASSERT_TRUE(explored) << base::render(explored.diagnostics());
  ASSERT_FALSE((*explored)->top.empty());
  const auto run = simulateMapping(hardware, *kernel, (*explored)->top[0].candidate.mapping,
                                   {"", true, false}, progress);
  ASSERT_TRUE(run) << base::render(run.diagnostics());
  EXPECT_LE((*run)->valueError.value(), 1e-9);
}

TEST(ValuesOfACopy, BesideAReductionAreWritten) {
  expectValuesOf(R"(kernel copy(M = 8, N = 8, K = 8) {
  tensor A[M, K]: f32
  tensor B[K, N]: f32
  tensor E[M, N]: f32
  tensor C[M, N]: f32
  tensor D[M, N]: f32
  C[i, j] = sum(k) A[i, k] * B[k, j]
  D[i, j] = E[i, j]
}
)");
}

// A root of a negative number is a value like others, and later iterations take it.
TEST(ValuesThatAreNoNumbers, AreComputedAndPassedOn) {
  expectValuesOf(R"(kernel roots(N = 16) {
  tensor A[N, N]: f32
  tensor O[N, N]: f32
  O[i, j] = sqrt(0 - 1 - A[i, j] * A[i, j])  where i == 0
  O[i, j] = O[i - 1, j] + A[i, j]  where i >= 1
}
)");
}

// Element types change times, not values: a maximum of i8 may be below -128.
TEST(ValuesOfASoftmax, DoNotDependOnTheTypeOfItsMaximum) {
  for (const char* type : {"i8", "i32", "f16", "f32"}) {
    SCOPED_TRACE(type);
    expectValuesOf((std::string("kernel low(N = 16, K = 8) {\n"
                                "  tensor A[N, K]: f32  tensor Y[N]: f32\n"
                                "  local m[N]: ") +
                    type +
                    "\n"
                    "  m[i] = max(k) (A[i, k] - 1e12)\n"
                    "  Y[i] = sum(k) exp(A[i, k] - 1e12 - m[i])\n"
                    "}\n")
                       .c_str());
  }
}

// The gates become tensors of their own, which the kernel that was written does not have.
constexpr const char* kGates = R"(kernel gates(T = 6, N = 8, M = 8) {
  tensor U[4, N, M]: f32  tensor X[T, N, 4]: f32  tensor Y[T, N]: f32
  local g[T, N, 4]: f32
  local c[T, N]: f32 = 0
  local h[T, N]: f32 = 0
  g[t, n, q] = X[t, n, q] + sum(m) U[q, n, m] * h[t - 1, m]
  c[t, n] = sigmoid(g[t, n, 0]) * c[t - 1, n] + sigmoid(g[t, n, 1]) * tanh(g[t, n, 2])
  h[t, n] = sigmoid(g[t, n, 3]) * tanh(c[t, n])
  Y[t, n] = h[t, n]
}
)";

TEST(ValuesOfGates, InOneLocalAreThoseOfTheKernelAsWritten) { expectValuesOf(kGates); }

TEST(ValuesOfGates, AreNoOutputs) {
  const auto kernel = openKernel(base::makeSource("gates.rec", kGates), {});
  ASSERT_TRUE(kernel) << base::render(kernel.diagnostics());
  EXPECT_TRUE(tensorFilesOf(**kernel, std::vector<std::string>{"Y=y.npy"}, true, "--out"));
  EXPECT_FALSE(tensorFilesOf(**kernel, std::vector<std::string>{"g0=g.npy"}, true, "--out"));
  const auto inputs = inputsFrom(**kernel, {});
  ASSERT_TRUE(inputs);
  const auto values = interpretKernel(**kernel, *inputs);
  ASSERT_TRUE(values);
  EXPECT_EQ(values->count("h"), 0U);
  EXPECT_EQ(values->count("Y"), 1U);
}

}  // namespace
}  // namespace gridloom::service
