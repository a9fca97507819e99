// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "kernel/interpreter.h"
#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

const char* const kColumnsOfWindows =
    R"(kernel c(C = 3, K = 4, R = 3, P = 5) { tensor I[C, P + R - 1, P + R - 1]: f64
 tensor F[K, C * R * R]: f64 tensor O[K, P * P]: f64 local w[C * R * R, P * P]: f64
 for p in 0..P for q in 0..P for r in 0..R for s in 0..R
 w[R * R * c + R * r + s, P * p + q] = I[c, p + r, q + s]
 O[k, x] = sum(y) F[k, y] * w[y, x] }
)";

const char* const kKhatriRao = R"(kernel k(A = 3, B = 4, R = 2) { tensor X[A, R]: f64
 tensor Z[B, R]: f64 tensor W[A * B, R]: f64 tensor O[R]: f64 local T[A * B, R]: f64
 for a in 0..A for b in 0..B
 T[B * a + b, r] = X[a, r] * Z[b, r]
 O[r] = sum(p) W[p, r] * T[p, r] }
)";

struct Case {
  const char* text;
  Sizes sizes;
};

// A tensor that is an output keeps the indices that it has: its values are what those of a local
// mean.
TEST(JoinedIndices, MeanWhatTheyMeanInAnOutput) {
  const Case cases[] = {{kColumnsOfWindows, {}},
                        {kColumnsOfWindows, {{"R", 1}}},
                        {kColumnsOfWindows, {{"P", 1}}},
                        {kColumnsOfWindows, {{"R", 1}, {"P", 1}}},
                        {kColumnsOfWindows, {{"C", 1}, {"R", 2}}},
                        {kColumnsOfWindows, {{"C", 1}, {"R", 1}, {"P", 1}}},
                        {kKhatriRao, {}},
                        {kKhatriRao, {{"A", 1}}},
                        {kKhatriRao, {{"B", 1}}}};
  for (const Case& each : cases) {
    const std::string text = each.text;
    std::string asOutput = text;
    asOutput.replace(asOutput.find("local"), 5, "tensor");
    const Kernel kernel = kernelOf(text, each.sizes), plain = kernelOf(asOutput, each.sizes);
    const TensorValues inputs = sampleInputs(plain, 7);
    EXPECT_EQ(valuesOf(kernel, inputs)["O"].data, valuesOf(plain, inputs)["O"].data) << text;
  }
}

}  // namespace
}  // namespace gridloom::kernel
