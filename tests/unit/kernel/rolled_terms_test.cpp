// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "kernel/tile_nest.h"
#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

// The operations of `O[p, q]`, each with its loops.
std::string opsOfWindow(const std::string& value, const std::string& ranges = "") {
  const Kernel kernel =
      kernelOf("kernel f(P = 16, Q = 16) {\n  for p in 0..P\n  for q in 0..Q\n" + ranges +
               "  tensor I[P + 2, Q + 2]: f32\n  tensor J[P, Q]: f32\n"
               "  tensor w[3, 3]: f32\n  tensor O[P, Q]: f32\n  O[p, q] = " +
               value + "\n}\n");
  const auto nest = tileNest(kernel);
  if (!nest) return base::render(nest.diagnostics());
  std::string text;
  for (const TileOp& op : nest->ops) {
    const bool isMatrix = op.unit == UnitKind::Matrix;
    text +=
        isMatrix ? "matrix; " : std::string(nameOf(op.fn)) + " " + namesOf(kernel, op.loops) + "; ";
  }
  return text;
}

TEST(RolledTerms, AWindowIsAReduction) {
  EXPECT_EQ(opsOfWindow("max(max(I[p, q], I[p, q + 1]), I[p, q + 2])"),
            "maxreduce p q q_offset ; ");
  EXPECT_EQ(opsOfWindow("min(I[p, q], min(I[p + 2, q], I[p + 1, q]))"),
            "maxreduce p q p_offset ; ");
  EXPECT_EQ(opsOfWindow("I[p, q] + I[p + 2, q] + I[p, q + 2] + I[p + 2, q + 2]"),
            "sumreduce p q p_offset q_offset ; ");
  EXPECT_EQ(opsOfWindow("I[p, q] * I[p, q + 1] * I[p, q + 2]"), "prodreduce p q q_offset ; ");
  EXPECT_EQ(
      opsOfWindow("J[p, q] + w[2, 0] * I[p, q] + w[1, 0] * I[p + 1, q] + w[0, 0] * I[p + 2, q]"),
      "matrix; add p q ; ");
}

TEST(RolledTerms, OtherChainsStayTerms) {
  // Two terms; a cross; weights that differ; a term twice.
  EXPECT_EQ(opsOfWindow("max(I[p, q], I[p, q + 1])"), "max p q ; ");
  EXPECT_EQ(opsOfWindow("I[p, q + 1] + I[p + 2, q + 1] + I[p + 1, q] + I[p + 1, q + 2]"),
            "add p q ; add p q ; add p q ; ");
  EXPECT_EQ(opsOfWindow("I[p, q] + I[p, q + 1] + I[p, q + 2] + 2 * I[p + 1, q]"),
            "add p q ; add p q ; mul p q ; add p q ; ");
  EXPECT_EQ(opsOfWindow("I[p, q] + I[p, q + 2] + I[p, q + 2]"), "add p q ; add p q ; ");
  // What is read as a window and by elements would be loaded twice.
  EXPECT_EQ(opsOfWindow("I[p, q + 1] - (I[p, q] + I[p, q + 1] + I[p, q + 2])"),
            "add p q ; add p q ; sub p q ; ");
  // Terms of a sum over products of matrices.
  EXPECT_EQ(
      opsOfWindow(
          "sum(k) (I[p, k] * I[k, q] + I[p, k + 1] * I[k, q + 1] + I[p, k + 2] * I[k, q + 2])",
          "for k in 0..16\n"),
      "matrix; matrix; add p q ; matrix; add p q ; ");
}

// Tiles of a recurrence exchange the borders of its terms.
TEST(RolledTerms, RecurrencesAreTerms) {
  const auto loopsOf = [](const std::string& value) {
    const Kernel kernel =
        kernelOf("kernel f(T = 8, N = 64) {\n  tensor A[N]: f32\n"
                 "  tensor u[T, N]: f32\n  u[0, i] = A[i]\n  u[t, i] = " +
                 value +
                 "  where t >= 1, i >= 1, i < N - 1\n"
                 "  u[t, 0] = 0  where t >= 1\n  u[t, N - 1] = 0  where t >= 1\n}\n");
    const auto nest = tileNest(kernel);
    EXPECT_TRUE(nest) << base::render(nest.diagnostics());
    return nest ? namesOf(kernel, nest->parallel) : "";
  };
  EXPECT_EQ(loopsOf("u[t - 1, i - 1] + u[t - 1, i] + u[t - 1, i + 1]"), "i t ");
}

}  // namespace
}  // namespace gridloom::kernel
