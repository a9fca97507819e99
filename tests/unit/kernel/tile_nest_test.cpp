// SPDX-License-Identifier: Apache-2.0
#include "kernel/tile_nest.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/dependences.h"
#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

std::string describe(const Kernel& kernel, const TileOp& op) {
  const std::string target =
      kernel.tensor(kernel.statements[op.statement.index()].target.tensor).name;
  std::string text = target + ": ";
  if (op.unit == UnitKind::Matrix) {
    text += "matrix m " + namesOf(kernel, op.m) + "n " + namesOf(kernel, op.n) + "k " +
            namesOf(kernel, op.k) + "batch " + namesOf(kernel, op.batch);
  } else {
    text += std::string(nameOf(op.fn)) + " " + namesOf(kernel, op.loops);
  }
  if (!op.stepped.empty()) text += "by " + namesOf(kernel, op.stepped);
  if (op.phase == Phase::Epilogue) text += "epilogue ";
  if (!op.useful) text += "rescale ";
  text.pop_back();
  return text;
}

/// The whole nest as lines, so that an expectation reads like the nest.
std::vector<std::string> linesOf(const Kernel& kernel, const TileNest& nest) {
  std::vector<std::string> lines = {"parallel " + namesOf(kernel, nest.parallel) + "| reductions " +
                                    namesOf(kernel, nest.reductions) + "| sequential " +
                                    namesOf(kernel, nest.sequential)};
  for (const TileNest::Whole& whole : nest.whole) {
    lines.push_back("whole " + kernel.loop(whole.loop).name);
  }
  for (const auto* operands : {&nest.inputs, &nest.outputs}) {
    for (const Operand& operand : *operands) {
      lines.push_back((operand.output ? "out " : "in ") + operand.name + " " +
                      namesOf(kernel, operand.loops) +
                      (operand.phase == Phase::Epilogue ? "epilogue" : ""));
    }
  }
  for (const LocalBuffer& local : nest.locals) {
    lines.push_back("local " + local.name + " " + namesOf(kernel, local.loops) +
                    (local.carried ? "carried" : ""));
  }
  for (const TileOp& op : nest.ops) lines.push_back(describe(kernel, op));
  return lines;
}

std::vector<std::string> nestLines(const Kernel& kernel) {
  const auto nest = tileNest(kernel);
  if (!nest) {
    ADD_FAILURE() << base::render(nest.diagnostics());
    return {};
  }
  return linesOf(kernel, *nest);
}

using Lines = std::vector<std::string>;

TEST(TileNest, Gemm) {
  EXPECT_EQ(nestLines(shipped("gemm")),
            (Lines{"parallel i j | reductions k | sequential ", "in A i k ", "in B j k ",
                   "out C i j ", "C: matrix m i n j k k batch"}));
}

TEST(TileGuard, WhatHoldsOfSizesBoundsNoLoop) {
  using affine::LinearExpr;
  EXPECT_EQ(differencesOf({LinearExpr::number(2), false}), std::vector<Difference>{});
  EXPECT_EQ(differencesOf({LinearExpr::number(0), true}), std::vector<Difference>{});
  const auto never = differencesOf({LinearExpr::number(-1), false});
  ASSERT_TRUE(never);
  EXPECT_FALSE(closureOf(*never));
}

TEST(TileNest, BatchedGemm) {
  EXPECT_EQ(nestLines(shipped("batched_gemm")),
            (Lines{"parallel b i j | reductions k | sequential ", "in X b i k ", "in Y b j k ",
                   "out Z b i j ", "Z: matrix m i n j k k batch b"}));
}

TEST(TileNest, GemmBiasReluKeepsItsSumTiled) {
  EXPECT_EQ(nestLines(shipped("gemm_bias_relu")),
            (Lines{"parallel i j | reductions k | sequential ", "in X i k ", "in W j k ",
                   "in bias j epilogue", "out Y i j ", "Y: matrix m i n j k k batch",
                   "Y: add i j epilogue", "Y: relu i j epilogue"}));
}

TEST(TileNest, GemvIsAMatrixOpWithOneColumn) {
  EXPECT_EQ(nestLines(shipped("gemv")),
            (Lines{"parallel i | reductions k | sequential ", "in A i k ", "in x k ", "out y i ",
                   "y: matrix m i n k k batch"}));
}

TEST(TileNest, VectorAdd) {
  EXPECT_EQ(nestLines(shipped("vector_add")),
            (Lines{"parallel i | reductions | sequential ", "in a i ", "in b i ", "out c i ",
                   "c: add i"}));
}

TEST(TileNest, SoftmaxKeepsRowsWhole) {
  EXPECT_EQ(nestLines(shipped("softmax")),
            (Lines{"parallel i | reductions | sequential ", "whole j", "in X i j ", "out Y i j ",
                   "local m i ", "local e i j ", "local l i ", "m: maxreduce i j", "e: sub i j",
                   "e: exp i j", "l: sumreduce i j", "Y: div i j"}));
}

TEST(TileNest, FlashAttention) {
  const Kernel kernel = shipped("flash_attention");
  EXPECT_EQ(nestLines(kernel), (Lines{"parallel h i | reductions | sequential j ",
                                      "whole d",
                                      "in Q h i d ",
                                      "in K h j d ",
                                      "in V h j d ",
                                      "out O h i d epilogue",
                                      "local s h i j ",
                                      "local m h i carried",
                                      "local p h i j ",
                                      "local c h i ",
                                      "local l h i carried",
                                      "local o h i d carried",
                                      "s: matrix m i n j k d batch h",
                                      "s: mul h i j",
                                      "m: maxreduce h i j",
                                      "p: sub h i j",
                                      "p: exp h i j",
                                      "c: sub h i rescale",
                                      "c: exp h i rescale",
                                      "l: mul h i rescale",
                                      "l: sumreduce h i j",
                                      "o: mul h i d rescale",
                                      "o: matrix m i n d k j batch h",
                                      "O: div h i d epilogue"}));
  EXPECT_EQ(tileNest(kernel)->whole[0].reason, "d is reduced by `s` and free in `o`");
}

TEST(TileNest, Conv2d) {
  const Kernel kernel = shipped("conv2d");
  EXPECT_EQ(nestLines(kernel),
            (Lines{"parallel n f p q | reductions c r s | sequential ", "in I n p q c r s ",
                   "in K f c r s ", "out O n f p q ", "O: matrix m n p q n f k c r s batch"}));
  // 2 images, 8 filters, 4x5 pixels, 16 channels, 3x2 taps: a window of 6x6.
  const auto nest = tileNest(kernel);
  const std::vector<std::int64_t> extents = {2, 8, 4, 5, 16, 3, 2};
  EXPECT_EQ(regionElements(nest->inputs[0], extents), 2 * 16 * 6 * 6);
  EXPECT_EQ(regionBytes(nest->inputs[0], extents), 2 * 2 * 16 * 6 * 6);
  EXPECT_EQ(regionElements(nest->inputs[1], extents), 8 * 16 * 3 * 2);
  const MatrixExtents roles = matrixExtents(nest->ops[0], extents);
  EXPECT_EQ(roles.m, 2 * 4 * 5);
  EXPECT_EQ(roles.n, 8);
  EXPECT_EQ(roles.k, 16 * 3 * 2);
  EXPECT_EQ(flops(nest->ops[0], extents), 2.0 * 40 * 8 * 96);
  EXPECT_TRUE(nest->inputs[0].dependsOn(loopNamed(kernel, "r")));
  EXPECT_FALSE(nest->inputs[0].dependsOn(loopNamed(kernel, "f")));
}

TEST(TileNest, MttkrpMultipliesTheSmallFactorsFirst) {
  const Kernel kernel = shipped("mttkrp");
  EXPECT_EQ(nestLines(kernel),
            (Lines{"parallel i j | reductions k l | sequential ", "in A i k l ", "in B j k ",
                   "in C j l ", "out D i j ", "local D (operand) j k l ", "D: mul j k l",
                   "D: matrix m i n j k k l batch"}));
  const std::vector<std::int64_t> extents = {8, 4, 2, 16};
  EXPECT_EQ(localBytes(tileNest(kernel)->locals[0], extents), 4 * 4 * 2 * 16);
}

// An output needs every step of the state: only what the state needs takes them one by one.
TEST(TileNest, FollowedStateTakesItsSteps) {
  const Kernel kernel = kernelOf(R"(kernel scan(T = 64, D = 8, N = 4) {
    tensor x[T, D]: f32  tensor A[D, N]: f32  tensor y[T, D]: f32
    local h[T, D, N]: f32 = 0
    h[t, d, n] = exp(A[d, n]) * h[t - 1, d, n] + x[t, d]
    y[t, d] = sum(n) h[t, d, n]
  })");
  EXPECT_EQ(nestLines(kernel),
            (Lines{"parallel d | reductions n | sequential t ", "in A d n ", "in x t d ",
                   "out y t d ", "local h t d n carried", "h: exp d n", "h: mul t d n by t",
                   "h: add t d n by t", "y: sumreduce t d n"}));
  const auto nest = tileNest(kernel);
  EXPECT_EQ(namesOf(kernel, nest->outputLoops), "d t ");
  // A tile of 16 steps has the last state of the tile before it beside its own.
  const std::vector<std::int64_t> extents = {16, 2, 4};
  EXPECT_EQ(localBytes(nest->locals[0], extents), 4 * (16 + 1) * 2 * 4);
}

TEST(TileNest, StateOfWhichTheEndIsNeededIsComputedByTile) {
  const Kernel kernel = shipped("flash_attention");
  const auto nest = tileNest(kernel);
  EXPECT_EQ(namesOf(kernel, nest->outputLoops), namesOf(kernel, nest->parallel));
  for (const TileOp& op : nest->ops) EXPECT_TRUE(op.stepped.empty());
}

TEST(TileNest, RunningStateWalksItsTiles) {
  EXPECT_EQ(nestLines(kernelOf("kernel running(N = 64) { tensor A[N]: f32 tensor P[N]: f32 "
                               "local p[N]: f32 = 0 p[i] = p[i - 1] + A[i] P[i] = p[i] }")),
            (Lines{"parallel | reductions | sequential i ", "in A i ", "out P i ",
                   "local p i carried", "p: add i by i"}));
}

TEST(TileNest, ATriangularSolveReadsTilesThatItMakes) {
  const Kernel kernel = shipped("trsm");
  EXPECT_EQ(nestLines(kernel),
            (Lines{"parallel i r | reductions j | sequential ", "in B i r ", "in L i j ",
                   "in X@2 r j ", "out X i r ", "X: matrix m i n r k j batch", "X: mul r j by i",
                   "X: sumreduce r j by i", "X: sub r by i", "X: div r by i"}));
  const auto nest = tileNest(kernel);
  EXPECT_EQ(namesOf(kernel, nest->steps), "i ");
  EXPECT_EQ(namesOf(kernel, nest->ties.front()), "i j ");
  EXPECT_TRUE(nest->inputs[2].produced);
  // Tiles of rows: 2 of i, 1 of j is an update; the diagonal ends the sum; above it there is no
  // work.
  std::vector<TileSpan> at(3);
  const auto move = [&](std::int64_t i, std::int64_t j) {
    at[loopNamed(kernel, "i").index()] = {i * 8, i * 8 + 8, i, i};
    at[loopNamed(kernel, "j").index()] = {j * 8, j * 8 + 8, j, j};
  };
  const auto active = [&] {
    std::string out;
    for (const TileOp& op : nest->ops) out += op.guard.holds(at) ? "1" : "0";
    return out;
  };
  move(2, 1);
  EXPECT_EQ(active(), "10000");
  EXPECT_TRUE(nest->inputs[2].guard.holds(at));
  move(2, 2);
  EXPECT_EQ(active(), "01111");
  EXPECT_FALSE(nest->inputs[2].guard.holds(at));
  move(1, 2);
  EXPECT_EQ(active(), "00000");
  EXPECT_FALSE(nest->work.holds(at));
}

TEST(TileNest, LayersInOneKernelStreamTheHiddenTensor) {
  const Kernel kernel = kernelOf(R"(kernel fused(M = 64, D = 32, E = 128) {
    tensor X[M, D]: f16  tensor W1[D, E]: f16  tensor W2[E, D]: f16  tensor Y[M, D]: f16
    local T[M, E]: f16
    T[i, h] = relu(sum(k) X[i, k] * W1[k, h])
    Y[i, j] = sum(h) T[i, h] * W2[h, j]
  })");
  EXPECT_EQ(nestLines(kernel),
            (Lines{"parallel i j | reductions h | sequential ", "whole k", "in X i k ",
                   "in W1 h k ", "in W2 h j ", "out Y i j ", "local T i h ",
                   "T: matrix m i n h k k batch", "T: relu i h", "Y: matrix m i n j k h batch"}));
}

TEST(TileNest, FactorsThatASumDoesNotRunOverAreAppliedOnce) {
  const Kernel kernel = kernelOf(R"(kernel scaled(M = 8, N = 8, K = 8) {
    tensor A[M, K]: f16  tensor B[K, N]: f16  tensor g[N]: f16  tensor C[M, N]: f16
    C[i, j] = sum(k) A[i, k] * 0.5 * B[k, j] * g[j] * 0.25
  })");
  EXPECT_EQ(nestLines(kernel),
            (Lines{"parallel i j | reductions k | sequential ", "in A i k ", "in B j k ", "in g j ",
                   "out C i j ", "C: matrix m i n j k k batch", "C: mul i j epilogue",
                   "C: mul i j epilogue"}));
}

TEST(TileNest, DotProductsRunOnTheVectorUnit) {
  const Kernel kernel = kernelOf(R"(kernel dots(M = 8, K = 8) {
    tensor A[M, K]: f16  tensor B[M, K]: f16  tensor c[M]: f16
    c[i] = sum(k) A[i, k] * B[i, k]
  })");
  EXPECT_EQ(nestLines(kernel), (Lines{"parallel i | reductions k | sequential ", "in A i k ",
                                      "in B i k ", "out c i ", "c: mul i k", "c: sumreduce i k"}));
}

TEST(TileNest, AccessesThatDifferByConstantsShareAWindow) {
  const Kernel shifted = kernelOf(R"(kernel blur(N = 16) {
    tensor A[N + 3]: f32  tensor B[N]: f32
    B[i] = A[i + 3] + 2 * A[i + 1] + A[i + 2]
  })");
  const auto window = tileNest(shifted);
  ASSERT_TRUE(window.ok());
  ASSERT_EQ(window->inputs.size(), 1u);
  EXPECT_EQ(window->inputs[0].dims[0].minOffset, 1);
  EXPECT_EQ(window->inputs[0].dims[0].maxOffset, 3);
  EXPECT_EQ(regionElements(window->inputs[0], std::vector<std::int64_t>{4}), 6);
}

// A window with all elements between them would be the whole tensor.
TEST(TileNest, WhatWrapsAroundIsAWindowOfItsOwn) {
  const Kernel kernel = kernelOf(R"(kernel ring(N = 64) {
    tensor A[N]: f32  tensor B[N]: f32
    B[i] = A[i] + select(i >= 1, A[i - 1], A[i - 1 + N]) + select(i < N - 1, A[i + 1], A[0])
  })");
  const TileNest nest = *tileNest(kernel);
  std::vector<std::int64_t> sizes;
  for (const Operand& operand : nest.inputs) {
    const RegionDim& dim = operand.dims.front();
    sizes.push_back(dim.maxOffset - dim.minOffset + 1);
  }
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{3, 1, 1}));
  // Nearby elements are read together, also where a border reads one of them alone.
  const TileNest near = *tileNest(kernelOf(R"(kernel near(N = 64) {
    tensor A[N]: f32  tensor W[3]: f32  tensor B[N]: f32
    B[i] = W[0] * A[i] + W[2] * select(i == 0, A[i + 1], A[i - 1])
  })"));
  EXPECT_EQ(near.inputs.size(), 2);
}

TEST(TileNest, ARegionPastAllNumbersIsTheLargestNumber) {
  const Kernel kernel = kernelOf(R"(kernel wide(N = 8) {
    tensor A[N, N, N]: f64  tensor B[N, N, N]: f64
    B[i, j, k] = A[i, j, k] + 1
  })");
  const auto nest = tileNest(kernel);
  ASSERT_TRUE(nest.ok());
  const std::vector<std::int64_t> huge(3, std::int64_t{1} << 40);
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(regionElements(nest->inputs[0], huge), kLargest);
  EXPECT_EQ(regionBytes(nest->inputs[0], huge), kLargest);
  EXPECT_EQ(localBytes({nest->inputs[0].tensor, "t", DType::F64, nest->inputs[0].loops}, huge),
            kLargest);
}

TEST(TileNest, AccessesByDifferentLoopsAreOperandsOfTheirOwn) {
  const Kernel kernel = kernelOf(R"(kernel syrk(N = 8, K = 8) {
    tensor A[N, K]: f16  tensor C[N, N]: f16
    C[i, j] = sum(k) A[i, k] * A[j, k]
  })");
  EXPECT_EQ(nestLines(kernel), (Lines{"parallel i j | reductions k | sequential ", "in A i k ",
                                      "in A@2 j k ", "out C i j ", "C: matrix m i n j k k batch"}));
}

TEST(TileNest, TwoSumsInOneStatementNeedTwoAccumulators) {
  const Kernel kernel = kernelOf(R"(kernel two(M = 8, N = 8, K = 8) {
    tensor A[M, K]: f16  tensor B[K, N]: f16  tensor D[K, N]: f16  tensor C[M, N]: f16
    C[i, j] = (sum(k) A[i, k] * B[k, j]) / (sum(k) A[i, k] * D[k, j])
  })");
  EXPECT_EQ(nestLines(kernel), (Lines{"parallel i j | reductions k | sequential ", "in A i k ",
                                      "in B j k ", "in D j k ", "out C i j ",
                                      "local C (sum 2) i j carried", "C: matrix m i n j k k batch",
                                      "C: matrix m i n j k k batch", "C: div i j epilogue"}));
}

std::string firstError(const Kernel& kernel) {
  const auto nest = tileNest(kernel);
  if (nest.ok()) return "mapped";
  EXPECT_GT(nest.diagnostics()[0].span.end, 0u);
  return nest.diagnostics()[0].message;
}

TEST(TileNest, CountsBeyond64BitsSaturateOrAreDoubles) {
  TileOp op;
  op.loops = {LoopId(0), LoopId(1), LoopId(2)};
  const std::vector<std::int64_t> extents(3, std::int64_t{1} << 22);
  EXPECT_EQ(vectorElements(op, extents), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(flops(op, extents), std::ldexp(1, 66));
}

TEST(TileNest, ACopyBesideAReductionIsAnEpilogue) {
  const auto epilogueOf = [](const std::string& copy) {
    const Kernel kernel = kernelOf("kernel k(N = 8) {\n  tensor A[N, N]: f32\n  tensor E[N]: f32\n"
                                   "  tensor C[N]: f32\n  tensor D[N]: f32\n"
                                   "  C[i] = sum(k) A[i, k] * E[k]\n" +
                                   copy + "}\n");
    return hasEpilogue(*tileNest(kernel));
  };
  EXPECT_TRUE(epilogueOf("  D[i] = E[i]\n"));
  EXPECT_TRUE(epilogueOf("  D[i] = 0.5\n"));
  EXPECT_TRUE(epilogueOf("  D[i] = C[i] + 1\n"));
  EXPECT_FALSE(hasEpilogue(*tileNest(shipped("gemm", {{"M", 8}, {"N", 8}, {"K", 8}}))));
  EXPECT_FALSE(hasEpilogue(*tileNest(shipped("vector_add", {{"N", 8}}))));
}

TEST(TileNest, SaysWhatIsNotYetMapped) {
  EXPECT_EQ(firstError(kernelOf(R"(kernel backward(N = 8) {
    tensor A[N]: f32  tensor X[N]: f32
    X[i] = A[i]             where i >= N - 1
    X[i] = X[i + 1] + A[i]  where i < N - 1
  })")),
            "not yet mapped: no order of loops computes X[i] after X[i + 1]");
  const auto early = [](const std::string& rest) {
    return firstError(kernelOf("kernel early(M = 8, N = 8) {\n"
                               "  tensor x[M]: f32  tensor A[M, N]: f32  tensor y[M]: f32\n"
                               "  tensor t[M]: f32\n  for k in 0..4\n" +
                               rest + "  y[i] = sum(j) A[i, j] * t[i] * A[i, j]\n}"));
  };
  EXPECT_EQ(early("  t[i] = exp(x[i])  where i < 4\n  t[i] = 0  where i >= 4\n"), "mapped");
  EXPECT_EQ(early("  t[2 * k] = exp(x[k])\n  t[2 * k + 1] = 0\n"),
            "not yet mapped: output `t` is needed before the loop j begins, by `y`");
  EXPECT_EQ(firstError(kernelOf(R"(kernel circle(N = 8) {
    tensor A[N]: f32  tensor B[N]: f32  local s[N]: f32  local t[N]: f32
    s[i] = select(A[i] > 0, t[i], 1)
    t[i] = select(A[i] > 0, 2, s[i])
    B[i] = t[i]
  })")),
            "not yet mapped: s[i] and t[i] need each other, at the same index");
}

std::string firstHelp(const Kernel& kernel) {
  const auto nest = tileNest(kernel);
  return nest ? "" : nest.diagnostics()[0].hint;
}

// Each refusal names a change, and the change works.
TEST(TileNest, RefusesWithAChangeThatWorks) {
  const auto back = [](const std::string& statements) {
    return kernelOf(
        "kernel back(N = 8) {\n tensor A[N]: f32 tensor Y[N]: f32 local x[N]: f32 = 0\n" +
        statements + "}");
  };
  const Kernel later = back("x[7] = A[7]\nx[i] = x[i + 1] + A[i] where i < 7\nY[i] = x[i]\n");
  EXPECT_EQ(firstError(later), "not yet mapped: x[i] needs x[i + 1], of a later i");
  EXPECT_EQ(firstHelp(later), "count from the end: write `7 - i` for `i` in these statements");
  EXPECT_EQ(firstHelp(back("x[i] = x[i - 1] + A[7 - i]\nY[7 - i] = x[i]\n")), "");

  const std::string cycle = "local y[N]: f32 = 0\nx[i] = y[i - 1] + A[i]\ny[i] = 2 * x[i] + A[i]\n";
  const Kernel all = back(cycle + "Y[i] = y[i] + x[7 - i]\n");
  EXPECT_EQ(firstError(all),
            "not yet mapped: Y[i] needs x[7 - i], of any i, before it is complete");
  EXPECT_EQ(firstHelp(all), "name another loop for `i` in the statement that reads all of `x`");
  EXPECT_EQ(firstHelp(back(cycle + "Y[q] = y[q] + x[7 - q]\n")), "");
}

// Statements run in an order that computes what they read, whatever that of the text is.
TEST(TileNest, StatementsMayStandInAnyOrder) {
  const auto decays = [](const std::string& statements) {
    return kernelOf("kernel decays(N = 8) {\n tensor A[N]: f32 tensor O[N]: f32 tensor Z[N]: f32\n"
                    " local s[N]: f32 = 0\n" +
                    statements + " O[t] = s[t]\n Z[t] = A[t] * s[N - 1]\n}");
  };
  const std::string first = " s[t] = A[t] where t < 1\n";
  const std::string others = " s[t] = A[t] + 0.5 * s[t - 1] where t >= 1\n";
  EXPECT_EQ(firstHelp(decays(first + others)), "");
  EXPECT_EQ(firstHelp(decays(others + first)), "");
  EXPECT_EQ(firstHelp(kernelOf(R"(kernel order(N = 8) {
    tensor A[N]: f32  tensor B[N]: f32  local t[N]: f32
    B[i] = t[i]
    t[i] = A[i]
  })")),
            "");
  const Kernel early = kernelOf(R"(kernel early(N = 8, M = 8) {
    tensor X[N, M]: f32  tensor O[N, M]: f32  tensor Z[N]: f32  local s[N, M]: f32 = 0
    Z[i] = select(i >= 1, s[i - 1, 1], 5) + X[i, 0]
    s[i, j] = X[i, j] + 0.5 * s[i, j - 1] + 0.5 * s[i - 1, j]
    O[i, j] = s[i, j]
  })");
  EXPECT_EQ(firstHelp(early), "");
}

// The diagonal of a factor, then what is divided by it: each step along j does both.
TEST(TileNest, OrderOfStatementsLeavesTheStepsOfATile) {
  const std::string diagonal =
      "  L[j, j] = sqrt(A[j, j] - sum(k) L[j, k] * L[j, k])  where k < j\n";
  const std::string below =
      "  L[i, j] = (A[i, j] - sum(k) L[i, k] * L[j, k]) / L[j, j]  where j < i, k < j\n";
  const auto stepsOf = [](const std::string& statements) {
    const Kernel kernel = kernelOf("kernel factor(N = 64) {\n  tensor A[N, N]: f32\n"
                                   "  tensor L[N, N]: f32\n" +
                                   statements + "  L[i, j] = 0  where i < j\n}\n");
    const auto nest = tileNest(kernel);
    EXPECT_TRUE(nest) << base::render(nest.diagnostics());
    return nest ? namesOf(kernel, nest->steps) : "";
  };
  EXPECT_EQ(stepsOf(diagonal + below), "j ");
  EXPECT_EQ(stepsOf(below + diagonal), "j ");
}

// Two fields that take turns, each from neighbours of the other (PolyBench writes Jacobi so).
TEST(TileNest, FieldsThatTakeTurnsAreState) {
  const Kernel turns = kernelOf(R"(kernel turns(T = 4, N = 16) {
    tensor A[N]: f32  tensor B[N]: f32  local a[T + 1, N]: f32  local b[T + 1, N]: f32
    a[0, i] = A[i]
    b[t, i] = select(i >= 1 and i <= N - 2, a[t, i - 1] + a[t, i + 1], a[t, i])
    a[t + 1, i] = select(i >= 1 and i <= N - 2, b[t, i - 1] + b[t, i + 1], b[t, i])  where t < T
    B[i] = a[T, i]
  })");
  EXPECT_EQ(firstHelp(turns), "");
}

// Later neighbours of a step are computed where they are read, which is no work of the kernel.
TEST(TileNest, StepsOfTwoFieldsAreParallel) {
  const Kernel fields = kernelOf(R"(kernel fields(T = 4, N = 16) {
    tensor A[N]: f32  tensor e[T, N]: f32  tensor h[T, N]: f32
    e[0, i] = A[i]
    h[0, i] = 2 * A[i]
    e[t, i] = e[t - 1, i] - h[t - 1, i]  where t >= 1
    h[t, i] = h[t - 1, i] - e[t, i + 1] + e[t, i]  where t >= 1, i < N - 1
    h[t, i] = h[t - 1, i]  where t >= 1, i >= N - 1
  })");
  const LoopId t = loopNamed(fields, "t"), i = loopNamed(fields, "i");
  for (const FlowDependence& flow : flowDependences(fields)) {
    const auto& steps = flow.distance.perLoop[t.index()];
    const auto& places = flow.distance.perLoop[i.index()];
    EXPECT_TRUE(steps.min >= 1 || places.min >= 0) << flow.reader.index() << " " << flow.read;
  }
  EXPECT_EQ(flopCount(fields), flopCount(fields.asWritten()));
}

TEST(TileNest, ARecurrenceOfSeveralTensorsSharesItsLoops) {
  const auto pair = [](const std::string& loop) {
    return kernelOf("kernel pair(N = 8) {\n tensor A[N]: f32 tensor Y[N]: f32 for j in 0..N\n"
                    " local p[N]: f32 = 0\n local q[N]: f32 = 0\n"
                    " q[i] = 0.5 * p[i] + A[i]\n p[" +
                    loop + "] = q[" + loop + " - 1] + 1\n Y[i] = q[i]\n}");
  };
  EXPECT_EQ(firstError(pair("j")), "mapped");
  EXPECT_EQ(firstError(pair("i")), "mapped");
  // Loops are in any index, and one may be shorter.
  const Kernel solve = kernelOf(R"(kernel solve(N = 8) {
    tensor L[N, N]: f32  tensor b[N]: f32  tensor x[N]: f32
    local r[N, N]: f32
    r[0, i] = b[i]
    r[j, i] = r[j - 1, i] - L[i, j - 1] * x[j - 1]  where j >= 1
    x[i] = r[i, i] / L[i, i]
  })");
  EXPECT_EQ(firstError(solve), "mapped");
  // A sum over a loop that the target takes then has one of its own.
  EXPECT_EQ(firstError(kernelOf(R"(kernel sums(N = 8) {
    tensor L[N, N]: f32  tensor b[N]: f32  tensor r[N, N]: f32  tensor x[N]: f32
    r[0, i] = b[i]
    r[j, i] = r[j - 1, i] - L[i, j - 1] * x[j - 1]  where j >= 1
    x[i] = r[i, i] / L[i, i] + sum(j) L[i, j]
  })")),
            "mapped");
  // A loop that is called alike and summed over stays apart.
  EXPECT_NE(firstError(kernelOf(R"(kernel both(N = 8) {
    tensor A[N, N]: f32  tensor Y[N, N]: f32
    local p[N, N]: f32 = 0  local q[N, N]: f32 = 0
    q[i, j] = 0.5 * p[i, j] + A[i, j]
    p[k, l] = (sum(i, j) A[i, j] * q[k - 1, l]) + 1
    Y[i, j] = q[i, j]
  })")),
            "");
}

// Outputs that need each other share their loops, or are state.
TEST(TileNest, OutputsOfOtherLoopsAreState) {
  EXPECT_EQ(firstHelp(kernelOf(
                "kernel ldlt(N = 8) {\n tensor A[N, N]: f32 tensor L[N, N]: f32 tensor D[N]: f32\n"
                "D[j] = A[j, j] - sum(k) L[j, k] * D[k] where k < j\n"
                "L[i, j] = (A[i, j] - sum(k) L[i, k] * L[j, k] * D[k]) where j < i, k < j\n"
                "L[i, j] = 1 where i == j\nL[i, j] = 0 where i < j\n}")),
            "");
  const std::string tensors =
      "kernel centred(T = 8, N = 6) {\n tensor A[T, N]: f32 tensor Y[T, N]: f32 tensor m[T]: f32\n";
  const std::string y = "Y[0, i] = A[0, i]\nY[t, i] = A[t, i] - m[t - 1] where t >= 1\n";
  const std::string m = "m[t] = sum(j) Y[t, j]\n";
  EXPECT_EQ(firstHelp(kernelOf(tensors + y + m + "}")), "");
  EXPECT_EQ(firstHelp(kernelOf(tensors + m + y + "}")), "");
}

TEST(TileNest, OutputsOfOtherLoopsAreKernelsOfTheirOwn) {
  const std::string head =
      "kernel apart(N = 8) {\n tensor X[N, 2 * N]: f32 tensor O[N, 2 * N]: f32\n";
  const std::string recurrence = " for j in 0..N - 2\n O[t, k] = X[t, k] where k < 4\n"
                                 " O[0, 2 * j + 4] = X[0, 2 * j + 4]\n"
                                 " O[0, 2 * j + 5] = X[0, 2 * j + 5]\n"
                                 " O[t, 2 * j + 4] = O[t - 1, 2 * j + 5] where t >= 1\n"
                                 " O[t, 2 * j + 5] = O[t - 1, 2 * j + 4] where t >= 1\n";
  const Kernel beside = kernelOf(head + " tensor Z[N]: f32\n" + recurrence + " Z[t] = O[t, 3]\n}");
  EXPECT_EQ(firstError(beside),
            "not yet mapped: `Z[t]` has other loops than `O[t, k]`, in a kernel "
            "with an output that needs its own elements");
  EXPECT_EQ(firstHelp(beside), "compute `Z` in a kernel of its own");
  EXPECT_EQ(firstHelp(kernelOf("kernel last(N = 8) {\n tensor O[N, 2 * N]: f32 tensor Z[N]: f32\n"
                               " Z[t] = O[t, 3]\n}")),
            "");
}

// Outputs are tiled if their sums end at one loop, which those of several outputs are made to.
TEST(TileNest, SumsOfOutputsEndAtOneLoop) {
  const Kernel lu = kernelOf(R"(kernel lu(N = 8) {
    tensor A[N, N]: f32  tensor F[N, N]: f32
    F[i, j] = (A[i, j] - sum(k) F[i, k] * F[k, j]) / F[j, j]  where j < i, k < j
    F[i, j] = A[i, j] - sum(k) F[i, k] * F[k, j]  where j >= i, k < i
  })");
  EXPECT_EQ(firstError(lu), "mapped");
  EXPECT_TRUE(tileNest(lu)->hasProduced());
  EXPECT_TRUE(tileNest(shipped("polybench/lu", {{"N", 8}}))->hasProduced());
  const Kernel upper = kernelOf(R"(kernel upper(N = 8) {
    tensor U[N, N]: f32  tensor b[N]: f32  tensor x[N]: f32
    x[i] = (b[i] - sum(j) U[i, j] * x[j]) / U[i, i]  where j > i
  })");
  EXPECT_EQ(firstError(upper), "not yet mapped: the sum over j needs later elements of the output");
  EXPECT_EQ(firstHelp(shipped("polybench/ludcmp", {{"N", 8}})), "");
}

// A window of the first and the last row would span all rows.
TEST(TileNest, BordersOfARecurrenceReadWhatLiesBesideThem) {
  const Kernel sweep = kernelOf(R"(kernel sweep(N = 8) {
    tensor A[N, N]: f32  tensor X[N, N]: f32
    X[0, j] = A[0, j]
    X[N - 1, j] = A[N - 1, j]
    X[i, 0] = A[i, 0]  where i >= 1, i <= N - 2
    X[i, N - 1] = A[i, N - 1]  where i >= 1, i <= N - 2
    X[i, j] = X[i - 1, j] + X[i, j - 1] + A[i + 1, j] where i >= 1, i <= N - 2, j >= 1, j <= N - 2
  })");
  const auto nest = tileNest(sweep);
  ASSERT_TRUE(nest);
  const auto isOfA = [](const Operand& input) { return input.name.front() == 'A'; };
  EXPECT_EQ(std::ranges::count_if(nest->inputs, isOfA), 1);
  const Operand& a = *std::ranges::find_if(nest->inputs, isOfA);
  EXPECT_EQ(a.dims[0].maxOffset - a.dims[0].minOffset, 1);
  EXPECT_EQ(a.dims[1].maxOffset - a.dims[1].minOffset, 0);
}

// All of h at the step before, so h advances index by index, and only its live slice stays.
TEST(TileNest, ARecurrenceOverAVectorIsStepped) {
  const Kernel kernel = shipped("llm/gru", {{"T", 8}, {"D", 4}, {"H", 4}});
  const TileNest nest = *tileNest(kernel);
  EXPECT_EQ(namesOf(kernel, nest.sequential), "t ");
  const LoopId t = loopNamed(kernel, "t");
  for (const TileOp& op : nest.ops) {
    const std::string& target =
        kernel.tensor(kernel.statements[op.statement.index()].target.tensor).name;
    EXPECT_EQ(op.stepped, target == "Y" ? std::vector<LoopId>{} : std::vector<LoopId>{t});
  }
  // Y needs all of a tile of h.
  for (const LocalBuffer& local : nest.locals) {
    const bool state = local.name == "z" || local.name == "r" || local.name == "h";
    EXPECT_TRUE(!state || contains(local.loops, t) == (local.name == "h")) << local.name;
  }
}

// A window with the far elements, too, would be the whole step before.
TEST(TileNest, StepsThatWrapAroundReadFarElementsByThemselves) {
  const Kernel kernel = kernelOf(R"(kernel ring(T = 4, N = 64) {
    tensor A[N]: f32  tensor u[T, N]: f32
    u[t, i] = select(t == 0, A[i], u[t - 1, mod(i - 1, N)] - u[t - 1, mod(i + 1, N)])
  })");
  const auto nest = tileNest(kernel);
  ASSERT_TRUE(nest);
  std::vector<std::int64_t> sizes;
  for (const Operand& input : nest->inputs) {
    if (!input.produced) continue;
    sizes.push_back(input.dims[1].maxOffset - input.dims[1].minOffset + 1);
  }
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{3, 1, 1}));
  const TensorValues inputs = sampleInputs(kernel, 3);
  EXPECT_EQ(valuesOf(kernel, inputs)["u"].data, valuesOf(kernel.asWritten(), inputs)["u"].data);
}

// The sum has no terms at i = 0, but the value there is still D[0].
TEST(TileNest, AnEmptySumStillNeedsWhatStandsBesideIt) {
  const Kernel kernel = kernelOf(R"(kernel partial(N = 64) {
    tensor A[N]: f32  tensor D[N]: f32  tensor X[N]: f32
    X[i] = D[i] + sum(j) A[j]  where j < i
  })");
  const TileNest nest = *tileNest(kernel);
  ASSERT_EQ(nest.inputs.size(), 2U);
  for (const Operand& input : nest.inputs) {
    EXPECT_EQ(input.guard.always(), input.name == "D") << input.name;
  }
  EXPECT_TRUE(nest.work.always());
}

// A window over both positions of a tile overlaps the output of other tiles.
TEST(TileNest, LoopsAlongWhichAnOutputIsWrittenAtTwoPlacesAreWhole) {
  const Kernel kernel = kernelOf(R"(kernel halves(N = 128, E = N / 2) {
    tensor X[64, N]: f32  tensor Y[64, N]: f32
    Y[s, d] = X[s, d]  where d < E
    Y[s, d + E] = 2 * X[s, d]  where d < E
  })");
  const TileNest nest = *tileNest(kernel);
  ASSERT_EQ(nest.whole.size(), 1U);
  EXPECT_EQ(kernel.loop(nest.whole[0].loop).name, "d");
  EXPECT_EQ(nest.whole[0].reason, "`Y` is written at two positions along d");
}

/// The nest of `Y[b, k] = ...`, as lines.
std::vector<std::string> nestOf(const std::string& expression) {
  const Kernel kernel =
      kernelOf("kernel k(N = 8) { tensor x[N, N]: f32 tensor z[N, N]: f32 tensor c[N, N]: f32 "
               "tensor s[N, N]: f32 tensor w[N]: f32 tensor Y[N, N]: f32 Y[b, k] = " +
               expression + " }");
  const auto nest = tileNest(kernel);
  EXPECT_TRUE(nest);
  return nest ? linesOf(kernel, *nest) : std::vector<std::string>{};
}

// A sum of products is the sum of each: the unit does not depend on the spelling.
TEST(TileNest, ASumOfProductsIsSeveralContractions) {
  EXPECT_EQ(nestOf("sum(n) (x[b, n] * c[n, k] + z[b, n] * s[n, k])"),
            nestOf("(sum(n) x[b, n] * c[n, k]) + (sum(n) z[b, n] * s[n, k])"));
  EXPECT_EQ(nestOf("sum(n) (x[b, n] * c[n, k] - 2 * z[b, n] * s[n, k])"),
            nestOf("(sum(n) x[b, n] * c[n, k]) - (sum(n) 2 * z[b, n] * s[n, k])"));
  EXPECT_EQ(nestOf("w[b] * (sum(n) (x[b, n] * c[n, k] + z[b, n] * s[n, k]))"),
            nestOf("w[b] * ((sum(n) x[b, n] * c[n, k]) + (sum(n) z[b, n] * s[n, k]))"));
}

// Terms that are no product of two matrices stay on the vector unit, in one pass.
TEST(TileNest, OtherSumsStayWhole) {
  const auto lines = nestOf("sum(n) (x[b, n] * c[n, k] + z[b, n])");
  EXPECT_EQ(std::ranges::count_if(lines, [](const auto& l) { return l.starts_with("Y: matrix"); }),
            0);
}

const Operand& inputNamed(const TileNest& nest, const std::string& name) {
  return *std::ranges::find(nest.inputs, name, &Operand::name);
}

std::int64_t bytesOfTile(Operand operand, std::vector<std::int64_t> extents,
                         std::int64_t requestBytes) {
  operand.gather->requestBytes = requestBytes;
  return regionBytes(operand, extents);
}

TEST(TileNest, GathersRowByRow) {
  const Kernel kernel = shipped("llm/embedding", {{"T", 8}, {"V", 100}, {"D", 40}});
  const auto nest = tileNest(kernel);
  ASSERT_TRUE(nest);
  ASSERT_EQ(nest->inputs.size(), 2);
  EXPECT_FALSE(inputNamed(*nest, "token").gather);
  const Operand& w = inputNamed(*nest, "W");
  ASSERT_TRUE(w.gather);
  // Three rows of 80 bytes, however many rows the table has.
  EXPECT_EQ(bytesOfTile(w, {3, 40}, 1), 3 * 80);
  EXPECT_EQ(bytesOfTile(w, {3, 40}, 64), 3 * 128);
  EXPECT_EQ(bytesOfTile(w, {3, 5}, 64), 3 * 64);
}

TEST(TileNest, GathersSingleElements) {
  const Kernel kernel = shipped("llm/cross_entropy", {{"T", 8}, {"V", 100}});
  const auto nest = tileNest(kernel);
  ASSERT_TRUE(nest);
  EXPECT_FALSE(inputNamed(*nest, "X").gather);
  const Operand& x = inputNamed(*nest, "X@2");
  ASSERT_TRUE(x.gather);
  std::vector<std::int64_t> extents = nest->extents;
  extents[loopNamed(kernel, "t").index()] = 4;
  EXPECT_EQ(bytesOfTile(x, extents, 1), 4 * 2);
  EXPECT_EQ(bytesOfTile(x, extents, 32), 4 * 32);
}

// Of a recurrence of outputs, too, a gather has a window of its own.
TEST(TileNest, GathersBesideOtherReads) {
  for (const std::string first : {"A[x[i]] + A[i]", "A[i] + A[x[i]]"}) {
    const Kernel kernel = kernelOf("kernel g(N = 8) { tensor A[N]: f32 tensor x[N]: i32 "
                                   "tensor Y[N]: f32 Y[i] = " +
                                   first +
                                   " where i < 1 "
                                   "Y[i] = Y[i - 1] + " +
                                   first + " where i >= 1 }");
    const auto nest = tileNest(kernel);
    ASSERT_TRUE(nest) << base::render(nest.diagnostics());
    std::vector<int> gathered;
    for (const Operand& input : nest->inputs) {
      if (input.tensor == TensorId::of(0)) gathered.push_back(input.gather ? 1 : 0);
    }
    std::ranges::sort(gathered);
    EXPECT_EQ(gathered, (std::vector<int>{0, 1})) << first;
  }
}

// Positions and elements of a page lie together, if a tile has all of them.
TEST(TileNest, GathersPages) {
  const Kernel kernel = shipped("llm/paged_decode");
  const auto nest = tileNest(kernel);
  ASSERT_TRUE(nest);
  std::vector<std::int64_t> extents(kernel.loops.size(), 1);
  const auto set = [&](const char* loop, std::int64_t extent) {
    extents[loopNamed(kernel, loop).index()] = extent;
  };
  set("p", 2), set("o", 32), set("d", 128);
  const Operand& k = inputNamed(*nest, "K");
  EXPECT_EQ(bytesOfTile(k, extents, 4096), 2 * 32 * 128 * 2);
  set("d", 64);
  EXPECT_EQ(bytesOfTile(k, extents, 256), 2 * 32 * 256);
}

// Of the factor, columns above the diagonal are needed before the element on it.
TEST(TileNest, PartsThatNeedEachOtherAreLocalsOfTheirOwn) {
  const auto columns = [](const std::string& parts) {
    return kernelOf("kernel columns(M = 8, N = 6) {\n  tensor A[M, N]: f32\n"
                    "  tensor Q[M, N]: f32\n  local v[M, N]: f32\n  local q[M, N]: f32\n"
                    "  local r[N, N]: f32\n  local n[N]: f32\n"
                    "  r[j, p] = sum(i) q[i, j] * A[i, p]  where j < p\n"
                    "  v[i, p] = A[i, p] - sum(j) r[j, p] * q[i, j]  where j < p\n" +
                    parts + "  Q[i, p] = q[i, p]\n}\n");
  };
  EXPECT_EQ(firstHelp(columns("  r[j, p] = sqrt(sum(i) v[i, p] * v[i, p])  where j == p\n"
                              "  r[j, p] = 0  where j > p\n  n[p] = 1\n"
                              "  q[i, p] = v[i, p] / r[p, p]\n")),
            "compute each part of `r` in a `local` of its own");
  EXPECT_EQ(firstError(columns("  n[p] = sqrt(sum(i) v[i, p] * v[i, p])\n"
                               "  q[i, p] = v[i, p] / n[p]\n")),
            "mapped");
}

// Tiles of two positions of one output would overwrite each other: it is state.
TEST(TileNest, OnePartOfAnOutputIsNotWrittenTransposed) {
  const Kernel kernel = kernelOf(R"(kernel lu(N = 16) {
    tensor A[N, N]: f32  tensor F[N, N]: f32  tensor V[N, N]: f32
    V[i, j] = A[j, i] - sum(q) F[j, q] * V[i, q]  where j <= i, q < j
    V[i, j] = 0  where j > i
    F[i, j] = (A[i, j] - sum(q) F[i, q] * V[j, q]) / V[j, j]  where j < i, q < j
    F[j, i] = V[i, j]  where j <= i
  })");
  const auto nest = tileNest(kernel);
  ASSERT_TRUE(nest) << base::render(nest.diagnostics());
  EXPECT_FALSE(nest->locals.empty());
}

}  // namespace
}  // namespace gridloom::kernel
