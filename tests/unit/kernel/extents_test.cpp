// SPDX-License-Identifier: Apache-2.0
//
// How far a loop goes: by the dimensions that it indexes alone, or beside others.
#include "kernel/extents.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

/// The extents of all loops, in N = 8, T = 5 and H = 4: tensors, ranges and statements.
std::map<std::string, std::int64_t> extentsIn(const std::string& tensors, const std::string& ranges,
                                              const std::string& statements) {
  const Kernel kernel =
      kernelOf("kernel k(N = 8, T = 5, H = 4) {\n" + tensors + ranges + statements + "\n}");
  std::map<std::string, std::int64_t> extents;
  for (const Loop& loop : kernel.loops) extents[loop.name] = loop.extent;
  return extents;
}

/// Expects that the range need not be given.
void expectRange(const std::string& range, const std::string& tensors,
                 const std::string& statements) {
  EXPECT_EQ(extentsIn(tensors + "\n", "", statements),
            extentsIn(tensors + "\n", "for " + range + "\n", statements))
      << statements;
}

TEST(Extents, ALoopThatDefinesTheNextElementEndsBeforeTheLast) {
  expectRange("t in 0..T", "tensor A[N]: f32 tensor R[N]: f32 local u[T + 1, N]: f32",
              "u[0, i] = A[i]\nu[t + 1, i] = 2 * u[t, i]\nR[i] = u[T, i]");
  expectRange("t in 0..T",
              "tensor A[N]: f32 tensor R[N]: f32 local a[T + 1, N]: f32 local b[T + 1, N]: f32",
              "a[0, i] = A[i]\nb[t + 1, i] = 2 * a[t, i]\na[t + 1, i] = 3 * b[t + 1, i]\n"
              "R[i] = a[T, i]");
  expectRange("t in 0..T",
              "tensor A[N]: f32 tensor R[N]: f32 local a[T + 1, N]: f32 local b[T, N]: f32",
              "a[0, i] = A[i]\nb[t, i] = 2 * a[t, i]\na[t + 1, i] = 3 * b[t, i]\n"
              "R[i] = a[T, i]");
  // An input of the steps says the same.
  expectRange("i in 0..N", "tensor X[N]: f32 tensor Y[N + 1]: f32",
              "Y[0] = 0\nY[i + 1] = Y[i] + X[i]");
  expectRange("i in 0..7", "tensor X[N]: f32 tensor Y[N]: f32", "Y[i + 1] = X[i + 1] - X[i]");
  expectRange("i in 0..6", "tensor X[N]: f32 tensor Y[N]: f32", "Y[i + 1] = X[i + 2] - X[i]");
}

TEST(Extents, APartOfATensorIsNoLongerThanWhatItIsMadeOf) {
  expectRange("i in 0..T", "tensor A[T]: f32 tensor B[H]: f32 tensor Y[T + H]: f32",
              "Y[i] = A[i]\nY[T + j] = B[j]");
  expectRange("k in 0..H", "tensor X[T, N]: f32 tensor c[T, H]: f32 tensor Y[T, N]: f32",
              "Y[t, k] = X[t, k] * c[t, k] - X[t, k + H]\n"
              "Y[t, k + H] = X[t, k + H] * c[t, k] + X[t, k]");
}

// A shorter loop would leave terms out.
TEST(Extents, ALoopThatIsSummedOverIsNotEndedByWhatItDefines) {
  const auto expectRefused = [](const std::string& statements) {
    const std::string text = "kernel k(N = 6, T = 5) {\n" + statements + "\n}";
    EXPECT_FALSE(syntax::parseKernels(base::makeSource("k.rec", text), {})) << statements;
  };
  expectRefused("tensor X[N]: f32 tensor Y[2 * N]: f32 tensor s[1]: f32\n"
                "Y[i] = X[i]\nY[i + N] = -X[i]\ns[0] = sum(i) select(i >= 1, Y[i], 0)");
  expectRefused("tensor X[N]: f32 tensor Y[2 * N]: f32 tensor s[1]: f32\n"
                "Y[i] = X[i]\nY[i + N] = -X[i]\ns[0] = sum(i) Y[2 * N - 1 - i]");
  expectRefused("tensor w[T + 1]: f32 tensor R[1]: f32 tensor Q[1]: f32 local u[T + 1]: f32\n"
                "u[0] = 1\nu[t + 1] = 2 * u[t]\nR[0] = sum(t) w[T - t]\nQ[0] = u[T]");
}

// As long as it was before a part could end a loop.
TEST(Extents, AChosenReadStillSaysHowFarALoopGoes) {
  expectRange("i in 0..N", "tensor X[N]: f32 tensor Y[2 * N]: f32",
              "Y[0] = 3\nY[i + 1] = select(i < N, X[i], 7)");
}

}  // namespace
}  // namespace gridloom::kernel
