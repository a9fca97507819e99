// SPDX-License-Identifier: Apache-2.0
#include "kernel/inlined_neighbours.h"

#include <gtest/gtest.h>

#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

const std::string kHead =
    "kernel fields(T = 4, N = 9) {\n"
    "  tensor A[N]: f32  tensor e[T, N]: f32  tensor h[T, N]: f32\n";
const std::string kField =
    "  e[0, i] = A[i]\n  h[0, i] = 0\n  h[t, N - 1] = 1  where t >= 1\n"
    "  h[t, i] = h[t - 1, i] - 0.5 * e[t, i + 1]  where t >= 1, i < N - 1\n";

// The range of a loop says as much as a `where` about what a statement defines.
TEST(InlinedNeighbours, OfSeveralStatementsAreTheOneThatDefinesTheElement) {
  const Kernel kernel =
      kernelOf(kHead + "  for a in 0..3, b in 0..6\n" + kField +
               "  e[t, a] = 2 * e[t - 1, a] - h[t - 1, a]  where t >= 1\n"
               "  e[t, b] = 3 * e[t - 1, b] - h[t - 1, b]  where t >= 1, b >= 3\n"
               "  e[t, i] = 4 * e[t - 1, i] - h[t - 1, i]  where t >= 1, i >= 6\n}\n")
          .asWritten();
  const auto inlined = withInlinedNeighbours(kernel);
  ASSERT_TRUE(inlined);
  const TensorValues inputs = sampleInputs(kernel, 3);
  EXPECT_EQ(valuesOf(*inlined, inputs)["h"].data, valuesOf(kernel, inputs)["h"].data);
}

// Indices that are values grow where another element is read.
TEST(InlinedNeighbours, DoNotMakeLongStatements) {
  const auto sumOf = [](int terms) {
    std::string text;
    for (int t = 0; t < terms; ++t) text += " + i";
    return kHead + kField + "  e[t, i] = e[t - 1, i] - h[t - 1, i]" + text + "  where t >= 1\n}\n";
  };
  EXPECT_TRUE(withInlinedNeighbours(kernelOf(sumOf(30)).asWritten()));
  EXPECT_FALSE(withInlinedNeighbours(kernelOf(sumOf(60)).asWritten()));
}

}  // namespace
}  // namespace gridloom::kernel
