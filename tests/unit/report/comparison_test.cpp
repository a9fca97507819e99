// SPDX-License-Identifier: Apache-2.0
#include "report/comparison.h"

#include <gtest/gtest.h>

namespace gridloom::report {
namespace {

Summary summary(double cycles, double utilization) {
  return {"t",
          "hw",
          "k",
          "m",
          "line",
          {{"predicted cycles", cycles, Metric::Better::Lower},
           {"predicted utilization", utilization, Metric::Better::Higher}}};
}

TEST(Comparison, ChangesAreRelativeToTheFirst) {
  const Comparison c = compare(summary(100, 0.5), summary(103, 0.4));
  ASSERT_EQ(c.differences.size(), 2U);
  EXPECT_DOUBLE_EQ(*c.differences[0].change(), 103.0 / 100 - 1);
  EXPECT_DOUBLE_EQ(*c.differences[1].change(), 0.4 / 0.5 - 1);
}

TEST(Comparison, AgainstItselfNothingDiffers) {
  const Comparison c = compare(summary(100, 0.5), summary(100, 0.5));
  for (const Difference& d : c.differences) EXPECT_EQ(*d.change(), 0);
  EXPECT_TRUE(regressions(c, 0).empty());
}

TEST(Comparison, WorseDependsOnTheDirection) {
  EXPECT_TRUE((Difference{"x", 100, 103, Metric::Better::Lower}).worseThan(0.02));
  EXPECT_FALSE((Difference{"x", 100, 103, Metric::Better::Lower}).worseThan(0.03));
  EXPECT_FALSE((Difference{"x", 100, 50, Metric::Better::Lower}).worseThan(0));
  EXPECT_TRUE((Difference{"x", 100, 50, Metric::Better::Higher}).worseThan(0.02));
  EXPECT_FALSE((Difference{"x", 100, 500, Metric::Better::Neither}).worseThan(0));
}

TEST(Comparison, ZeroBeforeHasNoRelativeChange) {
  EXPECT_EQ((Difference{"x", 0, 1}).change(), std::nullopt);
  EXPECT_EQ(*(Difference{"x", 0, 0}).change(), 0);
}

TEST(Comparison, OnlyCyclesMakeARegression) {
  EXPECT_EQ(regressions(compare(summary(100, 0.5), summary(100, 0.1)), 0.01).size(), 0U);
  EXPECT_EQ(regressions(compare(summary(100, 0.5), summary(102, 0.5)), 0.01).size(), 1U);
}

TEST(Comparison, LosingTheMappingIsARegression) {
  Summary none = summary(1, 1);
  none.metrics.clear();
  EXPECT_EQ(regressions(compare(summary(100, 0.5), none), 0.5).size(), 1U);
  EXPECT_EQ(regressions(compare(none, summary(100, 0.5)), 0.5).size(), 0U);
}

}  // namespace
}  // namespace gridloom::report
