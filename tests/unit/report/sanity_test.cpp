// SPDX-License-Identifier: Apache-2.0
#include "report/sanity.h"

#include <gtest/gtest.h>

namespace gridloom::report {
namespace {

SimulatedRecord goodRun() {
  SimulatedRecord run;
  run.cycles = 100;
  run.utilization = 0.5;
  run.states = {{"compute", 60}, {"idle", 40}};
  run.traffic.dramRead = 640;
  run.traffic.dramWrite = 64;
  return run;
}

const std::vector<ResourceRecord> kLinks{{"noc (0,0)->(1,0)", 100, 64}};
const std::vector<ResourceRecord> kChannels{{"dram 0 read", 99, 640}, {"dram 0 write", 5, 64}};

TEST(Sanity, NoRunBeatsTheBound) {
  cost::Roofline bound;
  bound.cycles = 100;
  EXPECT_TRUE(checkBound(bound, 100, 10).empty());
  EXPECT_EQ(checkBound(bound, 99, 10).size(), 1U);
}

// A million transfers that take less than a tick each, 1 / 100,800 of a cycle.
TEST(Sanity, ARunOfTransfersWithoutTimeMayBeShorterThanTheBound) {
  cost::Roofline bound;
  bound.cycles = 5;
  EXPECT_TRUE(checkBound(bound, 0, 1'000'000).empty());
  EXPECT_EQ(checkBound(bound, 0, 100'000).size(), 1U);
}

TEST(Sanity, AGoodRunHasNoFinding) {
  EXPECT_TRUE(checkSanity(goodRun(), kLinks, kChannels).empty());
}

TEST(Sanity, ALinkAboveTheWholeTimeIsFound) {
  const auto findings = checkSanity(goodRun(), {{"noc (0,0)->(1,0)", 101, 64}}, kChannels);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "noc (0,0)->(1,0) is at 101.00% of the whole time");
}

TEST(Sanity, LostBytesAreFound) {
  EXPECT_EQ(checkSanity(goodRun(), kLinks, {{"dram 0 read", 99, 600}}).size(), 1U);
}

TEST(Sanity, StatesThatDoNotSumAreFound) {
  SimulatedRecord run = goodRun();
  run.states[0].value = 61;
  EXPECT_EQ(checkSanity(run, kLinks, kChannels).size(), 1U);
}

TEST(Sanity, UtilizationAboveAllIsFound) {
  SimulatedRecord run = goodRun();
  run.utilization = 1.01;
  EXPECT_EQ(checkSanity(run, kLinks, kChannels).size(), 1U);
}

TEST(Sanity, PredictedTermsMustSum) {
  cost::Estimate predicted;
  predicted.cycles = 10;
  predicted.terms = {{"matrix", 6}, {"dram", 4}};
  EXPECT_TRUE(checkSanity(predicted).empty());
  predicted.terms[0].cycles = 7;
  EXPECT_EQ(checkSanity(predicted).size(), 1U);
}

TEST(Sanity, TheStepsFromThePeakMustSum) {
  WaterfallRecord waterfall;
  waterfall.achieved = 0.6;
  waterfall.losses = {{"issue", "Issue overhead", "", 30, 0.3, {}},
                      {"drain", "Drain", "", 10, 0.1, {}}};
  EXPECT_TRUE(checkSanity(waterfall).empty());
  waterfall.losses[0].share = 0.302;
  EXPECT_EQ(checkSanity(waterfall).size(), 1U);
  waterfall.losses[0].share = 0.41;
  waterfall.losses[1].share = -0.01;
  const auto findings = checkSanity(waterfall);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "`Drain` loses -1.000% of the peak");
}

}  // namespace
}  // namespace gridloom::report
