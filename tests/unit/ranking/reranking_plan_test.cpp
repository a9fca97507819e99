// SPDX-License-Identifier: Apache-2.0
#include "ranking/reranking_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gridloom::ranking {
namespace {

/// A mapping of one loop on mesh dimension `dim`, with its predicted cycles.
Ranked ranked(int dim, double cycles) {
  Ranked out;
  out.candidate.mapping.space.resize(2);
  out.candidate.mapping.space[static_cast<std::size_t>(dim)] = mapping::LoopId(0);
  out.candidate.estimate.cycles = cycles;
  return out;
}

/// Simulates as the plan says; mappings of the first family take `factor` times their predicted
/// cycles.
std::vector<std::size_t> followed(const Reranking& rerank, const std::vector<Ranked>& all,
                                  double factor) {
  RerankingPlan plan(rerank, all);
  std::vector<std::size_t> order;
  for (auto round = plan.next(); !round.empty(); round = plan.next()) {
    for (const std::size_t at : round) {
      order.push_back(at);
      const bool first = all[at].candidate.mapping.space[0].valid();
      plan.record(at, 100, all[at].candidate.estimate.cycles * (first ? factor : 1));
    }
  }
  return order;
}

// Simulates all that the plan wants; each takes `factor` times its predicted cycles.
void follow(RerankingPlan& plan, const std::vector<Ranked>& all, double factor) {
  for (auto round = plan.next(); !round.empty(); round = plan.next()) {
    for (const std::size_t at : round)
      plan.record(at, 100, all[at].candidate.estimate.cycles * factor);
  }
}

// Eight mappings of one family, then two of another.
std::vector<Ranked> twoFamilies() {
  std::vector<Ranked> all;
  for (int n = 0; n < 8; ++n) all.push_back(ranked(0, 100 + n));
  for (int n = 0; n < 2; ++n) all.push_back(ranked(1, 120 + n));
  return all;
}

TEST(RerankingPlan, GoesToOtherFamiliesWhereOneTakesLonger) {
  const std::vector<std::size_t> order = followed({0, 4, 4, 100'000}, twoFamilies(), 5);
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 8, 9}));
}

// The model may be wrong about a family, so the first mapping of each comparable family comes
// first.
TEST(RerankingPlan, ComparesTheFirstOfEachFamily) {
  std::vector<Ranked> all = twoFamilies();
  for (std::size_t n = 8; n < all.size(); ++n) all[n].candidate.estimate.cycles -= 12;
  EXPECT_EQ(followed({0, 4, 10, 100'000}, all, 1), (std::vector<std::size_t>{0, 8, 1, 2}));
  EXPECT_EQ(followed({0, 4, 4, 100'000}, all, 5), (std::vector<std::size_t>{0, 8, 9, 1}));
}

TEST(RerankingPlan, StaysWithTheModelWhereItIsRight) {
  const std::vector<std::size_t> order = followed({0, 4, 10, 100'000}, twoFamilies(), 1);
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
}

// A family whose predictions are all too low by the same factor does not come again.
TEST(RerankingPlan, LeavesOutWhatIsKnownToTakeLonger) {
  EXPECT_EQ(followed({0, 4, 20, 100'000}, twoFamilies(), 1.3),
            (std::vector<std::size_t>{0, 1, 2, 3, 8, 9}));
}

// Where errors differ within a family, its next mapping may be the fastest.
TEST(RerankingPlan, GoesOnWhileOneMayBeFasterByTheErrorsSeen) {
  std::vector<Ranked> all = twoFamilies();
  for (std::size_t n = 8; n < all.size(); ++n) all[n].candidate.estimate.cycles = 1000;
  RerankingPlan plan({0, 2, 20, 100'000}, all);
  std::size_t tried = 0;
  for (auto round = plan.next(); !round.empty(); round = plan.next()) {
    for (const std::size_t at : round)
      plan.record(at, 100, all[at].candidate.estimate.cycles * (++tried % 2 == 0 ? 1.3 : 1));
  }
  EXPECT_EQ(tried, 4U);
}

// The fastest after the first few, then, at the end, those near to it; none twice.
TEST(RerankingPlan, ExpandsTheFastestAndThenThoseNearToIt) {
  std::vector<Ranked> all{ranked(0, 100), ranked(0, 120), ranked(0, 300)};
  RerankingPlan plan({0, 3, 3, 100'000, 0, 10}, all);
  EXPECT_FALSE(plan.toExpand(false));
  for (auto round = plan.next(); !round.empty(); round = plan.next()) {
    for (const std::size_t at : round)
      plan.record(at, 100, all[at].candidate.estimate.cycles * (at == 0 ? 1.5 : 1));
  }
  EXPECT_EQ(plan.simulated(), 3U);
  EXPECT_EQ(plan.toExpand(false), 1U);
  EXPECT_FALSE(plan.toExpand(false)) << "the next fastest waits until the plan ends";
  EXPECT_EQ(plan.toExpand(true), 0U) << "150 cycles are within the typical error of 120";
  EXPECT_FALSE(plan.toExpand(true)) << "300 cycles are not";
}

TEST(RerankingPlan, AddsNeighboursThatMayBeFaster) {
  std::vector<Ranked> all{ranked(0, 100), ranked(0, 101)};
  RerankingPlan plan({0, 2, 2, 100'000, 0, 1}, all);
  for (const std::size_t at : plan.next()) plan.record(at, 100, all[at].candidate.estimate.cycles);
  EXPECT_TRUE(plan.next().empty());
  EXPECT_FALSE(plan.addNeighbour(ranked(0, 102).candidate));
  EXPECT_TRUE(plan.addNeighbour(ranked(1, 90).candidate));
  EXPECT_TRUE(plan.addNeighbour(ranked(0, 91).candidate));
  EXPECT_EQ(plan.next(), (std::vector<std::size_t>{2})) << "one neighbour at the most";
}

// With little work left, predictions are trusted at once, and deviations are not allowed for more.
TEST(RerankingPlan, WidensWhileMuchWorkIsLeft) {
  const std::vector<Ranked> all{ranked(0, 100)};
  for (const std::int64_t spent : {100, 60'000}) {
    RerankingPlan plan({0, 1, 1, 100'000, 100'000}, all);
    EXPECT_FALSE(plan.widen()) << "nothing is simulated yet";
    plan.record(plan.next().front(), spent, 100);
    int times = 0;
    while (plan.widen()) ++times;
    EXPECT_EQ(times, spent == 100 ? 4 : 1);
  }
}

// At last, whatever the errors seen so far, and with the neighbours once more.
TEST(RerankingPlan, TriesComparablePredictionsWhileMuchWorkIsLeft) {
  std::vector<Ranked> all{ranked(0, 100), ranked(0, 109), ranked(0, 111)};
  RerankingPlan plan({0, 1, 3, 100'000, 0, 10}, all);
  follow(plan, all, 1);
  EXPECT_EQ(plan.toExpand(true), 0U);
  while (plan.simulated() == 1 && plan.widen()) follow(plan, all, 1);
  EXPECT_EQ(plan.simulated(), 2U) << "109 is within 10% of 100, 111 is not";
  EXPECT_FALSE(plan.widen());
  EXPECT_EQ(plan.toExpand(true), 0U);
  EXPECT_TRUE(plan.addNeighbour(ranked(1, 108).candidate));
}

TEST(RerankingPlan, LooksAtNoNeighboursWithoutWorkForTheirSimulations) {
  std::vector<Ranked> all{ranked(0, 100)};
  for (const std::int64_t work : {800, 1000}) {
    RerankingPlan plan({0, 1, 1, work, 0, 10}, all);
    plan.record(plan.next().front(), 100, 100);
    EXPECT_EQ(plan.toExpand(true).has_value(), work == 1000) << work;
  }
}

TEST(RerankingPlan, ContinuesTheRankingWhereAllOfItIsPredictedToBeFaster) {
  std::vector<Ranked> all{ranked(0, 100), ranked(0, 101)};
  const Reranking reranking{0, 2, 2, 100'000, 0, 0, 5};
  RerankingPlan plan(reranking, all);
  EXPECT_FALSE(plan.toSearchFurther()) << "nothing is simulated yet";
  follow(plan, all, 1.5);
  EXPECT_EQ(plan.toSearchFurther(), 150);
  EXPECT_FALSE(plan.toSearchFurther()) << "once";
  all.push_back(ranked(1, 120));
  plan.addRanked(all.back().candidate);
  EXPECT_FALSE(plan.isNeighbour(2));
  EXPECT_EQ(plan.next(), (std::vector<std::size_t>{2}));
}

TEST(RerankingPlan, DoesNotContinueARankingThatIsLongEnough) {
  const std::vector<Ranked> all{ranked(0, 100), ranked(0, 151)};
  for (const Reranking& reranking :
       {Reranking{0, 2, 2, 100'000, 0, 0, 5}, Reranking{0, 2, 3, 100'000, 0, 0, 5},
        Reranking{0, 2, 2, 100'000, 0, 0, 0}}) {
    RerankingPlan plan(reranking, all);
    follow(plan, all, reranking.further > 0 && reranking.furthest == 2 ? 1.5 : 2);
    EXPECT_FALSE(plan.toSearchFurther()) << reranking.furthest << " " << reranking.further;
  }
}

TEST(RerankingPlan, TakesOneOfEachThatAreEqualToTheModel) {
  std::vector<Ranked> all;
  for (int n = 0; n < 6; ++n) all.push_back(ranked(0, 100));
  for (int n = 0; n < 6; ++n) all[n].candidate.mapping.tileSize = {n};
  all.push_back(ranked(0, 101));
  EXPECT_EQ(followed({0, 2, 3, 100'000}, all, 1), (std::vector<std::size_t>{0, 6, 1}));
}

TEST(RerankingPlan, EndsWithTheWorkThereIs) {
  EXPECT_TRUE(followed({0, 4, 10, 0}, twoFamilies(), 1).empty());
  EXPECT_EQ(followed({0, 10, 10, 300}, twoFamilies(), 1).size(), 4U);
}

TEST(RerankingPlan, TheFirstTwoShareALimitOfTheirOwn) {
  RerankingPlan plan({0, 10, 10, 1000, 3000}, twoFamilies());
  EXPECT_EQ(plan.next().size(), 1U);
  EXPECT_EQ(plan.limit(), 3000);
  plan.record(0, 2000, 100.0);
  EXPECT_EQ(plan.next().size(), 1U);
  EXPECT_EQ(plan.limit(), 1000);
  plan.record(1, 900, 101.0);
  EXPECT_TRUE(plan.next().empty()) << "the work for all is used up";
}

TEST(RerankingPlan, TwinsAreOfOneStructure) {
  std::vector<Ranked> all = twoFamilies();
  all.push_back(ranked(0, 100));
  const std::vector<Structure> structures = structuresOf(all);
  EXPECT_EQ(structures.back().twinOf, 0U);
  EXPECT_EQ(structures[1].twinOf, 1U);
  EXPECT_EQ(structures[8].family, 8U);
  EXPECT_EQ(structures[9].family, 8U);
}

}  // namespace
}  // namespace gridloom::ranking
