// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernel/definedness.h"
#include "kernel/parts.h"
#include "kernel/tile_nest.h"
#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

// The operations of a kernel, each with its loops.
std::string opsOf(const Kernel& kernel) {
  const auto nest = tileNest(kernel);
  if (!nest) return base::render(nest.diagnostics());
  std::string text;
  for (const TileOp& op : nest->ops) {
    const bool isMatrix = op.unit == UnitKind::Matrix;
    text += isMatrix ? "matrix " + namesOf(kernel, op.m) + namesOf(kernel, op.n)
                     : std::string(nameOf(op.fn)) + " " + namesOf(kernel, op.loops);
    text += "; ";
  }
  return text;
}

// Of a statement for `Y[i, j]` over matrices X, G and U, and rows v.
std::string opsOf(const std::string& statement) {
  return opsOf(kernelOf("kernel f(M = 64, N = 64, K = 64) {\n"
                        "  tensor X[M, K]: f32\n  tensor G[N, K]: f32\n  tensor U[N, K]: f32\n"
                        "  tensor v[M]: f32\n  tensor Y[M, N]: f32\n  " +
                        statement + "\n}\n"));
}

TEST(Spellings, WhatIsWrittenTwiceIsComputedOnce) {
  EXPECT_EQ(opsOf("Y[i, j] = (sum(k) X[i, k] * G[j, k]) * exp(sum(k) X[i, k] * G[j, k])"),
            "matrix i j ; exp i j ; mul i j ; ");
  EXPECT_EQ(opsOf("Y[i, j] = sum(k) (X[i, k] - G[j, k]) * (X[i, k] - G[j, k]) + 0 * v[i]"),
            "sub i j k ; mul i j k ; sumreduce i j k ; mul i ; add i j ; ");
  EXPECT_EQ(opsOf("Y[i, j] = exp(X[i, 0]) + exp(X[i, 1]) + G[j, 0] + U[j, 0] + v[i]"),
            "exp i ; exp i ; add i ; add i j ; add i j ; add i j ; ");
  // The same words over other loops are other values.
  EXPECT_EQ(opsOf("Y[i, j] = (sum(k) X[i, k]) + (max(k) X[i, k]) + G[j, 0] + U[j, 0] + v[i]"),
            "sumreduce i k ; maxreduce i k ; add i ; add i j ; add i j ; add i j ; ");
}

TEST(Spellings, FactorsInOneMatrixAreTiledLikeThoseInTwo) {
  const std::string head = "kernel lu(N = 64) {\n  tensor A[N, N]: f32\n  tensor F[N, N]: f32\n";
  const std::string lower =
      "  F[i, j] = (A[i, j] - sum(k) F[i, k] * F[k, j]) / F[j, j]  where j < i, k < j\n}\n";
  for (const std::string& text :
       {head + "  F[i, j] = A[i, j] - sum(k) F[i, k] * F[k, j]  where i <= j, k < i\n" + lower,
        head + "  F[i, i] = A[i, i] - sum(k) F[i, k] * F[k, i]  where k < i\n" +
            "  F[i, j] = A[i, j] - sum(k) F[i, k] * F[k, j]  where i < j, k < i\n" + lower}) {
    const auto nest = tileNest(kernelOf(text));
    ASSERT_TRUE(nest) << base::render(nest.diagnostics());
    EXPECT_TRUE(nest->whole.empty());
    EXPECT_EQ(nest->outputs.size(), 4u);  // F, its parts, and one of them transposed
  }
  const auto local = tileNest(
      kernelOf("kernel lu(N = 64) {\n  tensor A[N, N]: f32\n  tensor L[N, N]: f32\n"
               "  local U[N, N]: f32\n"
               "  U[i, j] = A[i, j] - sum(k) L[i, k] * U[k, j]  where i <= j, k < i\n"
               "  L[i, j] = (A[i, j] - sum(k) L[i, k] * U[k, j]) / U[j, j]  where j < i, k < j\n"
               "}\n"));
  ASSERT_TRUE(local) << base::render(local.diagnostics());
  EXPECT_TRUE(local->whole.empty());
}

// The inner sum of F may not have the loop of E's, which is around it: that of S keeps its own.
TEST(Spellings, EqualSumsTakeTheNamesOfTheFirstAlone) {
  const std::string declared =
      "kernel t(M = 64, N = 16) {\n  tensor X[M, N]: f32\n  tensor V[M, N]: f32\n"
      "  tensor E[M]: f32\n  tensor F[M]: f32\n  tensor S[M]: f32\n";
  const auto nest = tileNest(kernelOf(declared + "  E[i] = sum(k) X[i, k]\n"
                                                 "  F[i] = sum(k) (V[i, k] - sum(l) X[i, l])\n"
                                                 "  S[i] = 2 * sum(k) X[i, k]\n}\n"));
  EXPECT_TRUE(nest) << base::render(nest.diagnostics());
}

// Every statement reads the four before it: there are many paths, and none leads back.
// Loops of other names would be tiled one after the other.
TEST(Spellings, SumsOfOneElementAreTiledTogether) {
  const auto loopsOfSums = [](const std::string& statements) {
    const Kernel kernel = kernelOf(
        "kernel f(M = 64, N = 64, K = 64) {\n  tensor X[M, K]: f32\n  tensor G[N, K]: f32\n"
        "  tensor U[N, K]: f32\n  tensor Y[M, N]: f32\n  local u[M, N]: f32\n  " +
        statements + "\n}\n");
    const auto nest = tileNest(kernel);
    return nest ? namesOf(kernel, nest->reductions) : base::render(nest.diagnostics());
  };
  const std::string second = "(sum(k) X[i, k] * U[j, k])";
  const std::string reused = "u[i, j] = sum(l) X[i, l] * G[j, l]\n  Y[i, j] = ";
  EXPECT_EQ(loopsOfSums("u[i, j] = 0\n Y[i, j] = u[i, j] + (sum(l) G[i, l] * U[j, l]) * " + second),
            "l ");
  EXPECT_EQ(loopsOfSums(reused + "u[i, j] * " + second), "l ");
}

TEST(Spellings, ManyStatementsThatReadEachOtherAreChecked) {
  std::string text = "kernel c(N = 8) {\n  tensor A[N]: f32\n  tensor Y[N]: f32\n";
  for (int n = 1; n <= 30; ++n) text += "  local x" + std::to_string(n) + "[N]: f32\n";
  for (int n = 1; n <= 30; ++n) {
    text += "  x" + std::to_string(n) + "[i] = exp(A[i])";
    for (int before = std::max(1, n - 4); before < n; ++before)
      text += " + x" + std::to_string(before) + "[i]";
    text += "\n";
  }
  EXPECT_TRUE(tileNest(kernelOf(text + "  Y[i] = x30[i]\n}\n")));
}

// A stencil as a sum over neighbours is tiled like its terms.
TEST(Spellings, AStencilIsASumOrItsTerms) {
  const auto loopsOf = [](const std::string& sum) {
    const Kernel kernel = kernelOf("kernel f(T = 8, N = 64) {\n  tensor A[N]: f32\n"
                                   "  tensor w[3]: f32\n  tensor B[T]: f32\n"
                                   "  tensor u[T, N]: f32\n  u[0, i] = A[i]\n  u[t, i] = " +
                                   sum +
                                   "  where t >= 1, i >= 1, i <= N - 2\n"
                                   "  u[t, 0] = 0  where t >= 1\n"
                                   "  u[t, N - 1] = B[t]  where t >= 1\n}\n");
    const auto nest = tileNest(kernel);
    EXPECT_TRUE(nest) << base::render(nest.diagnostics());
    return nest ? namesOf(kernel, nest->parallel) : "";
  };
  EXPECT_EQ(loopsOf("w[0] * u[t - 1, i - 1] + w[1] * u[t - 1, i] + w[2] * u[t - 1, i + 1]"),
            "i t ");
  EXPECT_EQ(loopsOf("sum(r) w[r] * u[t - 1, i + r - 1]"), "i t ");
  EXPECT_EQ(loopsOf("max(r) (w[r] + r * u[t - 1, i + 1 - r])"), "i t ");
}

// Most terms of a sum that wraps around stay inside, and choose nothing.
TEST(Spellings, AStencilThatWrapsAroundIsASumOrItsTerms) {
  const auto shapeOf = [](const std::string& sum) {
    const Kernel kernel =
        kernelOf("kernel f(T = 4, N = 9) {\n  tensor A[N]: f32  tensor u[T, N]: f32\n"
                 "  for r in 0..3\n  u[t, i] = select(t == 0, A[i], " +
                 sum + ")\n}\n");
    const TensorValues inputs = sampleInputs(kernel, 3);
    EXPECT_EQ(valuesOf(kernel, inputs)["u"].data, valuesOf(kernel.asWritten(), inputs)["u"].data);
    const auto nest = tileNest(kernel);
    EXPECT_TRUE(nest) << base::render(nest.diagnostics());
    if (!nest) return std::string();
    const auto selects = std::ranges::count(nest->ops, VectorFn::Select, &TileOp::fn);
    return namesOf(kernel, nest->parallel) + std::to_string(selects);
  };
  const std::string terms = shapeOf("u[t - 1, mod(i - 1, N)] + u[t - 1, mod(i + 1, N)]");
  EXPECT_EQ(terms, "t i 2");
  EXPECT_EQ(shapeOf("sum(r) select(r == 1, 0, u[t - 1, mod(i + r - 1, N)])"), terms);
}

// Half of the size is as far either way.
TEST(Spellings, AWindowWrapsAroundTwoElements) {
  for (const char* index : {"i + r - 1", "i + r - 1 + N", "i - r + 1", "1 + i - r - N"}) {
    const Kernel kernel = kernelOf("kernel f(N = 2) {\n  tensor A[N]: f32  tensor B[N]: f32\n"
                                   "  tensor w[3]: f32\n  B[i] = sum(r) w[r] * A[mod(" +
                                   std::string(index) + ", N)]\n}\n");
    const TensorValues inputs = sampleInputs(kernel, 3);
    const std::vector<double>&a = inputs.at("A").data, &w = inputs.at("w").data;
    const std::vector<double> b = valuesOf(kernel, inputs)["B"].data;
    ASSERT_EQ(b.size(), 2U) << index;
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(b[i], (w[0] + w[2]) * a[1 - i] + w[1] * a[i], 1e-6) << index;
  }
}

// Later neighbours of the same step are computed again, so that tiles of a step are parallel.
TEST(Spellings, FieldsThatTakeTurnsHaveBordersOrChoices) {
  const auto loopsOf = [](const std::string& steps) {
    const Kernel kernel = kernelOf("kernel f(T = 8, N = 64) {\n  tensor A[N]: f32\n"
                                   "  tensor e[T, N]: f32\n  tensor h[T, N]: f32\n"
                                   "  e[0, i] = A[i]\n  h[0, i] = 0\n" +
                                   steps + "}\n");
    const auto nest = tileNest(kernel);
    EXPECT_TRUE(nest) << base::render(nest.diagnostics());
    return nest ? namesOf(kernel, nest->parallel) : "";
  };
  EXPECT_EQ(loopsOf("  e[t, i] = e[t - 1, i] - select(i >= 1, h[t - 1, i - 1], i)  where t >= 1\n"
                    "  h[t, i] = h[t - 1, i] - select(i < N - 1, e[t, i + 1], 0)  where t >= 1\n"),
            "i t ");
  EXPECT_EQ(loopsOf("  e[t, i] = e[t - 1, i] - h[t - 1, i - 1]  where t >= 1, i >= 1, i < N - 1\n"
                    "  e[t, 0] = 1  where t >= 1\n  e[t, N - 1] = 2  where t >= 1\n"
                    "  h[t, i] = h[t - 1, i] - e[t, i + 1]  where t >= 1, i < N - 1\n"
                    "  h[t, N - 1] = h[t - 1, N - 1]  where t >= 1\n"),
            "i t ");
}

// With all of their terms, the sums have 3 to the power of 15 of them.
TEST(Spellings, SumsOfManyTermsStaySums) {
  std::string sums, offset;
  for (const char loop : std::string("abcde")) {
    sums += std::string("sum(") + loop + ", " + loop + "2, " + loop + "3) ";
    for (const char* number : {"", "2", "3"}) offset += std::string(" + ") + loop + number;
  }
  std::string ranges;
  for (const char loop : std::string("abcde")) {
    for (const char* number : {"", "2", "3"})
      ranges += std::string("  for ") + loop + number + " in 0..3\n";
  }
  const Kernel kernel = kernelOf("kernel f(T = 8, N = 64) {\n" + ranges +
                                 "  tensor A[N]: f32\n  tensor u[T, N]: f32\n  u[0, i] = A[i]\n"
                                 "  u[t, i] = " +
                                 sums + "u[t - 1, i" + offset +
                                 "]  where t >= 1, i <= N - 31\n"
                                 "  u[t, i] = 0  where t >= 1, i > N - 31\n}\n");
  const auto reduces = [](const ExprNode& node) { return isReduction(node.op); };
  EXPECT_TRUE(std::ranges::any_of(kernel.statements, [&](const Statement& statement) {
    return std::ranges::any_of(statement.expr, reduces);
  }));
}

// Gates of a cell as elements of one local are tiled like a local for each.
TEST(Spellings, GatesAreInOneLocalOrInSeveral) {
  const auto outputsOf = [](const std::string& gates, const std::string& a, const std::string& b) {
    const Kernel kernel = kernelOf("kernel cell(T = 4, N = 32) {\n  tensor x[T, N]: f32\n"
                                   "  tensor U[2, N, N]: f32\n  tensor Y[T, N]: f32\n"
                                   "  local h[T, N]: f32 = 0\n" +
                                   gates + "  h[t, n] = sigmoid(" + a + ") * h[t - 1, n] + tanh(" +
                                   b + ")\n  Y[t, n] = h[t, n]\n}\n");
    const auto nest = tileNest(kernel);
    EXPECT_TRUE(nest) << base::render(nest.diagnostics());
    return nest ? nest->outputs.size() : 0;
  };
  const std::string sum = "sum(m) U[q, n, m] * h[t - 1, m]\n";
  EXPECT_EQ(outputsOf("  local a[T, N]: f32\n  local b[T, N]: f32\n"
                      "  a[t, n] = x[t, n] + sum(m) U[0, n, m] * h[t - 1, m]\n"
                      "  b[t, n] = x[t, n] + sum(m) U[1, n, m] * h[t - 1, m]\n",
                      "a[t, n]", "b[t, n]"),
            3U);
  EXPECT_EQ(outputsOf("  local g[T, N, 2]: f32\n  g[t, n, q] = x[t, n] + q + " + sum, "g[t, n, 0]",
                      "g[t, n, 1]"),
            3U);
  EXPECT_EQ(outputsOf("  local g[T, 2, N]: f32\n  g[t, q, n] = x[t, n] + " + sum, "g[t, 0, n]",
                      "g[t, 1, n]"),
            3U);
}

// Operations with their limits.
TEST(Spellings, AMaskedSumIsALimitedOne) {
  const auto domainsOf = [](const std::string& value, const std::string& where) {
    const Kernel kernel = kernelOf("kernel f(N = 64) {\n  tensor A[N, N]: f32\n"
                                   "  tensor B[N, N]: f32\n  tensor Y[N, N]: f32\n"
                                   "  Y[i, j] = B[i, j] + " +
                                   value + where + "\n}\n");
    std::string text = opsOf(kernel);
    for (const affine::Constraint& c : kernel.statements.front().constraints) {
      text += affine::toString(c.expr, loopNames(kernel)) + "; ";
    }
    return text;
  };
  const std::string sum = "sum(k) A[i, k] * B[k, j]";
  const std::string limited = domainsOf(sum, "  where k >= i");
  EXPECT_EQ(domainsOf("sum(k) select(k >= i, A[i, k] * B[k, j], 0)", ""), limited);
  EXPECT_EQ(domainsOf("sum(k) select(k < i, 0, A[i, k] * B[k, j])", ""), limited);
  // What is no condition of the sum alone stays a choice.
  const std::string choice = domainsOf("sum(k) select(i >= 2, A[i, k] * B[k, j], 0)", "");
  EXPECT_NE(choice.find("select"), std::string::npos) << choice;
  const std::string two = domainsOf("(sum(k) select(k >= i, A[i, k], 0)) * (sum(k) B[k, j])", "");
  EXPECT_NE(two.find("select"), std::string::npos) << two;
}

// The cases of a factor as one choice are tiled like statements of their own.
TEST(Spellings, CasesAreOneChoiceOrStatements) {
  const auto shapeOf = [](const std::string& statements) {
    const Kernel kernel = kernelOf("kernel factor(N = 64) {\n  tensor A[N, N]: f32\n"
                                   "  tensor L[N, N]: f32\n" +
                                   statements + "}\n");
    const auto nest = tileNest(kernel);
    EXPECT_TRUE(nest) << base::render(nest.diagnostics());
    return nest ? namesOf(kernel, nest->parallel) + "; " + namesOf(kernel, nest->steps) : "";
  };
  const std::string diagonal = "sqrt(A[i, i] - sum(k) L[i, k] * L[i, k])";
  const std::string below = "(A[i, j] - sum(k) L[i, k] * L[j, k]) / L[j, j]";
  EXPECT_EQ(
      shapeOf("  L[i, j] = select(i == j, " + diagonal + ", " + below + ")  where j <= i, k < j\n"),
      "i j ; j ");
  EXPECT_EQ(shapeOf("  L[i, j] = select(i < j, 0, select(i > j, " + below + ", " + diagonal +
                    "))  where k < j\n"),
            "i j ; j ");
}

// Sums of one choice end at the index of their case; on the diagonal, they end at both.
TEST(Spellings, CasesOfOneChoiceHaveSumsOfTheirOwn) {
  const Kernel kernel = kernelOf(R"(kernel factor(N = 64) {
    tensor A[N, N]: f32  tensor L[N, N]: f32
    L[i, j] = select(i == j, sqrt(A[i, i] - sum(k) select(k < i, L[i, k] * L[i, k], 0)),
      (A[i, j] - sum(k) select(k < j, L[i, k] * L[j, k], 0)) / L[j, j])  where j <= i
  })");
  const auto nest = tileNest(kernel);
  ASSERT_TRUE(nest) << base::render(nest.diagnostics());
  EXPECT_EQ(namesOf(kernel, nest->parallel) + "; " + namesOf(kernel, nest->steps), "i j ; j ");
}

// Both factors grow along one index, whatever their loops are called.
TEST(Spellings, FactorsAreStoredAsTilesNeedThem) {
  const auto shapeOf = [](const std::string& upper) {
    const Kernel kernel = kernelOf("kernel lu(N = 64) {\n  tensor A[N, N]: f32\n"
                                   "  tensor L[N, N]: f32\n  tensor U[N, N]: f32\n"
                                   "  L[i, j] = (A[i, j] - sum(k) L[i, k] * U[k, j]) / U[j, j]"
                                   "  where j < i, k < j\n  L[i, i] = 1\n" +
                                   upper + "}\n");
    const auto nest = tileNest(kernel);
    EXPECT_TRUE(nest) << base::render(nest.diagnostics());
    return nest ? namesOf(kernel, nest->parallel) + "; " + namesOf(kernel, nest->steps) : "";
  };
  EXPECT_EQ(shapeOf("  U[i, j] = A[i, j] - sum(k) L[i, k] * U[k, j]  where i <= j, k < i\n"),
            "i j ; j ");
  EXPECT_EQ(shapeOf("  U[p, q] = A[p, q] - sum(k) L[p, k] * U[k, q]  where p <= q, k < p\n"),
            "i j ; j ");
  EXPECT_EQ(shapeOf("  U[i, j] = A[i, j] - sum(r) L[i, r] * U[r, j]  where i <= j, r < i\n"),
            "i j ; j ");
  EXPECT_EQ(shapeOf("  U[p, q] = A[p, q] - sum(r) L[p, r] * U[r, q]  where p <= q, r < p\n"),
            "i j ; j ");
}

// Small outputs may be state in one core, too, where cores would wait for each other.
TEST(Spellings, SmallOutputsWithParallelStepsMayBeState) {
  const auto isStateToo = [](const char* states) {
    const std::string text = std::string("kernel viterbi(T = 64, S = ") + states + R"() {
      tensor A[S, S]: f32  tensor O[T, S]: f32  tensor V[T, S]: f32
      V[0, s] = O[0, s]
      V[t, s] = O[t, s] + max(q) (V[t - 1, q] + A[q, s])  where t >= 1
    })";
    return kernelOf(text).alternative != nullptr;
  };
  EXPECT_TRUE(isStateToo("64"));
  EXPECT_FALSE(isStateToo("2048"));
}

// Halves that need each other are computed in one tile.
TEST(Spellings, HalvesAreChosenOrWrittenApart) {
  const auto windowsOf = [](const std::string& ranges, const std::string& statements) {
    const Kernel kernel = kernelOf("kernel rope(S = 8, E = 64) {\n" + ranges +
                                   "  tensor X[S, E]: f32\n  tensor c[S, E / 2]: f32\n"
                                   "  tensor Y[S, E]: f32\n" +
                                   statements + "}\n");
    const auto nest = tileNest(kernel);
    EXPECT_TRUE(nest) << base::render(nest.diagnostics());
    std::string text = namesOf(kernel, nest->parallel);
    for (const Operand& input : nest->inputs) text += input.name + " ";
    return text + std::to_string(kernel.loop(loopNamed(kernel, "d")).extent);
  };
  const std::string halves =
      windowsOf("  for d in 0..E / 2\n", "  Y[s, d] = c[s, d] * X[s, d + E / 2]\n"
                                         "  Y[s, d + E / 2] = c[s, d] * X[s, d]\n");
  EXPECT_EQ(windowsOf("", "  Y[s, d] = c[s, d] * X[s, d + E / 2]  where d < E / 2\n"
                          "  Y[s, d] = c[s, d - E / 2] * X[s, d - E / 2]  where d >= E / 2\n"),
            halves);
  EXPECT_EQ(windowsOf("", "  Y[s, d] = select(d >= E / 2, c[s, d - E / 2] * X[s, d - E / 2], "
                          "c[s, d] * X[s, d + E / 2])\n"),
            halves);
  // Kernels with sums stay as they are, and so does what limits them.
  const Kernel sums = kernelOf(
      "kernel k(N = 16, D = 64) { tensor x[N, D]: f32 tensor y[N, D]: f32 tensor Y[N, D]: f32 "
      "Y[i, d] = x[i, d + 32] where d < 32 "
      "Y[i, d] = x[i, d] + sum(k) y[i, k] where k <= d, d >= 32 }");
  EXPECT_EQ(sums.loop(loopNamed(sums, "d")).extent, 64);
}

// A recurrence may define the present step or the next one.
TEST(Spellings, StepsAreThePresentOrTheNextOnes) {
  const auto loopsOf = [](const std::string& step) {
    const Kernel kernel = kernelOf("kernel f(T = 8, N = 64) {\n  tensor A[N]: f32\n"
                                   "  tensor u[T + 1, N]: f32\n" +
                                   step + "  u[0, i] = A[i]\n}\n");
    const auto nest = tileNest(kernel);
    EXPECT_TRUE(nest) << base::render(nest.diagnostics());
    return nest ? nest->parallel.size() : 0;
  };
  const std::size_t present =
      loopsOf("  u[t, i] = u[t - 1, i] + select(i >= 1, u[t - 1, i - 1], 0)  where t >= 1\n");
  EXPECT_EQ(present, 2U);
  EXPECT_EQ(loopsOf("  for t in 0..T\n  u[t + 1, i] = u[t, i] + select(i >= 1, u[t, i - 1], 0)\n"),
            present);
}

TEST(Spellings, SmallPowersAreProductsAndRoots) {
  EXPECT_EQ(opsOf("Y[i, j] = pow(X[i, 0] + G[j, 0], 2) + U[j, 0] * v[i]"),
            opsOf("Y[i, j] = (X[i, 0] + G[j, 0]) * (X[i, 0] + G[j, 0]) + U[j, 0] * v[i]"));
  EXPECT_EQ(opsOf("Y[i, j] = pow(v[i], 3) + G[j, 0] + X[i, 0] + U[j, 0]"),
            opsOf("Y[i, j] = v[i] * v[i] * v[i] + G[j, 0] + X[i, 0] + U[j, 0]"));
  EXPECT_EQ(opsOf("Y[i, j] = pow(v[i], -0.5) + G[j, 0] + X[i, 0] + U[j, 0]"),
            opsOf("Y[i, j] = rsqrt(v[i]) + G[j, 0] + X[i, 0] + U[j, 0]"));
  EXPECT_EQ(opsOf("Y[i, j] = pow(v[i], 1.5) + G[j, 0] + X[i, 0] + U[j, 0]").substr(0, 6), "pow i ");
}

TEST(Spellings, ScalesAreOfGroupsOrOfTerms) {
  const auto opsWith = [](const std::string& value, const char* rows) {
    return opsOf(kernelOf(std::string("kernel f(M = ") + rows +
                          ", N = 64) {\n  tensor X[M, 8, 16]: f32\n  tensor W[8, 16, N]: f32\n"
                          "  tensor c[8, N]: f32\n  tensor Y[M, N]: f32\n  Y[m, n] = " +
                          value + "\n}\n"));
  };
  const std::string terms = "sum(g, r) X[m, g, r] * (W[g, r, n] * c[g, n])";
  const std::string groups = "sum(g) c[g, n] * (sum(r) X[m, g, r] * W[g, r, n])";
  EXPECT_EQ(opsWith(groups, "64"), opsWith(terms, "64"));
  EXPECT_NE(opsWith(groups, "8"), opsWith(terms, "8"));  // groups are longer than they are many
}

TEST(Spellings, ADivisionByANumberIsAProduct) {
  EXPECT_EQ(opsOf("Y[i, j] = (sum(k) X[i, k] * G[j, k]) / sqrt(K) + U[j, 0] + v[i]"),
            opsOf("Y[i, j] = (sum(k) X[i, k] * G[j, k]) * rsqrt(K) + U[j, 0] + v[i]"));
  EXPECT_EQ(opsOf("Y[i, j] = (sum(k) X[i, k] * G[j, k] / 8) + U[j, 0] + v[i]"),
            opsOf("Y[i, j] = (sum(k) X[i, k] * G[j, k] * 0.125) + U[j, 0] + v[i]"));
  EXPECT_NE(opsOf("Y[i, j] = (sum(k) X[i, k] * G[j, k]) / v[i] + U[j, 0]"),
            opsOf("Y[i, j] = (sum(k) X[i, k] * G[j, k]) * v[i] + U[j, 0]"));
}

TEST(Spellings, ASumInsideAnotherIsAProductOfItsOwn) {
  EXPECT_EQ(opsOf("Y[i, j] = sum(n) (sum(k) X[i, k] * G[n, k]) * U[j, n] + v[i]"),
            "matrix i n ; matrix i j ; add i j ; ");
  const Kernel kernel = kernelOf("kernel f(N = 8) {\n tensor X[N, N]: f32\n tensor Y[N, N]: f32\n"
                                 " Y[i, j] = sum(n) (sum(k) X[i, k] * X[n, k]) * X[n, j]\n}");
  const KernelParts parts(kernel);
  ASSERT_EQ(parts.cuts().size(), 1u);
  EXPECT_TRUE(parts.cuts()[0].chain);
  EXPECT_EQ(parts.name(0, 1), "f_Y_value");
}

TEST(Spellings, WeightsAreDividedInsideOfASumOrOutside) {
  const auto attention = [](const std::string& sum) {
    return opsOf(
        kernelOf("kernel f(S = 64, D = 16) {\n tensor Q[S, D]: f32\n tensor V[S, D]: f32\n"
                 " tensor O[S, D]: f32\n local s[S, S]: f32\n local m[S]: f32\n"
                 " local l[S]: f32\n s[i, j] = sum(d) Q[i, d] * V[j, d]\n"
                 " m[i] = max(j) s[i, j]\n l[i] = sum(j) exp(s[i, j] - m[i])\n O[i, e] = " +
                 sum + "\n}"));
  };
  EXPECT_EQ(attention("sum(j) exp(s[i, j] - m[i]) / l[i] * V[j, e]"),
            attention("(sum(j) exp(s[i, j] - m[i]) * V[j, e]) / l[i]"));
}

std::string loopsOfNest(const std::string& body) {
  const Kernel kernel =
      kernelOf("kernel f(N = 64, M = 16) {\n  tensor A[M, N]: f32\n" + body + "}\n");
  const auto nest = tileNest(kernel);
  return nest ? namesOf(kernel, nest->parallel) : base::render(nest.diagnostics());
}

TEST(Spellings, BordersOfOutputsAreInTiles) {
  EXPECT_EQ(loopsOfNest("  tensor B[N]: f32\n"
                        "  B[i] = A[0, i + 1] - A[0, i - 1]  where i >= 1, i <= N - 2\n"
                        "  B[0] = A[0, 1]\n  B[N - 1] = A[0, N - 2]\n"),
            "i ");
  EXPECT_EQ(loopsOfNest("  tensor B[M, N]: f32\n"
                        "  B[0, j] = A[0, j]\n  B[i, 0] = A[i, 0]  where i >= 1\n"
                        "  B[i, j] = A[i, j] + A[i - 1, j - 1]  where i >= 1, j >= 1\n"),
            "j i ");
  // Loops of its own may not run over the border.
  EXPECT_EQ(loopsOfNest("  tensor B[N]: f32\n  B[0] = sum(i) A[0, i]\n"
                        "  B[i] = A[0, i]  where i >= 1\n"),
            "");
  // What was written is printed and computed.
  const Kernel kernel = kernelOf(R"(kernel f(N = 4) {
    tensor A[N]: f32
    tensor B[N]: f32
    B[i] = A[i - 1]  where i >= 1
    B[0] = 7
  })");
  ASSERT_TRUE(kernel.written);
  EXPECT_EQ(valuesOf(kernel, {{"A", {{4}, {1, 2, 3, 4}}}}).at("B").data,
            (std::vector<double>{7, 1, 2, 3}));
}

// Of attention over the keys that a mask leaves.
std::string opsOfAttention(const std::string& statements) {
  return opsOf(kernelOf("kernel f(S = 64, D = 16) {\n"
                        "  tensor Q[S, D]: f32\n  tensor K[S, D]: f32\n  tensor V[S, D]: f32\n"
                        "  tensor O[S, D]: f32\n  local s[S, S]: f32\n  local m[S]: f32\n"
                        "  local p[S, S]: f32\n  local l[S]: f32\n" +
                        statements + "}\n"));
}

TEST(Spellings, AMaskedIntermediateOutputIsReadFromItsLocal) {
  const Kernel kernel = kernelOf(R"(kernel step(M = 5, N = 6) {
    tensor X[M, N]: f32  tensor A[M, M]: f32  tensor Y[M, N]: f32  local B[M, M]: f32
    A[i, k] = sum(j) X[i, j] * X[k, j]  where k <= i
    B[i, k] = sum(l) A[i, l] * A[l, k]
    Y[i, j] = sum(k) B[i, k] * X[k, j]
  })");
  EXPECT_TRUE(tileNest(kernel));
  const base::Diagnostics warnings = undefinedOutputs(kernel);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front().message, "no statement defines `A[0, 1]` and some others: they are 0");
  const TensorValues in = sampleInputs(kernel, 5);
  const TensorValues out = valuesOf(kernel, in);
  const auto& x = in.at("X").data;
  double lower[5][5] = {};
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      for (std::size_t j = 0; j < 6; ++j) lower[i][k] += x[6 * i + j] * x[6 * k + j];
    }
  }
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      double expected = 0;
      for (std::size_t k = 0; k < 5; ++k) {
        for (std::size_t l = 0; l < 5; ++l) expected += lower[i][l] * lower[l][k] * x[6 * k + j];
      }
      EXPECT_NEAR(out.at("Y").data[6 * i + j], expected, 1e-9 * std::abs(expected) + 1e-9);
    }
  }
}

// Reasons why loops have no tiles.
std::string wholeOf(const std::string& statements) {
  const Kernel kernel =
      kernelOf("kernel k(L = 8) { tensor X[L]: f32  tensor Y[2 * L]: f32\n" + statements + "\n}");
  const auto nest = tileNest(kernel);
  std::string reasons;
  for (const TileNest::Whole& whole : nest->whole) reasons += whole.reason + "; ";
  return reasons + namesOf(kernel, nest->parallel);
}

TEST(Spellings, LoopsOfInterleavedStatementsAreOne) {
  EXPECT_EQ(wholeOf("Y[2 * a] = X[a]\nY[2 * b + 1] = 3 * X[b]"), "a ");
  EXPECT_EQ(wholeOf("Y[2 * a] = X[a]\nY[2 * a + 1] = 3 * X[a]"), "a ");
  EXPECT_EQ(wholeOf("Y[a] = X[a]  where a < L\nY[b + L] = 3 * X[b]  where b < L"), "b ");
  EXPECT_EQ(wholeOf("for u in 0..2\nY[u] = 1\nY[t] = X[t - 2] where t >= 2, t < L"), "u ");
  // Another output keeps the shorter loop: its tiles are no longer than it is.
  const Kernel beside = kernelOf(R"(kernel k(L = 8, B = 4) {
    tensor X[L]: f32  tensor Y[L]: f32  tensor W[2, B]: f32  tensor c[B]: f32
    for u in 0..2
    Y[u] = 1
    W[u, a] = c[a] + u
    Y[t] = X[t - 2] where t >= 2
  })");
  ASSERT_TRUE(tileNest(beside));
  EXPECT_EQ(namesOf(beside, tileNest(beside)->outputs[1].loops), "u a ");
  // Tiles of a joined loop would write two places, so the loops stay apart.
  const std::string apart = "only some statements of output `Y` run over ";
  const std::string fix = ": write them with the same loops, of one extent; ";
  EXPECT_EQ(wholeOf("for b in 0..4\nY[2 * a] = X[a]\nY[4 * b + 1] = X[b]\nY[4 * b + 3] = X[b]"),
            apart + "b" + fix + apart + "a" + fix);
}

TEST(Spellings, AMaskedSoftmaxIsALimitedOne) {
  const std::string limited =
      opsOfAttention("  s[i, j] = sum(d) Q[i, d] * K[j, d]  where j <= i, j > i - 8\n"
                     "  m[i] = max(j) s[i, j]  where j <= i, j > i - 8\n"
                     "  p[i, j] = exp(s[i, j] - m[i])  where j <= i, j > i - 8\n"
                     "  l[i] = sum(j) p[i, j]  where j <= i, j > i - 8\n"
                     "  O[i, d] = (sum(j) p[i, j] * V[j, d]) / l[i]  where j <= i, j > i - 8\n");
  const std::string rest =
      "  m[i] = max(j) s[i, j]\n  p[i, j] = exp(s[i, j] - m[i])\n  l[i] = sum(j) p[i, j]\n"
      "  O[i, d] = (sum(j) p[i, j] * V[j, d]) / l[i]\n";
  EXPECT_EQ(opsOfAttention("  s[i, j] = select(j <= i and i - j < 8, sum(d) Q[i, d] * K[j, d], "
                           "-inf)\n" +
                           rest),
            limited);
  EXPECT_EQ(opsOfAttention("  s[i, j] = select(j > i or j <= i - 8, -inf, sum(d) Q[i, d] * "
                           "K[j, d])\n" +
                           rest),
            limited);
  // A condition on either side is no range of the loop, and another value hides nothing.
  for (const char* mask : {"select(j <= i or j > i + 8, ", "select(V[j, 0] > 0, "}) {
    EXPECT_NE(opsOfAttention("  s[i, j] = " + std::string(mask) +
                             "sum(d) Q[i, d] * K[j, d], -inf)\n" + rest)
                  .find("select"),
              std::string::npos);
  }
  EXPECT_NE(opsOfAttention("  s[i, j] = select(j <= i, sum(d) Q[i, d] * K[j, d], -9)\n" + rest)
                .find("select"),
            std::string::npos);
}

// The maximum over the loop runs; the other value scales the sums at the end.
TEST(Spellings, AMaximumOfAnotherValueLeavesASoftmaxRunning) {
  const auto attention = [](const std::string& statements) {
    return kernelOf("kernel sink(S = 9, D = 3) {\n  tensor Q[S, D]: f32  tensor K[S, D]: f32\n"
                    "  tensor V[S, D]: f32  tensor sink[S]: f32  tensor O[S, D]: f32\n"
                    "  local s[S, S]: f32  local m[S]: f32\n" +
                    statements + "}\n");
  };
  const std::string end =
      "  O[i, e] = (sum(j) exp(s[i, j] - m[i]) * V[j, e]) / ((sum(j) exp(s[i, j] - m[i])) + "
      "exp(sink[i] - m[i]))";
  const std::string limit = "  where j < i\n", product = "  s[i, j] = sum(d) Q[i, d] * K[j, d]";
  const Kernel limited =
      attention(product + limit + "  m[i] = max(max(j) s[i, j], sink[i])" + limit + end + limit);
  const Kernel masked = attention("  s[i, j] = select(j < i, sum(d) Q[i, d] * K[j, d], -inf)\n"
                                  "  m[i] = max(sink[i], max(j) s[i, j])\n" +
                                  end + "\n");
  for (const Kernel* kernel : {&limited, &masked}) {
    const auto nest = tileNest(*kernel);
    ASSERT_TRUE(nest);
    EXPECT_EQ(namesOf(*kernel, nest->sequential), "j ");
    EXPECT_TRUE(nest->merge);
    const TensorValues inputs = sampleInputs(*kernel, 3);
    const std::vector<double> values = valuesOf(*kernel, inputs)["O"].data;
    const std::vector<double> written = valuesOf(kernel->asWritten(), inputs)["O"].data;
    for (std::size_t v = 0; v < values.size(); ++v) EXPECT_NEAR(values[v], written[v], 1e-6);
  }
  EXPECT_EQ(opsOf(limited), opsOf(masked));
  // What another value adds along the loop is none of the maximum.
  const Kernel apart =
      attention(product + "\n  m[i] = max(max(j) s[i, j], max(k) Q[i, k])\n" + end + "\n");
  EXPECT_EQ(namesOf(apart, tileNest(apart)->sequential), "");
  // exp(2 * s - m) may be too large before the maximum is whole.
  const Kernel larger = attention(product + "\n  m[i] = max(max(j) s[i, j], sink[i])\n" +
                                  "  O[i, e] = sum(j) exp(2 * s[i, j] - m[i]) * V[j, e]\n");
  EXPECT_EQ(namesOf(larger, tileNest(larger)->sequential), "");
}

// A sum with a limit of its own is computed once, as one without.
TEST(Spellings, WeightsOfLimitedSumsAreComputedOnce) {
  const std::string limit = "  where j <= i\n";
  const std::string scores =
      "  s[i, j] = sum(d) Q[i, d] * K[j, d]" + limit + "  m[i] = max(j) s[i, j]" + limit;
  const std::string once =
      opsOfAttention(scores + "  p[i, j] = exp(s[i, j] - m[i])" + limit +
                     "  O[i, d] = (sum(j) p[i, j] * V[j, d]) / (sum(j) p[i, j])" + limit);
  EXPECT_EQ(opsOfAttention(scores +
                           "  O[i, d] = (sum(j) exp(s[i, j] - m[i]) * V[j, d]) / "
                           "(sum(j) exp(s[i, j] - m[i]))" +
                           limit),
            once);
}

TEST(Spellings, DivisorsOfWeightsDivideTheirSums) {
  const std::string begin = "  s[i, j] = sum(d) Q[i, d] * K[j, d]\n  m[i] = max(j) s[i, j]\n";
  const std::string late =
      opsOfAttention(begin + "  p[i, j] = exp(s[i, j] - m[i])\n  l[i] = sum(j) p[i, j]\n"
                             "  O[i, d] = (sum(j) p[i, j] * V[j, d]) / l[i]\n");
  EXPECT_NE(late.find("div i d"), std::string::npos);
  const std::string early =
      begin + "  l[i] = sum(j) exp(s[i, j] - m[i])\n  p[i, j] = exp(s[i, j] - m[i]) / l[i]\n";
  EXPECT_EQ(opsOfAttention(early + "  O[i, d] = sum(j) p[i, j] * V[j, d]\n"), late);
  // What needs a weight itself needs its quotient.
  EXPECT_NE(
      opsOfAttention(early + "  O[i, d] = sum(j) p[i, j] * p[i, j] * V[j, d]\n").find("div i j"),
      std::string::npos);
}

TEST(Spellings, WhatSeveralStatementsNeedIsComputedOnce) {
  const std::string begin =
      "kernel f(M = 64, N = 32) {\n  tensor X[M, N]: f32\n  tensor Y[M, N]: f32\n"
      "  local m[M]: f32\n  local p[M, N]: f32\n  local l[M]: f32\n  m[i] = max(j) X[i, j]\n";
  const std::string stored =
      opsOf(kernelOf(begin + "  p[i, j] = exp(X[i, j] - m[i])\n  l[i] = sum(j) p[i, j]\n"
                             "  Y[i, j] = p[i, j] / l[i]\n}\n"));
  EXPECT_EQ(opsOf(kernelOf(begin + "  l[i] = sum(j) exp(X[i, j] - m[i])\n"
                                   "  Y[i, j] = exp(X[i, j] - m[i]) / l[i]\n}\n")),
            stored);
  // An index of an extreme compares what the extreme was taken of.
  const std::string nearest =
      opsOf(kernelOf("kernel f(N = 64, K = 32, D = 16) {\n  tensor X[N, D]: f32\n"
                     "  tensor C[K, D]: f32\n  tensor A[N]: i32\n"
                     "  A[n] = argmin(k) sum(d) pow(X[n, d] - C[k, d], 2)\n}\n"));
  EXPECT_EQ(nearest, "sub n k d ; mul n k d ; sumreduce n k d ; maxreduce n k ; compare n k ; "
                     "select n k ; maxreduce n k ; ");
  // Nothing stands between statements that take the steps of a state together.
  EXPECT_FALSE(kernelOf(R"(kernel f(T = 16, C = 8) {
    tensor k[T, C]: f32  tensor y[T, C]: f32  local a[T, C]: f32 = 0  local b[T, C]: f32 = 0
    y[t, c] = a[t - 1, c] / (1 + b[t - 1, c])
    a[t, c] = 0.5 * a[t - 1, c] + exp(k[t, c])
    b[t, c] = 0.5 * b[t - 1, c] + exp(k[t, c]) * 2
  })")
                   .written);
  // Sums and products of elements are cheaper than a buffer.
  EXPECT_EQ(opsOf(kernelOf(begin + "  l[i] = sum(j) (X[i, j] + 1)\n"
                                   "  Y[i, j] = (X[i, j] + 1) / l[i] + m[i]\n}\n")),
            "maxreduce i j ; add i j ; sumreduce i j ; add i j ; div i j ; add i j ; ");
}

}  // namespace
}  // namespace gridloom::kernel
