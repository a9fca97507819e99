// SPDX-License-Identifier: Apache-2.0
#include "report/agreement_table.h"
#include "report/reproduction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/statistics.h"

namespace gridloom::report {
namespace {

TEST(Statistics, GeometricMeansAndErrors) {
  EXPECT_DOUBLE_EQ(geometricMean(std::vector{2.0, 8.0}), 4);
  EXPECT_DOUBLE_EQ(geometricMean(std::vector<double>{}), 1);
  EXPECT_DOUBLE_EQ(geometricError(std::vector{2.0, 0.5}), 1) << "twice and half are equally wrong";
  EXPECT_DOUBLE_EQ(geometricError(std::vector{1.0, 1.0}), 0);
}

TEST(Statistics, TimesBelowACycleAreEqual) {
  EXPECT_DOUBLE_EQ(predictionRatio(300, 200), 1.5);
  EXPECT_DOUBLE_EQ(predictionRatio(0.01, 0), 1);
  EXPECT_TRUE(std::isinf(predictionRatio(20, 0)));
}

TEST(Statistics, KendallTauCountsPairs) {
  const std::vector<double> up{1, 2, 3, 4};
  const std::vector<double> down{4, 3, 2, 1};
  const std::vector<double> oneSwap{1, 3, 2, 4};
  EXPECT_DOUBLE_EQ(kendallTau(up, up), 1);
  EXPECT_DOUBLE_EQ(kendallTau(up, down), -1);
  EXPECT_DOUBLE_EQ(kendallTau(up, oneSwap), 4.0 / 6.0);
}

TEST(Statistics, KendallTauWithTies) {
  // 5 pairs are ordered in both, all in the same direction; the first ranking orders 6 pairs, the
  // second 5.
  EXPECT_DOUBLE_EQ(kendallTau(std::vector<double>{1, 2, 3, 4}, std::vector<double>{1, 2, 2, 4}),
                   5 / std::sqrt(6.0 * 5.0));
  EXPECT_DOUBLE_EQ(kendallTau(std::vector<double>{1, 2}, std::vector<double>{7, 7}), 0);
  EXPECT_DOUBLE_EQ(kendallTau(std::vector<double>{}, std::vector<double>{}), 0);
}

struct Reproduced : testing::Test {
  Reproduction reproduction;
  Reproduced() {
    reproduction.study = "s";
    reproduction.title = "T";
    reproduction.figures = {{"small", "TFLOP/s", 10.0, 20.0, 5.0, "mapping 1"},
                            {"large", "TFLOP/s", 10.0, 5.0, 20.0, "mapping 2"},
                            {"large", "gain", std::nullopt, 2.0, 4.0, ""}};
    reproduction.claims = {{"C-1", "it is so", 0.02, Answer::Yes, Answer::Tie, "1 and 2"},
                           {"C-2", "it is not", 0.02, std::nullopt, Answer::No, "3"}};
  }
};

TEST_F(Reproduced, IsSummarizedByQuantity) {
  const auto summaries = summarize(reproduction.figures);
  ASSERT_EQ(summaries.size(), 2U);
  EXPECT_EQ(summaries[0].figures, 2);
  EXPECT_DOUBLE_EQ(*summaries[0].predictedToPublished, 1) << "2 and 1/2";
  EXPECT_DOUBLE_EQ(*summaries[0].predictedError, 1);
  EXPECT_DOUBLE_EQ(*summaries[0].simulatedError, 1);
  EXPECT_DOUBLE_EQ(*summaries[0].modelError, 3);
  EXPECT_FALSE(summaries[1].predictedToPublished) << "nothing was published";
  EXPECT_DOUBLE_EQ(*summaries[1].modelError, 1);
}

TEST_F(Reproduced, TextAnswersClaimsWithTheNumbersBehind) {
  const std::string text = reproductionText(reproduction);
  for (const char* part :
       {"yes", "no", "tie", "2.0%", "it is so: 1 and 2", "mapping 1", "2.00", "0.50"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST_F(Reproduced, RowsHoldEverythingOnce) {
  reproduction.agreements = {
      {"k on h", 3, 0.5, -0.25, 0.9, {{"k on h", "cycles", std::nullopt, 1.0, 2.0, "bad"}}}};
  const Table table = reproductionRows(std::span(&reproduction, 1));
  EXPECT_EQ(table.rows.size(), 3U + 2U + 4U);
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
  EXPECT_EQ(table.rows[0][4].exact, "10");
  EXPECT_EQ(table.rows[2][4].exact, "") << "an unpublished figure stays empty";
}

TEST_F(Reproduced, RanksAreToldOfThreeFiguresAndMore) {
  EXPECT_FALSE(summarize(reproduction.figures)[0].predictedRanks);
  reproduction.figures.push_back({"largest", "TFLOP/s", 40.0, 30.0, 4.0, ""});
  const auto summaries = summarize(reproduction.figures);
  EXPECT_GT(*summaries[0].predictedRanks, 0);
  EXPECT_LT(*summaries[0].simulatedRanks, 0);
}

TEST(Agreements, TellComputeAndMovementApart) {
  const Agreement agreement = agreementOf(
      "k", {{10, 10, "a", true}, {20, 10, "b", false}, {40, 10, "c", false}, {10, 10, "d", true}});
  EXPECT_EQ(agreement.mappings, 4);
  EXPECT_EQ(agreement.computeBound.mappings, 2);
  EXPECT_DOUBLE_EQ(agreement.computeBound.error, 0);
  EXPECT_EQ(agreement.movementBound.mappings, 2);
  EXPECT_NEAR(agreement.movementBound.error, std::sqrt(8.0) - 1, 1e-12);
  ASSERT_EQ(agreement.worst.size(), 3U);
  EXPECT_EQ(agreement.worst[0].detail, "c");
  Reproduction table;
  table.agreements = {agreement, agreement};
  const std::string text = reproductionText(table);
  EXPECT_NE(text.find("movement-bound"), std::string::npos) << text;
  EXPECT_NE(text.find("all"), std::string::npos) << text;
}

TEST(Agreements, AblationsAreSummedOverAllCases) {
  Agreement a = agreementOf("a", {{10, 10, "", true}, {40, 20, "", true}});
  Agreement b = agreementOf("b", {{10, 10, "", true}, {20, 20, "", true}});
  a.ablations = {{"pace", 1.0, -1.0}, {"fill", a.error, a.tau}};
  b.ablations = {{"pace", 0.0, 1.0}, {"fill", b.error, b.tau}};
  Reproduction table;
  table.agreements = {a, b};
  const Table ablations = ablationTable(table);
  ASSERT_EQ(ablations.rows.size(), 3U);
  // Two of four mappings are off by a factor of two: sqrt(2) over all.
  EXPECT_NEAR(std::stod(ablations.rows[1][1].exact), std::sqrt(2.0) - 1, 1e-12);
  EXPECT_EQ(ablations.rows[1][5].exact, "1");
  EXPECT_EQ(ablations.rows[1][7].shown, "a");
  EXPECT_NEAR(std::stod(ablations.rows[2][2].exact), 0, 1e-12);
  EXPECT_EQ(ablations.rows[2][5].exact, "0");
}

TEST_F(Reproduced, ZeroesGiveNoRatio) {
  reproduction.figures = {{"c", "share", 0.0, 0.5, 0.0, ""}};
  const auto summaries = summarize(reproduction.figures);
  EXPECT_FALSE(summaries[0].predictedToPublished);
  EXPECT_FALSE(summaries[0].modelError);
}

}  // namespace
}  // namespace gridloom::report
