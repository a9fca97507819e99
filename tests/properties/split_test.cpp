// SPDX-License-Identifier: Apache-2.0
// Reductions split in space, along one dimension or several, with or without something that follows
// them, and loops that state runs along: random legal mappings have the right values, move what
// they must, and take the time that the model says.
#include <gtest/gtest.h>

#include <algorithm>

#include "cost/model.h"
#include "mapping/partials.h"
#include "schedule/verify.h"
#include "search/search.h"
#include "simulate/simulation.h"
#include "support/line_check.h"
#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::split_property {
namespace {

using mapping::LoopId;
using test::makeProblem;
using test::Problem;

// A sum beside the output, which is larger than it and of another type.
const char* const kScaled =
    "kernel scaled(M = 13, N = 10, K = 27) {\n"
    "  tensor A[M, K]: f16\n tensor X[M, N]: f16\n tensor Y[M, N]: f16\n local s[M]: f32\n"
    "  s[i] = sum(k) A[i, k] * A[i, k]\n"
    "  Y[i, j] = X[i, j] * s[i] + s[i]\n}\n";
// Two sums of one statement.
const char* const kVariance = "kernel variance(M = 19, K = 23) {\n"
                              "  tensor A[M, K]: f16\n tensor V[M]: f16\n"
                              "  V[i] = (sum(k) A[i, k] * A[i, k]) / K - (sum(k) A[i, k]) / K\n}\n";
// One sum for two outputs, of which the second has nothing to send.
const char* const kTwice = "kernel twice(M = 13, N = 10, K = 27) {\n"
                           "  tensor A[M, K]: f16\n tensor B[K, N]: f16\n tensor b[N]: f16\n"
                           "  tensor C[M, N]: f16\n tensor D[M, N]: f16\n local t[M, N]: f32\n"
                           "  t[i, j] = sum(k) A[i, k] * B[k, j]\n"
                           "  C[i, j] = t[i, j] + b[j]\n"
                           "  D[i, j] = relu(t[i, j])\n}\n";
// A maximum, and a sum over the lower triangle.
const char* const kLargest = "kernel largest(M = 19, K = 23) {\n"
                             "  tensor A[M, K]: f16\n tensor Y[M]: f16\n local m[M]: f32\n"
                             "  m[i] = max(k) A[i, k]\n"
                             "  Y[i] = exp(m[i])\n}\n";
const char* const kTriangle = "kernel triangle(M = 19) {\n"
                              "  tensor A[M, M]: f16\n tensor x[M]: f16\n tensor y[M]: f16\n"
                              "  y[i] = relu(sum(k) A[i, k] * x[k])   where k <= i\n}\n";
// Sums in the lower triangle only: a core may have a tile of the output, and nothing to add to it.
const char* const kMasked = "kernel masked(N = 19, K = 23) {\n"
                            "  tensor A[N, K]: f16\n tensor B[K, N]: f16\n tensor X[N, N]: f16\n"
                            "  tensor C[N, N]: f32\n"
                            "  C[i, j] = sum(k) A[i, k] * B[k, j]   where j <= i\n"
                            "  C[i, j] = X[i, j] * 2   where j > i\n}\n";

// State in two outputs, of which the second has nothing to send; a minimum that scales a plain
// sum's elements.
const char* const kTwoOutputs =
    "kernel twoOutputs(N = 7, J = 13, D = 3) {\n"
    "  tensor S[N, J]: f16\n tensor V[J, D]: f16\n tensor O[N, D]: f16\n tensor E[N]: f32\n"
    "  local m[N, J]: f32 = -inf\n local l[N, J]: f32 = 0\n local o[N, J, D]: f32 = 0\n"
    "  m[i, j] = max(m[i, j - 1], S[i, j])\n"
    "  l[i, j] = l[i, j - 1] * exp(m[i, j - 1] - m[i, j]) + exp(S[i, j] - m[i, j])\n"
    "  o[i, j, d] = o[i, j - 1, d] * exp(m[i, j - 1] - m[i, j]) + exp(S[i, j] - m[i, j]) * V[j, "
    "d]\n"
    "  O[i, d] = o[i, J - 1, d] / l[i, J - 1]\n"
    "  E[i] = m[i, J - 1] + log(l[i, J - 1])\n}\n";
// Later rows have more to run over; the first ones leave most cores without anything.
const char* const kTriangular =
    "kernel triangular(N = 17) {\n"
    "  tensor S[N, N]: f16\n tensor V[N]: f16\n tensor Y[N]: f16\n"
    "  local n[N, N]: f32 = 0\n local m[N, N]: f32 = inf\n local x[N, N]: f32 = 0\n"
    "  n[i, j] = n[i, j - 1] + V[j]   where j <= i\n"
    "  m[i, j] = min(m[i, j - 1], S[i, j])   where j <= i\n"
    "  x[i, j] = x[i, j - 1] * exp((m[i, j] - m[i, j - 1]) * 0.5) + V[j] * exp(m[i, j] / 2)"
    "   where j <= i\n"
    "  Y[i] = x[i, i] * n[i, i] + m[i, i]\n}\n";

struct Case {
  const char* name;
  const char* kernel;
  test::Settings settings;
};

const Case kCases[] = {
    {"gemm", "gemm", {{"M", 13}, {"N", 11}, {"K", 26}}},
    {"gemm_bias_relu", "gemm_bias_relu", {{"M", 13}, {"N", 10}, {"K", 27}}},
    {"conv2d", "conv2d", {{"N", 2}, {"C", 3}, {"H", 6}, {"W", 7}, {"F", 5}, {"R", 2}, {"S", 3}}},
    {"mttkrp", "mttkrp", {{"I", 5}, {"K", 4}, {"L", 6}, {"J", 7}}},
    {"up", "mlp", {{"M", 9}, {"D", 28}, {"E", 7}}},
    {"scaled", kScaled, {}},
    {"variance", kVariance, {}},
    {"twice", kTwice, {}},
    {"largest", kLargest, {}},
    {"triangle", kTriangle, {}},
    {"masked", kMasked, {}},
    {"flash_attention", "flash_attention", {{"H", 2}, {"SQ", 7}, {"SK", 13}, {"D", 3}}},
    {"causal_attention", "causal_attention", {{"H", 2}, {"S", 13}, {"D", 3}}},
    {"twoOutputs", kTwoOutputs, {}},
    {"triangular", kTriangular, {}},
    {"project", "mha", {{"H", 2}, {"S", 7}, {"E", 13}, {"D", 3}}},
};

// Loops whose tiles several cores may share.
std::vector<LoopId> joinedLoops(const Problem& p) {
  std::vector<LoopId> loops;
  for (std::size_t l = 0; l < p.kernel.loops.size(); ++l) {
    if (mapping::isJoined(p.nest, LoopId::of(l))) loops.push_back(LoopId::of(l));
  }
  return loops;
}

// Such loops on the dimensions of a mask; which ones, and what the others carry, by the number.
std::optional<mapping::Mapping> split(const Problem& p, mapping::DimMask along,
                                      std::uint64_t seed) {
  mapping::Constraints c;
  for (int d = 0; d < static_cast<int>(p.hw.dims().size()); ++d) {
    if ((along >> d & 1) == 0) continue;
    const std::vector<LoopId> loops = joinedLoops(p);
    c.space[d] = loops[(seed >> d) % loops.size()];
  }
  return test::sampled(p, c, seed);
}

std::string textOf(const Problem& p, const mapping::Mapping& m) {
  return mapping::describe(p.kernel, p.nest, p.hw, m);
}

// Neither windows that overlap nor tiles that some iterations need.
bool hasPlainTiles(const Problem& p) {
  return std::ranges::all_of(p.nest.inputs, [](const kernel::Operand& o) {
    return o.guard.always() && std::ranges::all_of(o.dims, [](const kernel::RegionDim& d) {
             return std::ranges::count_if(d.index.coefficients, [](auto c) { return c != 0; }) <= 1;
           });
  });
}

class Split : public testing::TestWithParam<Case> {
 protected:
  static void run(const std::string& hardware, mapping::DimMask along, std::uint64_t seeds) {
    const Problem p = makeProblem(hardware, GetParam().kernel, GetParam().settings);
    const test::LineCheck line(p);
    int checked = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const auto m = split(p, along, seed);
      if (!m) continue;
      const auto ran = line.run(*m);
      ASSERT_TRUE(ran) << "seed " << seed;
      if (hasPlainTiles(p)) {
        const double read = ran->simulated.traffic.dramRead;
        EXPECT_NEAR(ran->predicted.traffic.dramRead, read, 1e-6 * read) << textOf(p, *m);
      }
      ++checked;
    }
    EXPECT_GT(checked, static_cast<int>(seeds) / 4) << p.kernel.name;
  }
};

TEST_P(Split, AlongOneOfTwoDimensions) {
  run(test::smallMesh(2, 3, 3), 1, 12);
  run(test::smallMesh(3, 2), 2, 12);
}
TEST_P(Split, AlongBothDimensions) {
  run(test::smallMesh(2, 2), 3, 15);
  run(test::smallMesh(2, 3, 3), 3, 15);
}
TEST_P(Split, AroundATorus) { run(test::smallTorus(3, 4, true), 3, 15); }
TEST_P(Split, AroundALongRing) { run(test::smallTorus(6, 1, true), 1, 15); }
TEST_P(Split, WithAMemoryOnTheWay) { run(test::meshWithSharedBuffer(3, 2, 1 << 16, 4096), 1, 15); }

INSTANTIATE_TEST_SUITE_P(Kernels, Split, testing::ValuesIn(kCases),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

TEST(SplitReductions, PredictedIsNearSimulated) {
  const Case cases[] = {
      {"gemm", "gemm", {{"M", 128}, {"N", 128}, {"K", 1024}}},
      {"gemm_bias_relu", "gemm_bias_relu", {{"M", 128}, {"N", 128}, {"K", 1024}}},
      {"flash_attention", "flash_attention", {{"H", 16}, {"SQ", 64}, {"SK", 1024}, {"D", 64}}},
      {"causal_attention", "causal_attention", {{"H", 16}, {"S", 256}, {"D", 64}}},
  };
  for (const auto& [kernel, text, settings] : cases) {
    const Problem p = makeProblem(test::smallMesh(4, 4, 4, 1 << 20), text, settings);
    for (const mapping::DimMask along : {1u, 2u, 3u}) {
      std::vector<mapping::Mapping> mappings;
      for (std::uint64_t seed = 0; seed < 80; ++seed) {
        if (auto m = split(p, along, seed)) mappings.push_back(*std::move(m));
      }
      const test::Agreement agreement = test::agreementOf(p, mappings);
      EXPECT_GT(agreement.mappings, 5);
      EXPECT_LT(agreement.error, 0.2) << kernel << " " << along << " " << agreement.mappings;
    }
  }
}

TEST(SplitReductions, TheSearchFindsWhatExhaustionFinds) {
  const Case cases[] = {
      {"gemm_bias_relu", "gemm_bias_relu", {{"M", 8}, {"N", 8}, {"K", 32}}},
      {"scaled", kScaled, {{"M", 8}, {"N", 8}, {"K", 32}}},
      {"flash_attention", "flash_attention", {{"H", 2}, {"SQ", 4}, {"SK", 32}, {"D", 4}}},
      {"causal_attention", "causal_attention", {{"H", 2}, {"S", 16}, {"D", 4}}},
  };
  for (const auto& [name, kernel, settings] : cases) {
    const Problem p = makeProblem(test::smallMesh(2, 2, 2, 8192), kernel, settings);
    for (const mapping::DimMask along : {1u, 3u}) {
      mapping::Constraints c;
      for (int d = 0; d < 2; ++d) {
        if ((along >> d & 1) != 0) c.space[d] = joinedLoops(p).front();
      }
      test::expectExactSearch(p, c, 10);
    }
  }
}

// With few outputs and a long sum, the cores are used best when they share the sum, epilogue or
// not.
TEST(SplitReductions, LongSumsAreSplitBecauseThatIsFaster) {
  const Problem p = makeProblem(test::smallMesh(4, 4, 4, 1 << 18), "gemm_bias_relu",
                                {{"M", 16}, {"N", 16}, {"K", 8192}});
  base::Progress progress;
  const auto best = search::topK(p.kernel, p.nest, p.hw, {}, {}, progress);
  ASSERT_TRUE(best);
  EXPECT_EQ(mapping::splitDims(p.nest, best->top.front().mapping), 3u)
      << textOf(p, best->top.front().mapping);
}

// With few queries and many keys, cores are used best when they share the keys.
TEST(SplitReductions, ManyKeysAreSharedBecauseThatIsFaster) {
  const Problem p = makeProblem(test::smallMesh(4, 4, 4, 1 << 18), "flash_attention",
                                {{"H", 2}, {"SQ", 16}, {"SK", 8192}, {"D", 64}});
  base::Progress progress;
  const auto best = search::topK(p.kernel, p.nest, p.hw, {}, {}, progress);
  ASSERT_TRUE(best);
  EXPECT_NE(mapping::splitDims(p.nest, best->top.front().mapping), 0u)
      << textOf(p, best->top.front().mapping);
}

// The message of a core holds all its states, and nothing else.
TEST(SplitReductions, StatesTravelTogether) {
  const Problem p = makeProblem(test::smallMesh(4, 1), "flash_attention",
                                {{"H", 1}, {"SQ", 8}, {"SK", 64}, {"D", 4}});
  mapping::Constraints c;
  c.space[0] = joinedLoops(p).front();
  c.tileSizes[LoopId(0)] = {{1, 1}};
  c.tileSizes[LoopId(1)] = {{8, 8}};
  const auto m = test::sampled(p, c, 3);
  ASSERT_TRUE(m);
  EXPECT_EQ(partialBytes(p.nest, p.nest.outputs[0], tilingOf(*m, p.kernel, p.hw), m->order),
            8 * (1 + 1 + 4) * 4);
}

// What only the core that finishes a tile needs goes to no other one.
TEST(SplitReductions, OnlyFinishingCoresLoadWhatFollows) {
  const Problem p =
      makeProblem(test::smallMesh(4, 1), "gemm_bias_relu", {{"M", 16}, {"N", 16}, {"K", 64}});
  mapping::Constraints c;
  c.space[0] = p.nest.reductions.front();
  for (const std::size_t i : {0u, 1u, 2u}) {
    c.inputs[static_cast<int>(i)].kind = mapping::MovementKind::Direct;
    c.inputs[static_cast<int>(i)].prefetch = true;
  }
  const auto m = test::sampled(p, c, 3);
  ASSERT_TRUE(m);
  const cost::Estimate e = cost::estimate(p.kernel, p.nest, p.hw, p.compute, *m);
  ASSERT_EQ(p.nest.inputs[2].name, "bias");
  EXPECT_DOUBLE_EQ(e.operands[2].dramRead, 16 * 2) << textOf(p, *m);
}

// On rings that go one way only, each step of a chain takes one hop.
TEST(SplitReductions, ChainsGoInTheDirectionOfARing) {
  const Problem p =
      makeProblem(test::smallTorus(4, 1, true), "gemm", {{"M", 16}, {"N", 16}, {"K", 64}});
  ASSERT_TRUE(p.hw.goesUpwards(p.hw.writePlane(), 0));
  mapping::Constraints c;
  c.space[0] = p.nest.reductions.front();
  c.tileSizes[LoopId(0)] = c.tileSizes[LoopId(1)] = {{16, 16}};
  c.outputs[0].reduction = mapping::ReductionTopology::Chain;
  for (const int i : {0, 1}) c.inputs[i].layout = mapping::TensorLayout::Local;
  c.outputs[0].layout = mapping::TensorLayout::Local;
  const auto m = test::sampled(p, c, 1);
  ASSERT_TRUE(m);
  const double partial = 16 * 16 * 2;
  const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, *m);
  ASSERT_TRUE(schedule);
  EXPECT_EQ(test::findings(*schedule, p), "");
  base::Progress progress;
  const auto s = simulate::simulate(test::verified(*schedule, p), {}, progress);
  ASSERT_TRUE(s);
  EXPECT_EQ(s->traffic.network, 3 * partial) << textOf(p, *m);
  EXPECT_EQ(cost::estimate(p.kernel, p.nest, p.hw, p.compute, *m).traffic.network, 3 * partial);
}

TEST(SplitReductions, WhatCannotBeSplitSaysWhy) {
  const Problem decay = makeProblem(
      test::smallMesh(2, 2), "kernel decay(N = 8, J = 8) {\n"
                             "  tensor A[N, J]: f32\n tensor Y[N]: f32\n local x[N, J]: f32 = 0\n"
                             "  x[i, j] = x[i, j - 1] * 0.5 + A[i, j]\n"
                             "  Y[i] = x[i, J - 1]\n}\n");
  const auto reasonFor = [](const Problem& p, const std::string& loop) {
    for (std::size_t l = 0; l < p.kernel.loops.size(); ++l) {
      if (p.kernel.loops[l].name != loop) continue;
      return mapping::whyNotInSpace(p.kernel, p.nest, LoopId::of(l)).value_or("");
    }
    return std::string("no such loop");
  };
  EXPECT_NE(reasonFor(decay, "j")
                .find("its shares have no associative combine: what older `x` is multiplied by"),
            std::string::npos)
      << reasonFor(decay, "j");
  EXPECT_EQ(reasonFor(decay, "i"), "");
  const Problem attention = makeProblem(test::smallMesh(2, 2), "flash_attention",
                                        {{"H", 2}, {"SQ", 8}, {"SK", 8}, {"D", 4}});
  EXPECT_EQ(reasonFor(attention, "j"), "");
  const Problem solve = makeProblem(test::smallMesh(2, 2), "trsm", {{"N", 8}, {"R", 4}});
  EXPECT_NE(reasonFor(solve, "j").find("finished sum"), std::string::npos) << reasonFor(solve, "j");
}

}  // namespace
}  // namespace gridloom::split_property
