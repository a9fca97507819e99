// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "ranking/rerank.h"
#include "service/workspace.h"
#include "support/problem.h"
#include "texts/presets.h"

namespace gridloom::service {
namespace {

struct Rerank : testing::Test {
  HardwareRef hardware = *openHardware(base::makeSource("mesh.hw", test::smallMesh(2, 3)));
  KernelRef kernel =
      *openKernel(*texts::loadKernelText("gemm"), {{{"M", 48}, {"N", 72}, {"K", 64}}, "", ""});
  /// A small part of the space, with a few hundred mappings.
  mapping::Constraints constraints = *openDirectives(
      base::makeSource("d.sched", "space(i->y) space(j->x) tile(i, 16) tile(j, 24) tile(k, 16)"),
      *kernel, *hardware);
  base::Progress progress;

  ExplorationRef explored(int top, const ranking::Reranking& reranking, int threads = 1) {
    auto out = explore(hardware, kernel, constraints, {top, threads, "", reranking}, progress);
    EXPECT_TRUE(out) << base::render(out.diagnostics());
    return *out;
  }
};

struct Entry {
  std::size_t place = 0;
  double cycles = 0;
  bool operator==(const Entry&) const = default;
};

std::vector<Entry> entriesOf(const Exploration& exploration) {
  std::vector<Entry> out;
  for (const ranking::Ranked& ranked : exploration.top) {
    out.push_back({*ranked.place, ranked.simulated ? ranked.simulated->cycles : 0});
  }
  return out;
}

TEST_F(Rerank, RanksAsSimulatingOneByOneAndSortingDoes) {
  const auto byModel = explored(12, {});
  std::vector<Entry> all;
  for (const ranking::Ranked& ranked : byModel->top) {
    const auto run = simulateMapping(hardware, kernel, ranked.candidate.mapping, {}, progress);
    ASSERT_TRUE(run) << base::render(run.diagnostics());
    all.push_back({*ranked.place, (*run)->simulated.cycles});
  }
  for (const int first : {1, 2, 5, 12}) {
    std::vector<Entry> expected(all.begin(), all.begin() + first);
    std::ranges::stable_sort(expected, {}, &Entry::cycles);
    for (const int top : {3, 12}) {
      std::vector<Entry> listed = expected;
      for (int rest = first; rest < top; ++rest) {
        listed.push_back({static_cast<std::size_t>(rest), 0});
      }
      listed.resize(static_cast<std::size_t>(top));
      for (const int threads : {1, 2, 3}) {
        const auto reranked = explored(top, ranking::rerankFirst(first), threads);
        EXPECT_EQ(entriesOf(*reranked), listed) << first << " of " << top;
        EXPECT_EQ(reranked->reranked.simulated, static_cast<std::size_t>(first));
        EXPECT_EQ(reranked->reranked.firstCycles, all.front().cycles);
      }
    }
  }
}

TEST_F(Rerank, WorkBoundsWhatIsSimulatedAndNotWhoeverIsReadyFirst) {
  std::set<std::size_t> counts;
  for (std::int64_t work = 0; work < 100'000; work += 4'000) {
    const auto one = explored(12, {0, 12, 0, work});
    std::int64_t simulated = 0;
    for (const ranking::Ranked& ranked : one->top) {
      EXPECT_TRUE(ranked.notSimulated.empty());
      if (ranked.simulated) simulated += ranked.simulated->work;
    }
    EXPECT_LE(simulated, work);
    EXPECT_EQ(one->reranked.tried, one->reranked.simulated + one->reranked.tooLong);
    counts.insert(one->reranked.simulated);
    for (const int threads : {2, 4}) {
      EXPECT_EQ(entriesOf(*explored(12, {0, 12, 0, work}, threads)), entriesOf(*one)) << work;
    }
  }
  EXPECT_GE(counts.size(), 3U);
}

// Equivalent mappings, which differ in names of loops and dimensions only, are simulated and listed
// once.
TEST_F(Rerank, TwinsAreFoldedAndCounted) {
  hardware = *openHardware(base::makeSource("mesh.hw", test::smallMesh(2, 2)));
  kernel = *openKernel(*texts::loadKernelText("gemm"), {{{"M", 64}, {"N", 64}, {"K", 64}}, "", ""});
  constraints = *openDirectives(base::makeSource("d.sched", "tile(i, 16) tile(j, 16) tile(k, 16)"),
                                *kernel, *hardware);
  const auto all = explored(60, ranking::rerankFirst(60));
  const auto folded = explored(60, {0, 60, 60, 1'000'000'000});
  std::size_t listed = 0;
  for (const ranking::Ranked& ranked : folded->top) listed += 1 + ranked.twins;
  EXPECT_EQ(listed, all->top.size());
  EXPECT_LT(folded->top.size(), all->top.size());
  EXPECT_EQ(folded->top.front().simulated->cycles, all->top.front().simulated->cycles);
}

TEST_F(Rerank, WhatMustBeSimulatedIsSoWhateverItTakes) {
  EXPECT_EQ(explored(8, {3, 8, 0, 1})->reranked.simulated, 3U);
}

TEST_F(Rerank, GoesOnWhileAnythingMayBeFasterThanTheFastest) {
  const auto all = explored(60, ranking::rerankFirst(60));
  std::size_t least = all->top.size();
  for (const int most : {1, 2, 5, 20}) {
    const ranking::Reranking reranking{0, most, 60, 1'000'000'000};
    const auto some = explored(60, reranking);
    EXPECT_EQ(ranking::fastestReranked(reranking, all->top), some->top.front().simulated->cycles)
        << most;
    EXPECT_EQ(entriesOf(*explored(60, reranking, 4)), entriesOf(*some)) << most;
    EXPECT_GE(some->reranked.simulated, std::min<std::size_t>(most, some->top.size()));
    least = std::min(least, some->reranked.simulated);
  }
  EXPECT_LT(least, all->top.size()) << "some end where the rule says, not at the end";
}

// The model is too optimistic about the first ones. The ranking is the same, only longer, as far as
// mappings may be faster than the fastest.
TEST_F(Rerank, ContinuesARankingThatEndsTooEarly) {
  hardware = *openHardware(
      *texts::loadHardwareText(GRIDLOOM_TEST_DATA_DIR "/fuzz/line/corpus/ranking_ends_early.hw"));
  kernel = *openKernel(*texts::loadKernelText("conv2d_transposed"),
                       {{{"N", 3}, {"C", 48}, {"F", 200}, {"H", 2}, {"W", 2}}, "", ""});
  constraints = {};
  ranking::Reranking longer = ranking::kQuickReranking;
  longer.furthest = 30;
  ranking::Reranking shorter = longer;
  shorter.further = 0;
  const auto before = explored(1000, shorter);
  const auto after = explored(1000, longer);
  EXPECT_LT(after->top.front().simulated->cycles, before->top.front().simulated->cycles);
  EXPECT_GE(*after->top.front().place, static_cast<std::size_t>(shorter.furthest));
  std::set<std::optional<std::size_t>> places;
  for (const ranking::Ranked& ranked : after->top) {
    EXPECT_FALSE(ranked.line.empty());
    if (!ranked.place) continue;
    EXPECT_TRUE(places.insert(*ranked.place).second) << *ranked.place;
  }
  const auto all = explored(1000, ranking::kQuickReranking);
  EXPECT_LE(all->top.front().simulated->cycles, 1.01 * after->top.front().simulated->cycles);
  EXPECT_EQ(all->top.front().candidate.mapping,
            explored(5, ranking::kQuickReranking, 4)->top.front().candidate.mapping);
}

TEST_F(Rerank, TheBestIsTheSameForAllWhoAsk) {
  for (const ranking::Reranking& reranking :
       {ranking::Reranking{}, ranking::rerankFirst(7), ranking::kQuickReranking}) {
    const auto best = mappingFromDirectives(hardware, kernel, constraints, "", progress, reranking);
    ASSERT_TRUE(best);
    EXPECT_EQ(*best, explored(5, reranking)->top.front().candidate.mapping);
  }
}

// The limit of events is not blamed for what the limit of work ends.
TEST_F(Rerank, TooLongIsNoFailure) {
  const std::int64_t work = explored(4, {0, 4, 0, 1'000'000'000})->top.front().simulated->work;
  ExploreOptions options{4, 1, "", {0, 4, 0, work}};
  options.limits.events = work / 7;
  const auto limited = explore(hardware, kernel, constraints, options, progress);
  ASSERT_TRUE(limited);
  EXPECT_GT((*limited)->reranked.tooLong, 0U);
  for (const ranking::Ranked& each : (*limited)->top) EXPECT_TRUE(each.notSimulated.empty());
}

TEST_F(Rerank, AFailureKeepsItsReasonAndItsPlaceBehindTheOthers) {
  ExploreOptions options{4, 1, "", ranking::rerankFirst(2)};
  options.limits.events = 5;
  const auto out = explore(hardware, kernel, constraints, options, progress);
  ASSERT_TRUE(out);
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ((*out)->top[n].place, n);
    EXPECT_FALSE((*out)->top[n].simulated);
    EXPECT_EQ((*out)->top[n].notSimulated.empty(), n >= 2);
  }
}

}  // namespace
}  // namespace gridloom::service
