// SPDX-License-Identifier: Apache-2.0

// What is written in several ways has one form.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "kernel/interpreter.h"
#include "kernel/joined_loops.h"
#include "kernel/tile_nest.h"
#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

// Parallel loops, loops of reductions, loops without tiles; inputs, one for each window.
std::string shapeOf(const Kernel& kernel) {
  const auto nest = tileNest(kernel);
  if (!nest) return base::render(nest.diagnostics());
  std::string text =
      namesOf(kernel, nest->parallel) + "| " + namesOf(kernel, nest->reductions) + "| ";
  for (const TileNest::Whole& whole : nest->whole) text += kernel.loop(whole.loop).name + " ";
  text += "|";
  for (const Operand& input : nest->inputs) text += " " + input.name;
  return text;
}

std::string shapeOf(const std::string& statements) {
  return shapeOf(kernelOf("kernel f(M = 64, N = 64) {\n  tensor X[M, N]: f32\n"
                          "  tensor W[N, N]: f32\n  tensor Y[M, N]: f32\n  local q[M]: f32\n"
                          "  local u[M, N]: f32\n" +
                          statements + "}\n"));
}

TEST(OneForm, ReductionsOfARowRunAlongTheLoopOfItsOutput) {
  const std::string output = "Y[i, j] = X[i, j] * q[i]\n";
  const std::string joined = shapeOf("q[i] = sum(j) X[i, j] * X[i, j]\n" + output);
  EXPECT_EQ(joined, "i | | j | X");
  EXPECT_EQ(shapeOf("q[a] = sum(b) X[a, b] * X[a, b]\n" + output), joined);
  EXPECT_EQ(shapeOf("Y[i, j] = X[i, j] * sum(k) X[i, k] * X[i, k]\n"), joined);
  EXPECT_EQ(shapeOf("Y[i, j] = X[i, j] * (sum(k) X[i, k]) + (max(n) X[i, n])\n"), joined);
}

// What takes more than one row for a value, and a row that no output holds.
TEST(OneForm, OtherReductionsKeepTheirLoops) {
  EXPECT_EQ(shapeOf("u[i, h] = sum(d) X[i, d] * W[d, h]\n"
                    "Y[i, o] = X[i, o] + sum(h) u[i, h] * W[h, o]\n"),
            "i o | h | d | X W X@2 W@2");
  EXPECT_EQ(shapeOf("q[i] = sum(k) X[i, k]\nu[i, l] = X[i, l] * q[i]\n"
                    "Y[i, j] = sum(l) u[i, l] * W[l, j]\n"),
            "i j | l | k | X X@2 W");
}

TEST(OneForm, ReadersOfALocalHaveItsLoops) {
  const std::string alike = shapeOf("u[i, j] = exp(X[i, j])\nY[i, j] = 2 * u[i, j]\n");
  EXPECT_EQ(alike, "i j | | | X");
  EXPECT_EQ(shapeOf("u[a, b] = exp(X[a, b])\nY[i, j] = 2 * u[i, j]\n"), alike);
  EXPECT_EQ(shapeOf("u[j, i] = exp(X[j, i])\nY[i, j] = 2 * u[i, j]\n"), "j i | | | X");
  // A transposed reader, and one along two loops.
  EXPECT_EQ(shapeOf("u[a, b] = exp(X[a, b])\nY[i, j] = 2 * u[j, i]\n"), alike);
  EXPECT_EQ(shapeOf("q[a] = X[a, 0]\nY[i, j] = q[i] * q[j]\n"), "i j | | a | X");
}

TEST(OneForm, MessagesNameTheLoopThatAnotherHasBecome) {
  const Kernel kernel = kernelOf(R"(kernel f(M = 64, N = 64) {
    tensor X[M, N]: f32  tensor Y[M, N]: f32  local q[M]: f32
    q[a] = sum(b) X[a, b]
    Y[i, j] = X[i, j] * q[i]
  })");
  EXPECT_EQ(joinedLoop(kernel, "a"), loopNamed(kernel, "i"));
  EXPECT_EQ(joinedLoop(kernel, "b"), loopNamed(kernel, "j"));
  EXPECT_FALSE(joinedLoop(kernel, "j"));
  EXPECT_FALSE(joinedLoop(kernel, "c"));
}

// A scale of weights leaves their sum, but not one that may be empty: 0 / 0 is no 0.
TEST(OneForm, ScalesLeaveSumsThatHaveTerms) {
  const auto isTiled = [](const std::string& where) {
    const Kernel kernel =
        kernelOf("kernel f(S = 64, D = 16) {\n  tensor Q[S, S]: f32\n  tensor V[S, D]: f32\n"
                 "  tensor O[S, D]: f32\n  local m[S]: f32\n  local l[S]: f32\n"
                 "  m[i] = max(j) Q[i, j]" +
                 where + "\n  l[i] = sum(j) exp(Q[i, j] - m[i])" + where +
                 "\n  O[i, e] = sum(j) V[j, e] * (exp(Q[i, j] - m[i]) / l[i])" + where + "\n}\n");
    const auto nest = tileNest(kernel);
    return nest && nest->whole.empty() && nest->sequential.size() == 1;
  };
  EXPECT_TRUE(isTiled(""));
  EXPECT_TRUE(isTiled("  where j <= i"));
  EXPECT_FALSE(isTiled("  where j < i"));
}

// Under a reduction, the sum is empty for r = 0, where its divisor is 0.
TEST(OneForm, ScalesStayInSumsThatAReductionMakesEmpty) {
  Kernel kernel =
      kernelOf("kernel f(N = 8) {\n  tensor X[N, N]: f32\n  tensor V[N, N]: f32\n"
               "  tensor Y[N, N]: f32\n  tensor Z[N]: f32\n  local m[N]: f32\n  for r in 0..N\n"
               "  m[i] = max(j) X[i, j]\n  Y[i, e] = (sum(j) exp(X[i, j] - m[i]) * V[j, e]) /"
               " (sum(j) exp(X[i, j] - m[i]))\n"
               "  Z[e] = sum(r) (sum(j) V[j, e] / sqrt(r))  where j < r\n}\n");
  kernel.written = nullptr;  // the values of the form itself
  const auto values = interpret(kernel, sampleInputs(kernel, 7));
  ASSERT_TRUE(values) << base::render(values.diagnostics());
  for (const double value : values->at("Z").data) EXPECT_TRUE(std::isfinite(value));
}

// Rows that may not fit are not whole in the other form.
TEST(OneForm, RowsApartAreTheAlternative) {
  const Kernel kernel =
      kernelOf("kernel f(M = 32, N = 64) {\n  tensor X[M, N]: f32\n  tensor Y[M, N]: f32\n"
               "  local q[M]: f32\n  q[i] = sum(k) X[i, k]\n  Y[i, j] = X[i, j] / q[i]\n}\n");
  ASSERT_TRUE(kernel.alternative);
  const auto joined = tileNest(kernel), apart = tileNest(*kernel.alternative);
  ASSERT_TRUE(joined && apart);
  EXPECT_LT(apart->whole.size(), joined->whole.size());
}

}  // namespace
}  // namespace gridloom::kernel
