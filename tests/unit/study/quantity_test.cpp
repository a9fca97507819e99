// SPDX-License-Identifier: Apache-2.0

// Expressions over the rows of a study, and texts with expressions in them.

#include "study/quantity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gridloom::study {
namespace {

Scope threeRows() {
  Scope scope;
  scope.rows = 3;
  scope.texts["mesh"] = {"8x8", "4x8", "8x8"};
  scope.texts["M"] = {"256", "512", "1024"};
  scope.quantities["M"] = {{{{256, 512, 1024}, {256, 512, 1024}}}};
  scope.quantities["ours.cycles"] = {{{{10, 20, 40}, {11, 22, 33}}}};
  scope.quantities["ours.busy"] = {{{{kNone, kNone, kNone}, {0.5, 0.51, 0.7}}}};
  return scope;
}

struct Worked {
  Quantity value;
  std::string errors;
};

Worked work(const std::string& text, double margin = 0) {
  const auto source = base::makeSource("e.study", text);
  const auto tokens = tokensOf(source, {0, static_cast<std::uint32_t>(text.size())});
  syntax::ReportingCursor in(tokens);
  const Quantity value = evaluate(in, threeRows(), margin);
  return {value, base::render(in.errors())};
}

using Values = std::vector<double>;

TEST(Quantity, OperatorsBindAsUsual) {
  EXPECT_EQ(work("1 + 2 * 3 - 4 / 2").value.sides[1], Values{5});
  EXPECT_EQ(work("(1 + 2) * -3").value.sides[1], Values{-9});
  EXPECT_EQ(work("2 * ours.cycles + M").value.sides[0], (Values{276, 552, 1104}));
  EXPECT_EQ(work("2 * ours.cycles + M").value.sides[1], (Values{278, 556, 1090}));
}

TEST(Quantity, AggregatesAreOverRowsAndTheirPart) {
  EXPECT_EQ(work("mean(ours.cycles)").value.sides[1], Values{22});
  EXPECT_EQ(work("sum(ours.cycles, mesh == \"8x8\")").value.sides[0], Values{50});
  EXPECT_EQ(work("last(M, M < 1000)").value.sides[0], Values{512});
  EXPECT_EQ(work("share(ours.cycles > 15)").value.sides[1], Values{2.0 / 3});
  EXPECT_EQ(work("where(M, mesh == \"8x8\")").value.sides[0], (Values{256, 1024}));
  EXPECT_NEAR(work("geomean(ours.cycles)").value.sides[0][0], 20, 1e-9);
}

TEST(Quantity, WhatIsNotThereStaysSo) {
  const Quantity mean = work("mean(ours.busy)").value;
  EXPECT_TRUE(std::isnan(mean.sides[0][0]));
  EXPECT_NEAR(mean.sides[1][0], 0.57, 1e-9);
  EXPECT_TRUE(std::isnan(work("mean(ours.busy) > 0.5").value.sides[0][0]));
  EXPECT_EQ(work("sides(none, ours.cycles)").value.sides[1], (Values{11, 22, 33}));
}

TEST(Quantity, WithinTheMarginIsATie) {
  EXPECT_EQ(work("49 > 48").value.sides[1], Values{1});
  EXPECT_EQ(work("49 > 48", 0.03).value.sides[1], Values{0});
  EXPECT_EQ(work("47 > 49", 0.03).value.sides[1], Values{-1});
  EXPECT_EQ(work("47.9 >= 48", 0.03).value.sides[1], Values{1}) << "not less by more than it";
  EXPECT_EQ(work("rises(ours.cycles)", 0.03).value.sides[1], Values{1});
  EXPECT_EQ(work("rises(ours.busy, M < 1000)", 0.03).value.sides[1], Values{0});
  EXPECT_EQ(work("rises(0 - ours.cycles)", 0.03).value.sides[1], Values{-1});
  EXPECT_EQ(work("2 > 1 and 49 > 48", 0.03).value.sides[1], Values{0});
}

TEST(Quantity, FaultsHaveAPlaceAndHelp) {
  EXPECT_NE(work("1 + ours.cycle").errors.find("e.study:1:5: error: there is no quantity"),
            std::string::npos)
      << work("1 + ours.cycle").errors;
  EXPECT_NE(work("1 + ours.cycle").errors.find("did you mean `ours.cycles`?"), std::string::npos);
  EXPECT_NE(work("meen(M)").errors.find("did you mean `mean`?"), std::string::npos);
  EXPECT_NE(work("mean(M, M, M)").errors.find("another number of arguments"), std::string::npos);
  EXPECT_NE(work("mean(M").errors.find("expected `)`"), std::string::npos) << work("mean(M").errors;
  EXPECT_NE(work("2 *").errors.find("expected a number"), std::string::npos);
  EXPECT_NE(work("mesh + 1").errors.find("holds texts"), std::string::npos);
  EXPECT_NE(work(std::string(1000, '(')).errors.find("too deeply"), std::string::npos);
}

struct Texts : testing::Test {
  base::Diagnostics errors;
  std::vector<std::string> perRow(const std::string& text) {
    const auto source = base::makeSource("t.study", text);
    return textPerRow(source, {0, static_cast<std::uint32_t>(text.size())}, threeRows(), errors);
  }
  std::string once(const std::string& text) {
    const auto source = base::makeSource("t.study", text);
    return textOnce(source, {0, static_cast<std::uint32_t>(text.size())}, threeRows(), errors);
  }
};

TEST_F(Texts, AreWrittenOutPerRow) {
  EXPECT_EQ(perRow("M={M} on {mesh}"),
            (std::vector<std::string>{"M=256 on 8x8", "M=512 on 4x8", "M=1024 on 8x8"}));
  EXPECT_EQ(perRow("Q={M / 256}")[2], "Q=4");
  EXPECT_EQ(perRow("{ours.cycles:.1f}")[1], "22.0");
  EXPECT_TRUE(errors.empty()) << base::render(errors);
}

TEST_F(Texts, AreWrittenOutOnceWithBothSides) {
  EXPECT_EQ(once("by size: {ours.cycles:.0f}"),
            "by size: 10, 20, 40 predicted; 11, 22, 33 simulated");
  EXPECT_EQ(once("{first(ours.cycles)} x"), "10.00 predicted, 11.00 simulated x");
  EXPECT_EQ(once("{simulated(max(ours.cycles)):.0f}\n    x"), "33 x");
  EXPECT_EQ(once("{simulated(min(ours.cycles)):.0f}"), "11");
  EXPECT_EQ(once("{first(M, mesh == \"4x8\"):g}"), "512");
  EXPECT_TRUE(errors.empty()) << base::render(errors);
}

TEST_F(Texts, FaultsHaveAPlace) {
  once("{M:%d}");
  EXPECT_NE(base::render(errors).find("t.study:1:2: error: there is no format `%d`"),
            std::string::npos)
      << base::render(errors);
  errors.clear();
  once("{M +");
  EXPECT_FALSE(errors.empty());
}

}  // namespace
}  // namespace gridloom::study
