// SPDX-License-Identifier: Apache-2.0
#include "search/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "cost/model.h"
#include "search/prepared_search.h"
#include "search/ranking.h"
#include "support/problem.h"

namespace gridloom::search {
namespace {

using test::makeProblem;
using test::smallMesh;

Outcome searchOf(const test::Problem& p, const Options& options,
                 const mapping::Constraints& c = {}) {
  base::Progress progress;
  auto outcome = topK(p.kernel, p.nest, p.hw, c, options, progress);
  EXPECT_TRUE(outcome) << render(outcome.diagnostics());
  return outcome ? *outcome : Outcome{};
}

std::int64_t total(const SpaceCount& s) {
  std::int64_t sum = s.evaluated + s.pruned;
  for (const Rejection& r : s.rejected) sum += r.count;
  return sum;
}

std::vector<test::Problem> smallProblems() {
  std::vector<test::Problem> all;
  all.push_back(makeProblem(smallMesh(2, 2), "gemm", {{"M", 16}, {"N", 24}, {"K", 20}}));
  all.push_back(makeProblem(smallMesh(4, 1), "gemm", {{"M", 40}, {"N", 8}, {"K", 16}}));
  all.push_back(makeProblem(smallMesh(2, 2, 2, 1500), "gemm", {{"M", 24}, {"N", 16}, {"K", 16}}));
  all.push_back(
      makeProblem(smallMesh(2, 3, 3), "gemm_bias_relu", {{"M", 12}, {"N", 16}, {"K", 16}}));
  all.push_back(
      makeProblem(smallMesh(2, 2), "batched_gemm", {{"B", 3}, {"M", 8}, {"N", 8}, {"K", 8}}));
  all.push_back(makeProblem(smallMesh(3, 2), "vector_add", {{"N", 1000}}));
  all.push_back(makeProblem(smallMesh(2, 2), "flash_attention",
                            {{"H", 4}, {"SQ", 16}, {"SK", 16}, {"D", 8}}));
  all.push_back(makeProblem(test::meshWithSharedBuffer(2, 2, 700), "gemm",
                            {{"M", 16}, {"N", 16}, {"K", 16}}));
  all.push_back(makeProblem(test::meshWithTwoSharedBuffers(2, 1, 200, 400), "gemm",
                            {{"M", 8}, {"N", 8}, {"K", 4}}));
  // No input bounds what the others may take.
  all.push_back(
      makeProblem(smallMesh(2, 2), "kernel even(N = 64) {\n tensor Y[N]: f32\n Y[i] = 2 * i\n}\n"));
  return all;
}

// Cores that wait for each other load the same tiles one by one: no channel is near to all of them.
TEST(Search, DependentKernelsAreSearchedWhereTensorsMayBePlaced) {
  for (const char* kernel : {"jacobi2d", "trsm"}) {
    const auto p = std::string(kernel) == "trsm"
                       ? makeProblem("npu_phoenix_4x4", kernel, {{"N", 64}, {"R", 64}})
                       : makeProblem("npu_phoenix_4x4", kernel, {{"N", 64}, {"T", 4}});
    const Outcome o = searchOf(p, {});
    EXPECT_EQ(total(o.space), o.space.size) << kernel;
    ASSERT_FALSE(o.top.empty()) << kernel;
    for (const Candidate& c : o.top) {
      EXPECT_TRUE(checkMapping(p.kernel, p.nest, p.hw, c.mapping).empty()) << kernel;
    }
  }
}

// Points that the bound prunes are never among the best.
TEST(Search, PruningFindsExactlyWhatExhaustionFinds) {
  for (const test::Problem& p : smallProblems()) {
    Options all;
    all.top = 40;
    all.exhaustive = true;
    all.trustBounds = false;
    const Outcome slow = searchOf(p, all);
    EXPECT_EQ(slow.space.pruned, 0);
    EXPECT_EQ(total(slow.space), slow.space.size) << "every point is counted once";
    for (const int top : {1, 40}) {
      Options pruned;
      pruned.top = top;
      const Outcome fast = searchOf(p, pruned);
      ASSERT_FALSE(fast.top.empty()) << p.kernel.name;
      ASSERT_EQ(fast.top.size(), std::min<std::size_t>(slow.top.size(), top)) << p.kernel.name;
      for (std::size_t i = 0; i < fast.top.size(); ++i) {
        EXPECT_EQ(slow.top[i].estimate.cycles, fast.top[i].estimate.cycles)
            << p.kernel.name << " " << i;
        EXPECT_EQ(slow.top[i].mapping, fast.top[i].mapping) << p.kernel.name << " " << i;
      }
      EXPECT_EQ(slow.space.size, fast.space.size);
      EXPECT_TRUE(slow.space.exact && fast.space.exact);
      EXPECT_EQ(total(fast.space), fast.space.size);
    }
  }
}

const char* const kNineLoops = R"(
kernel nine(L = 4) {
  tensor X[64, L, L, L, L, L]: f32   tensor W[64, L, L, L, 3]: f32   tensor Y[64, L, L, L, L]: f32
  Y[a, b, c, d, e] = sum(f, g, h, i) X[a, b, c, f, g, h] * W[a, d, e, f, i]
}
)";

// What directives say of a loop stands.
TEST(Search, LoopsThatDirectivesNameAreNotKeptWhole) {
  const test::Problem p = test::makeProblem(test::smallMesh(2, 2), kNineLoops);
  const auto f = mapping::LoopId::of(5);
  mapping::Constraints constraints;
  constraints.tileSizes[f] = {{2, 2}};
  Options options;
  options.workLimit = 20'000;
  base::Progress progress;
  const auto o = topK(p.kernel, p.nest, p.hw, constraints, options, progress);
  ASSERT_TRUE(o) << base::render(o.diagnostics());
  EXPECT_EQ(std::ranges::count(o->space.whole, p.kernel.loop(f).name), 0);
  for (const Candidate& c : o->top) EXPECT_EQ(c.mapping.tileSize[f.index()], 2);
}

// Also when the same space is searched again: nothing of the first search is left in it.
TEST(Search, OnlyMappingsBelowALimitAreOfInterest) {
  for (const test::Problem& p : smallProblems()) {
    Options options;
    options.top = 40;
    base::Progress progress;
    const mapping::Constraints free;
    const auto search = PreparedSearch::over(p.kernel, p.nest, p.hw, free, options, progress);
    ASSERT_TRUE(search) << render(search.diagnostics());
    const Outcome all = (*search)->topK(options, progress);
    options.below = all.top[all.top.size() / 2].estimate.cycles;
    const Outcome fast = (*search)->topK(options, progress);
    EXPECT_EQ(total(fast.space), fast.space.size);
    EXPECT_LE(fast.space.evaluated, all.space.evaluated);
    for (std::size_t n = 0; n < all.top.size(); ++n) {
      if (all.top[n].estimate.cycles > options.below) break;
      ASSERT_LT(n, fast.top.size());
      EXPECT_EQ(fast.top[n].mapping, all.top[n].mapping);
      EXPECT_EQ(fast.top[n].estimate.cycles, all.top[n].estimate.cycles);
    }
  }
}

// The smallest reductions are not tiled, and the result says so.
TEST(Search, ASpaceThatIsTooLargeIsSearchedWithItsSmallestLoopsWhole) {
  const test::Problem p = test::makeProblem(test::smallMesh(2, 2), kNineLoops);
  Options options;
  options.workLimit = 20'000;
  const Outcome o = searchOf(p, options);
  ASSERT_FALSE(o.top.empty());
  ASSERT_FALSE(o.space.whole.empty());
  EXPECT_EQ(o.space.whole.front(), "f") << "the first reduction with several tile sizes";
  EXPECT_FALSE(o.space.exact);
  for (const Candidate& c : o.top) {
    EXPECT_TRUE(checkMapping(p.kernel, p.nest, p.hw, c.mapping).empty());
    for (const std::string& loop : o.space.whole) {
      for (std::size_t l = 0; l < p.kernel.loops.size(); ++l) {
        if (p.kernel.loops[l].name != loop) continue;
        EXPECT_EQ(c.mapping.tileSize[l], p.kernel.loops[l].extent);
      }
    }
  }
}

TEST(Search, SameOnEveryThreadCount) {
  for (const test::Problem& p : smallProblems()) {
    Options one;
    one.threads = 1;
    one.top = 10;
    Options four = one;
    four.threads = 4;
    const Outcome a = searchOf(p, one), b = searchOf(p, four);
    ASSERT_EQ(a.top.size(), b.top.size());
    for (std::size_t i = 0; i < a.top.size(); ++i) EXPECT_EQ(a.top[i].mapping, b.top[i].mapping);
    EXPECT_EQ(a.space.evaluated, b.space.evaluated);
    EXPECT_EQ(a.space.pruned, b.space.pruned);
  }
}

TEST(Search, EveryMappingFoundIsLegalAndFits) {
  for (const test::Problem& p : smallProblems()) {
    Options options;
    options.top = 50;
    for (const Candidate& c : searchOf(p, options).top) {
      EXPECT_EQ(render(checkMapping(p.kernel, p.nest, p.hw, c.mapping)), "");
      EXPECT_LE(c.estimate.localBytes, c.estimate.localCapacity);
    }
  }
}

TEST(Search, NothingFitsIsAnAnswerWithNumbers) {
  const auto p = makeProblem(smallMesh(2, 2, 2, 64), "softmax");
  const Outcome o = searchOf(p, {});
  EXPECT_TRUE(o.top.empty());
  EXPECT_TRUE(o.space.exact);
  ASSERT_EQ(o.space.rejected.size(), 1u);
  EXPECT_EQ(o.space.rejected[0].reason, "capacity");
  EXPECT_EQ(o.space.rejected[0].count, o.space.size);
  EXPECT_EQ(o.space.rejected[0].available, 64);
  EXPECT_GT(o.space.rejected[0].needed, 64);
  EXPECT_FALSE(o.space.rejected[0].example.empty());
}

// Tile sizes that fit in no order are counted without a look at their movements.
TEST(Search, TileSizesThatFitInNoOrderTakeOneStep) {
  const auto p = makeProblem(test::meshWithSharedBuffer(2, 2, 4000), "mttkrp",
                             {{"I", 256}, {"J", 256}, {"K", 256}, {"L", 256}});
  mapping::Constraints large;
  for (std::size_t l = 0; l < 4; ++l) large.tileSizes[mapping::LoopId::of(l)] = {{32, 256}};
  const Outcome o = searchOf(p, {}, large);
  EXPECT_TRUE(o.space.exact);
  EXPECT_EQ(total(o.space), o.space.size);
  ASSERT_EQ(o.space.rejected.size(), 1u);
  EXPECT_EQ(o.space.rejected[0].count, o.space.size);
  EXPECT_LT(o.space.work, 50'000);
}

TEST(Search, TheBestSoFarIsShownWhileTheSearchGoesOn) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 256}, {"N", 192}, {"K", 320}});
  std::vector<Outcome> shown;
  Options options{3, 1, ""};
  options.onImproved = [&](const Outcome& found) { shown.push_back(found); };
  base::Progress progress;
  const auto outcome = topK(p.kernel, p.nest, p.hw, {}, options, progress);
  ASSERT_TRUE(outcome) << render(outcome.diagnostics());
  ASSERT_FALSE(shown.empty());
  for (std::size_t i = 1; i < shown.size(); ++i) {
    EXPECT_LE(shown[i].top[0].estimate.cycles, shown[i - 1].top[0].estimate.cycles);
    EXPECT_FALSE(shown[i].space.exact);
    EXPECT_EQ(shown[i].space.size, outcome->space.size);
  }
  ASSERT_EQ(shown.back().top.size(), outcome->top.size());
  for (std::size_t i = 0; i < outcome->top.size(); ++i) {
    EXPECT_EQ(shown.back().top[i].mapping, outcome->top[i].mapping);
  }
}

TEST(Search, ACancelKeepsWhatWasFound) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm");
  base::Progress progress;
  progress.cancel();
  const auto outcome = topK(p.kernel, p.nest, p.hw, {}, {}, progress);
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->space.exact);
}

TEST(Search, ACancelAtAnyMomentGivesRealMappings) {
  const auto p = makeProblem(smallMesh(12, 12), "gemm", {{"M", 256}, {"N", 256}, {"K", 256}});
  for (int moment = 0; moment < 60; ++moment) {
    base::Progress progress;
    std::thread asker([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(100 * moment));
      progress.cancel();
    });
    const auto outcome = topK(p.kernel, p.nest, p.hw, {}, {}, progress);
    asker.join();
    ASSERT_TRUE(outcome.ok()) << moment;
    for (const Candidate& c : outcome->top) {
      const auto again = cost::estimate(p.kernel, p.nest, p.hw, p.compute, c.mapping);
      EXPECT_EQ(c.estimate.cycles, again.cycles) << moment;
    }
  }
}

TEST(Search, ConstraintsNarrowTheSpace) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 16}, {"N", 24}, {"K", 20}});
  mapping::Constraints c;
  c.tileSizes[kernel::LoopId(0)] = {{8, 8}};
  c.space[0] = kernel::LoopId(0);
  const Outcome o = searchOf(p, {}, c);
  EXPECT_LT(o.space.size, searchOf(p, {}).space.size);
  for (const Candidate& candidate : o.top) {
    EXPECT_EQ(candidate.mapping.tileSize[0], 8);
    EXPECT_EQ(candidate.mapping.space[0], kernel::LoopId(0));
  }
}

TEST(Search, UnknownModesAndMissingMemoryAreErrors) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm");
  base::Progress progress;
  Options options;
  options.mode = "hifi9";
  EXPECT_FALSE(topK(p.kernel, p.nest, p.hw, {}, options, progress));
}

TEST(Search, TensorsLargerThanGlobalMemoryAreALocatedError) {
  const auto p = makeProblem(smallMesh(2, 2), "vector_add", {{"N", 1'000'000'000'000}});
  base::Progress progress;
  const auto outcome = topK(p.kernel, p.nest, p.hw, {}, {}, progress);
  ASSERT_FALSE(outcome);
  const base::Diagnostic& d = outcome.diagnostics().front();
  EXPECT_NE(d.message.find("holds 2 GiB"), std::string::npos) << d.message;
  ASSERT_TRUE(d.source);
  EXPECT_GT(d.span.end, d.span.begin);
}

// The traffic of each set of working cores takes a second or more to count.
TEST(Search, AWaferIsSearchedWithinTheWorkLimit) {
  const auto p = makeProblem("cerebras_like", "gemm", {{"M", 757}, {"N", 996}, {"K", 64}});
  base::Progress progress;
  Options options;
  options.workLimit = 1 << 20;
  const auto outcome = topK(p.kernel, p.nest, p.hw, {}, options, progress);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->space.stopped, Stop::WorkLimit);
  EXPECT_FALSE(outcome->top.empty());
}

TEST(Search, AWaferWhoseCoresForwardTilesIsNotSearched) {
  const auto p = makeProblem("cerebras_like", "trsm");
  base::Progress progress;
  const auto outcome = topK(p.kernel, p.nest, p.hw, {}, {}, progress);
  ASSERT_FALSE(outcome);
  EXPECT_NE(render(outcome.diagnostics()).find("on the 753972 cores"), std::string::npos);
}

/// The effort that orders equal cycles, from the estimates alone.
Effort effortOf(const test::Problem& p, const Candidate& c) {
  double tiles = 1;
  for (const auto& loop : tilingOf(c.mapping, p.kernel, p.hw).loops) {
    tiles *= static_cast<double>(loop.tiles);
  }
  return {std::nearbyint(c.estimate.traffic.moved()), std::nearbyint(c.estimate.transfers), tiles};
}

TEST(Search, TiesGoToFewerBytesThenFewerTransfersThenLargerTiles) {
  int ties = 0;
  for (const test::Problem& p : smallProblems()) {
    Options options;
    options.top = 3000;
    const Outcome o = searchOf(p, options);
    for (std::size_t i = 1; i < o.top.size(); ++i) {
      if (o.top[i - 1].estimate.cycles != o.top[i].estimate.cycles) continue;
      const Effort before = effortOf(p, o.top[i - 1]), after = effortOf(p, o.top[i]);
      EXPECT_LE(before, after) << p.kernel.name << " " << i;
      ties += before < after ? 1 : 0;
    }
    // A longer list has no candidate among its first that a shorter list lacks.
    options.top = 7;
    const Outcome few = searchOf(p, options);
    for (std::size_t i = 0; i < few.top.size(); ++i) {
      EXPECT_EQ(few.top[i].mapping, o.top[i].mapping) << p.kernel.name << " " << i;
    }
  }
  EXPECT_GT(ties, 100);
}

TEST(Search, AWorkLimitGivesTheSameOnEveryThreadCount) {
  const auto p = makeProblem(smallMesh(4, 2), "gemm", {{"M", 256}, {"N", 192}, {"K", 320}});
  const std::int64_t needed = searchOf(p, {}).space.work;
  for (const std::int64_t limit : {needed / 50, needed / 4, 2 * needed}) {
    Options options;
    options.workLimit = limit;
    options.threads = 1;
    const Outcome one = searchOf(p, options);
    options.threads = 4;
    const Outcome four = searchOf(p, options);
    EXPECT_EQ(one.space.exact, limit > needed);
    EXPECT_EQ(one.space.stopped, limit > needed ? Stop::None : Stop::WorkLimit);
    EXPECT_LE(one.space.work, limit + limit / 8);
    EXPECT_EQ(one.space.work, four.space.work);
    EXPECT_EQ(one.space.evaluated, four.space.evaluated);
    ASSERT_EQ(one.top.size(), four.top.size());
    for (std::size_t i = 0; i < one.top.size(); ++i) {
      EXPECT_EQ(one.top[i].mapping, four.top[i].mapping) << limit << " " << i;
    }
  }
}

TEST(Search, ATimeLimitEndsTheSearchAndNotWhatFollows) {
  const auto p = makeProblem(smallMesh(12, 12), "gemm", {{"M", 256}, {"N", 256}, {"K", 256}});
  Options options;
  options.timeLimit = 1e-6;
  base::Progress progress;
  const auto outcome = topK(p.kernel, p.nest, p.hw, {}, options, progress);
  ASSERT_TRUE(outcome) << render(outcome.diagnostics());
  EXPECT_EQ(outcome->space.stopped, Stop::TimeLimit);
  EXPECT_FALSE(outcome->space.exact);
  EXPECT_FALSE(progress.cancelled());
}

TEST(Search, AnEntryCountsOnceAndEffortDecidesTies) {
  Ranking r(2);
  Entry entry{5, 7, 0, 0, {10, 1, 1}};
  r.add(entry);
  r.add(entry);
  EXPECT_EQ(r.best().size(), 1u);
  entry.item = 9;
  entry.effort.bytes = 8;
  r.add(entry);
  entry.item = 1;
  entry.effort.bytes = 12;
  r.add(entry);
  ASSERT_EQ(r.best().size(), 2u);
  EXPECT_EQ(r.best()[0].item, 9u) << "fewer bytes, though later in the space";
  EXPECT_EQ(r.best()[1].item, 7u);
}

TEST(Search, ALongRankingIsWhatSortingGives) {
  std::mt19937 random(5);
  std::vector<Entry> all;
  Ranking r(5000);
  for (int i = 0; i < 40'000; ++i) {
    const auto pick = [&](unsigned from) { return random() % from; };
    const Entry entry{static_cast<double>(pick(9000)), pick(4), 0, 0};
    r.add(entry);
    all.push_back(entry);
    if (i % 1000 == 0) r.settle();
    ASSERT_GE(r.threshold(), r.best().empty() ? 0 : r.best().back().cycles);
  }
  r.settle();
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  all.resize(5000);
  EXPECT_EQ(r.best(), all);
  EXPECT_EQ(r.threshold(), all.back().cycles);
}

TEST(Search, RankingKeepsTheBestInAFixedOrder) {
  Ranking r(3);
  for (const double cycles : {5.0, 3.0, 9.0, 3.0, 4.0}) {
    r.add({cycles, static_cast<std::uint64_t>(r.best().size()), 0, 0});
  }
  ASSERT_EQ(r.best().size(), 3u);
  EXPECT_EQ(r.best()[0].cycles, 3.0);
  EXPECT_LT(r.best()[0].item, r.best()[1].item) << "ties by place in the space";
  EXPECT_EQ(r.threshold(), 4.0);
}

}  // namespace
}  // namespace gridloom::search
