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

// Larger than its loops, by rows and by a part of a group.
const char* const kLargerLocal = R"(kernel g(H = 4, W = 3, L = 1) { tensor I[H, W]: f64
 tensor O[2 * H, W]: f64 local T[2 * H + L - 1, W]: f64
 for y in 0..H for z in 0..2 * H for a in 0..2
 T[2 * y + a, x] = I[y, x] * (1 + a)
 O[z, x] = T[z, x] * 3 }
)";

// The reader does not reach the last element of a group.
const char* const kOddReader = R"(kernel o(H = 4, W = 3) { tensor I[H, W]: f64
 tensor O[2 * H - 1, W]: f64 tensor V[W]: f64 local T[2 * H, W]: f64
 for z in 0..2 * H - 1 for a in 0..2
 T[2 * y + a, x] = I[y, x] * (1 + a)
 O[z, x] = T[z, x] * 3
 V[x] = sum(z) T[z, x] }
)";

// Each index is of one loop, after it is split.
const char* const kQuotientAndRemainder =
    "kernel k() {\n  tensor X[8]: f32\n  tensor O[4, 2]: f32\n  local t[4, 2]: f32\n"
    "  t[i / 2, mod(i, 2)] = X[i]\n  O[a, b] = t[a, b]\n}\n";

// Sums that do not read the local over the loop that is divided.
const char* const kSumsBeside = R"(kernel o(H = 4, W = 3) { tensor I[H, W]: f64
 tensor O[2 * H - 1, W]: f64 tensor V[W]: f64 tensor U[W]: f64 local T[2 * H, W]: f64
 for z in 0..2 * H - 1 for a in 0..2
 T[2 * y + a, x] = I[y, x] * (1 + a)
 O[z, x] = T[z, x] * 3
 V[x] = sum(z) I[0, x] * (z + 1)
 U[x] = sum(z) I[0, x]  where z >= x }
)";

struct Case {
  const char* text;
  Sizes sizes;
};

std::string asOutput(std::string text) { return text.replace(text.find("local"), 5, "tensor"); }

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
                        {kKhatriRao, {{"B", 1}}},
                        {kOddReader, {}},
                        {kSumsBeside, {}},
                        {kQuotientAndRemainder, {}}};
  for (const Case& each : cases) {
    const std::string text = each.text;
    const Kernel kernel = kernelOf(text, each.sizes), plain = kernelOf(asOutput(text), each.sizes);
    const TensorValues inputs = sampleInputs(plain, 7);
    TensorValues values = valuesOf(kernel, inputs), wanted = valuesOf(plain, inputs);
    for (const char* output : {"O", "V", "U"})
      EXPECT_EQ(values[output].data, wanted[output].data) << text << output;
  }
}

TEST(JoinedIndices, AreOfLocalsThatMayBeLargerThanTheirLoops) {
  const Kernel plain = kernelOf(asOutput(kLargerLocal), {});
  const TensorValues inputs = sampleInputs(plain, 7);
  for (const int more : {1, 2, 3, 4}) {
    const Kernel kernel = kernelOf(kLargerLocal, {{"L", more}});
    EXPECT_EQ(valuesOf(kernel, inputs)["O"].data, valuesOf(plain, inputs)["O"].data) << more;
  }
}

}  // namespace
}  // namespace gridloom::kernel
