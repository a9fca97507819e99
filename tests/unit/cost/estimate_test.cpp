// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <numeric>
#include <random>
#include <thread>

#include "cost/evaluator.h"
#include "cost/model.h"
#include "cost/recurse.h"
#include "cost/terms/all_terms.h"
#include "support/problem.h"

namespace gridloom::cost {
namespace {

using mapping::Mapping;
using test::makeProblem;
using test::smallMesh;

double sumOf(const std::vector<Term>& terms) {
  return std::accumulate(terms.begin(), terms.end(), 0.0,
                         [](double sum, const Term& t) { return sum + t.cycles; });
}

Estimate estimateOf(const test::Problem& p, const Mapping& m) {
  return estimate(p.kernel, p.nest, p.hw, p.compute, m);
}

// One core, A and B loaded in each of `steps` iterations of k into `buffers` buffers.
Mapping oneCore(std::int64_t blockK, std::uint8_t buffers, bool loops) {
  Mapping m;
  m.tileSize = {8, 8, blockK};
  m.space = {kernel::LoopId(), kernel::LoopId()};
  m.dimOrder = {0, 1};
  if (loops) m.order = {kernel::LoopId(2)};
  const auto level = static_cast<std::uint8_t>(loops ? 1 : 0);
  const auto count = static_cast<std::uint8_t>(loops ? buffers : 1);
  m.inputs = {{mapping::MovementKind::Direct, 0, 0, level, count},
              {mapping::MovementKind::Direct, 0, 0, level, count}};
  m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
  return m;
}

// setup 20, latency 30, port 3, 128 bytes of f16 in one 256-byte page from one channel of 12
// B/cycle.
constexpr double kLoad = 20 + 30 + 3 + 128.0 / 12;
constexpr double kStore = kLoad;
constexpr double kLaunch = 50;

TEST(Estimate, OneIterationIsLoadComputeStore) {
  const auto p = makeProblem(smallMesh(1, 1, 1), "gemm", {{"M", 8}, {"N", 8}, {"K", 8}});
  const double compute = 2.0 * 8 * 8 * 8 / 128;
  const double bothLoads = kLoad + 128.0 / 12;  // two tiles through one channel
  EXPECT_NEAR(estimateOf(p, oneCore(8, 1, false)).cycles, kLaunch + bothLoads + compute + kStore,
              1e-9);
}

TEST(Estimate, DoubleBuffersFollowThePipelineFormulaFromTwoIterationsOn) {
  for (const std::int64_t steps : {2, 3, 10}) {
    const auto p = makeProblem(smallMesh(1, 1, 1), "gemm", {{"M", 8}, {"N", 8}, {"K", 8 * steps}});
    const double compute = 2.0 * 8 * 8 * 8 / 128;
    const double iterations = static_cast<double>(steps);
    // A load takes longer than compute: all but the last iteration wait for the next load.
    const double first = kLoad + 128.0 / 12;
    const double expected = kLaunch + first + (iterations - 1) * kLoad + compute + kStore;
    EXPECT_NEAR(estimateOf(p, oneCore(8, 2, true)).cycles, expected, 1e-9) << steps;
  }
}

TEST(Estimate, SingleBuffersAdd) {
  const auto p = makeProblem(smallMesh(1, 1, 1), "gemm", {{"M", 8}, {"N", 8}, {"K", 32}});
  const double compute = 2.0 * 8 * 8 * 32 / 128;
  const double bothLoads = kLoad + 128.0 / 12;  // both tiles at once through one channel
  EXPECT_NEAR(estimateOf(p, oneCore(8, 1, true)).cycles, kLaunch + 4 * bothLoads + compute + kStore,
              1e-9);
}

TEST(Estimate, TermsSumToCyclesAndTrafficIsNeverBelowTheKernelsMinimum) {
  int checked = 0;
  for (const char* kernel : {"gemm", "batched_gemm", "gemm_bias_relu"}) {
    const auto p =
        std::string(kernel) == "batched_gemm"
            ? makeProblem(smallMesh(3, 2), kernel, {{"B", 3}, {"M", 20}, {"N", 24}, {"K", 16}})
            : makeProblem(smallMesh(3, 2), kernel, {{"M", 40}, {"N", 28}, {"K", 36}});
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const Mapping m = test::randomOrRing(p, seed);
      if (m.inputs.empty()) continue;
      const Estimate e = estimateOf(p, m);
      EXPECT_NEAR(sumOf(e.terms), e.cycles, 1e-6 * e.cycles);
      EXPECT_GE(e.traffic.dramRead + e.traffic.dramWrite,
                static_cast<double>(kernel::compulsoryBytes(p.kernel).value) * (1 - 1e-9));
      EXPECT_GE(e.cycles, roofline(p.kernel, p.nest, p.hw, p.compute).cycles * (1 - 1e-9));
      EXPECT_LE(e.utilization, 1.0);
      ASSERT_EQ(e.operands.size(), m.inputs.size() + m.outputs.size());
      hardware::Traffic whole;
      for (const hardware::Traffic& t : e.operands) {
        whole.dramRead += t.dramRead;
        whole.dramWrite += t.dramWrite;
        whole.network += t.network;
      }
      EXPECT_NEAR(whole.dramRead, e.traffic.dramRead, 1e-9 * e.traffic.dramRead);
      EXPECT_NEAR(whole.dramWrite, e.traffic.dramWrite, 1e-9 * e.traffic.dramWrite);
      EXPECT_NEAR(whole.network, e.traffic.network, 1e-9 * e.traffic.network);
      for (const Term& busy : e.busy) EXPECT_LE(busy.cycles, e.cycles * (1 + 1e-9)) << busy.name;
      ++checked;
    }
  }
  EXPECT_GT(checked, 600);
}

// Levels nest: each starts with the level inside it, and only a level that lengthens the time names
// a new bottleneck.
TEST(Estimate, LevelsNestAndNameWhatDecides) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 48}, {"K", 40}});
  int decided = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const mapping::Mapping m = test::randomMapping(p, seed);
    if (m.inputs.empty()) continue;
    const Estimate e = estimateOf(p, m);
    ASSERT_LE(e.levels.size(), m.order.size());
    for (std::size_t l = 0; l < e.levels.size(); ++l) {
      const LevelTime& level = e.levels[l];
      ASSERT_LE(level.inside, level.cycles);
      ASSERT_LE(level.busy, level.cycles * (1 + 1e-9))
          << "nothing is busy longer than the time takes";
      if (l == 0) continue;
      ASSERT_EQ(level.inside, e.levels[l - 1].cycles);
      ASSERT_LT(level.iterations, e.levels[l - 1].iterations);
      if (level.inside == level.cycles) {
        ASSERT_EQ(level.bottleneck, e.levels[l - 1].bottleneck);
      }
      decided += level.bottleneck != e.levels[l - 1].bottleneck ? 1 : 0;
    }
  }
  EXPECT_GT(decided, 0);
}

// Three outputs.
test::Problem smallMha() {
  return makeProblem(smallMesh(4, 2), "mha", {{"H", 4}, {"S", 64}, {"E", 64}, {"D", 16}});
}

// A monotone term by itself, over the movements of a stack.
template <class Term> double cyclesBy(const Recursion& stack) {
  struct {
  } context;
  SilentObserver observer;
  return stack.cycles<TermList<Term>>({}, context, observer);
}

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// The bound that lets the search prune all candidates that share a part: every order of adding
// transfers only raises it and each of its terms, up to the whole candidate.
void expectBounds(const test::Problem& p, std::uint64_t seeds) {
  const Evaluator evaluator(p.kernel, p.nest, p.hw, p.compute);
  Scratch scratch;
  int above = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Mapping m = test::randomOrRing(p, seed);
    if (m.inputs.empty()) continue;
    const TiledCandidate s = evaluator.candidate(m);
    const std::vector<MovementCost> costs = evaluator.costsOf(s);
    const FlatCosts flat(*s.patterns, costs);
    const double cycles = evaluator.cycles(s, flat.all(), scratch);
    EXPECT_EQ(cycles, evaluator.explain(s, costs).cycles) << "ranking and explanation are one";
    std::vector<LoadedCost> order(flat.all().begin(), flat.all().end());
    std::mt19937_64 shuffle(seed);
    double bound = 0;
    for (int tries = 0; tries < 3; ++tries) {
      Recursion stack;
      stack.start(s, p.hw.launch());
      double last = 0;
      std::array<double, 2> terms{};
      const auto notLower = [](double& before, double now) {
        EXPECT_GE(now, before * (1 - 1e-12)) << "a monotone term grows with every transfer added";
        before = now;
      };
      for (const LoadedCost& next : order) {
        const double onTop = stack.bound(next);
        stack.push(next);
        bound = stack.bound();
        EXPECT_NEAR(onTop, bound, bound * 1e-12);
        notLower(last, bound);
        notLower(terms[0], cyclesBy<ResourceLoads>(stack));
        notLower(terms[1], cyclesBy<Chains>(stack));
        EXPECT_GE(cycles, bound) << "no completion is below the bound";
      }
      const double any = evaluator.cyclesOn(stack, s, flat.all(), scratch, kUnlimited);
      EXPECT_LE(any, cycles * (1 + 1e-9)) << "in any order the sums are the same";
      const double least = evaluator.hasWaits() ? bound : cycles;
      EXPECT_GE(any, least * (1 - 1e-9));
      std::ranges::shuffle(order, shuffle);
    }
    above += cycles > bound * 1.001 ? 1 : 0;
  }
  EXPECT_GT(above, 0) << "what only a whole candidate shows is seen at all";
}

void expectBoundsWithoutAnyTerm(const test::Problem& p) {
  for (const TermId term : allTerms()) {
    const Evaluator evaluator(p.kernel, p.nest, p.hw, p.compute, nullptr,
                              traffic::LayoutScope::Every, TermSet{}.without(term));
    Scratch scratch;
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      const Mapping m = test::randomMapping(p, seed);
      if (m.inputs.empty()) continue;
      const TiledCandidate s = evaluator.candidate(m);
      const FlatCosts flat(*s.patterns, evaluator.costsOf(s), evaluator.terms());
      Recursion stack;
      stack.start(s, p.hw.launch());
      for (const LoadedCost& cost : flat.all()) stack.push(cost);
      EXPECT_GE(evaluator.cycles(s, flat.all(), scratch), stack.bound()) << nameOf(term);
    }
  }
}

// Without a correction, bounds are those of the same set of terms.
TEST(Estimate, BoundsHoldWithoutAnyTerm) {
  expectBoundsWithoutAnyTerm(makeProblem(test::withDma(test::meshWithSharedBuffer(2, 4), 1, 1),
                                         "softmax", {{"M", 32}, {"N", 256}}));
  // Several outputs drain together.
  expectBoundsWithoutAnyTerm(smallMha());
}

TEST(Estimate, LastTilesAreATermThatCanBeSwitchedOff) {
  const auto p = smallMha();
  const Evaluator with(p.kernel, p.nest, p.hw, p.compute);
  const Evaluator without(p.kernel, p.nest, p.hw, p.compute, nullptr, traffic::LayoutScope::Every,
                          TermSet{}.without(TermId::LastTiles));
  struct Drain {
    double cycles = 0;  ///< as explained
    double ofOne = 0;   ///< the longest of one output by itself
  };
  const auto drainBy = [](const Evaluator& evaluator, const Mapping& m) {
    const TiledCandidate s = evaluator.candidate(m);
    const std::vector<MovementCost> costs = evaluator.costsOf(s);
    Drain drain;
    for (const MovementCost& cost : costs) {
      drain.ofOne = std::max(drain.ofOne, flatten(cost).drain);
    }
    for (const Term& term : evaluator.explain(s, costs).terms) {
      if (term.name == "drain") drain.cycles += term.cycles;
    }
    return drain;
  };
  int longer = 0, compared = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Mapping m = test::randomMapping(p, seed);
    if (m.inputs.empty()) continue;
    ++compared;
    const Drain alone = drainBy(without, m);
    EXPECT_LE(alone.cycles, alone.ofOne * (1 + 1e-12)) << "seed " << seed;
    longer += drainBy(with, m).cycles > alone.cycles ? 1 : 0;
  }
  EXPECT_GT(longer, compared / 2) << "three outputs nearly always share the path to memory";
}

// A term that is monotone is in the bounds, another one is not.
static_assert(std::is_same_v<BoundTerms, TermList<ResourceLoads, Chains>>);

TEST(Estimate, BoundsOfPartsAreNeverAboveTheWhole) {
  expectBounds(makeProblem(smallMesh(2, 2), "gemm", {{"M", 40}, {"N", 28}, {"K", 36}}), 300);
  expectBounds(makeProblem(smallMesh(4, 3), "gemm", {{"M", 512}, {"N", 192}, {"K", 64}}), 300);
  expectBounds(makeProblem(smallMesh(1, 4), "gemm", {{"M", 64}, {"N", 192}, {"K", 256}}), 300);
  expectBounds(makeProblem(smallMesh(4, 2), "gemm_bias_relu", {{"M", 96}, {"N", 64}, {"K", 128}}),
               300);
  // Tiles go through a shared buffer and wait for DMA channels.
  expectBounds(
      makeProblem(test::meshWithSharedBuffer(4, 3), "gemm", {{"M", 96}, {"N", 64}, {"K", 128}}),
      100);
  expectBounds(makeProblem(test::withDma(test::meshWithSharedBuffer(2, 4), 1, 1), "gemm_bias_relu",
                           {{"M", 96}, {"N", 64}, {"K", 128}}),
               100);
  expectBounds(makeProblem(test::withDma(test::meshWithTwoSharedBuffers(4, 2), 1, 1), "gemm",
                           {{"M", 96}, {"N", 64}, {"K", 128}}),
               100);
  expectBounds(makeProblem(test::withSharedMemories(smallMesh(4, 2), "y"), "gemm",
                           {{"M", 96}, {"N", 64}, {"K", 128}}),
               300);
  // Tiles that the kernel makes are stationary, forwarded, or loaded.
  expectBounds(makeProblem(smallMesh(4, 2), "trsm", {{"N", 128}, {"R", 64}}), 300);
  // Several outputs drain together, after chains of partial results, too.
  expectBounds(smallMha(), 300);
  // Not every tile needs every operand (guards).
  expectBounds(makeProblem(smallMesh(4, 2), "causal_attention", {{"S", 128}, {"D", 32}}), 300);
}

TEST(Estimate, RooflineIsTheSlowerOfComputeAndMemory) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  const Roofline r = roofline(p.kernel, p.nest, p.hw, p.compute);
  EXPECT_DOUBLE_EQ(r.computeCycles, 2.0 * 64 * 64 * 64 / (128 * 4));
  EXPECT_DOUBLE_EQ(r.memoryCycles, 3.0 * 64 * 64 * 2 / (2 * 12));
  EXPECT_DOUBLE_EQ(r.cycles, std::max(r.computeCycles, r.memoryCycles));
  const auto duplex =
      makeProblem(test::withDuplex(smallMesh(2, 2)), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  EXPECT_DOUBLE_EQ(roofline(duplex.kernel, duplex.nest, duplex.hw, duplex.compute).memoryCycles,
                   2 * r.memoryCycles / 3)
      << "the third matrix can be written while the others are read";
}

TEST(Estimate, IsTheSameWhenOnlyItsOwnPatternsAreMade) {
  for (const char* kernel : {"gemm", "softmax", "jacobi2d"}) {
    const auto p = makeProblem(smallMesh(3, 4), kernel);
    const Evaluator evaluator(p.kernel, p.nest, p.hw, p.compute);
    for (std::uint64_t seed = 0; seed < 15; ++seed) {
      const Mapping m = test::randomMapping(p, seed);
      if (m.inputs.empty()) continue;
      EXPECT_EQ(estimateOf(p, m).cycles, evaluator.estimate(m).cycles) << kernel << " " << seed;
    }
  }
}

TEST(Estimate, ACancelAtAnyMomentGivesAllOrNothing) {
  const auto p = makeProblem(smallMesh(12, 12), "gemm", {{"M", 512}, {"N", 512}, {"K", 512}});
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Mapping m = test::randomMapping(p, seed);
    if (m.inputs.empty()) continue;
    base::Progress progress;
    std::thread asker([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(20 * (seed % 40)));
      progress.cancel();
    });
    const Estimate cut = estimate(p.kernel, p.nest, p.hw, p.compute, m, &progress);
    asker.join();
    if (cut.cycles > 0) {
      EXPECT_EQ(cut.cycles, estimateOf(p, m).cycles) << seed;
    }
  }
}

}  // namespace
}  // namespace gridloom::cost
