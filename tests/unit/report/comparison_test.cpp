// SPDX-License-Identifier: Apache-2.0
#include "report/comparison.h"

#include <gtest/gtest.h>

namespace gridloom::report {
namespace {

Summary summary(double cycles, double utilization) {
  HardwareRecord hardware;
  hardware.name = "hw";
  hardware.readBandwidth = 100;
  KernelRecord kernel;
  kernel.name = "k";
  kernel.parameters = {{"M", 64}, {"K", 32}};
  kernel.tensors = {{"A", "f16", "input", {64, 32}}, {"m", "f32", "local", {64}}};
  return {"t.json",
          hardware,
          kernel,
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

std::string changeShown(double before, double after) {
  return comparisonTable(compare(summary(before, 0.5), summary(after, 0.5))).rows[0][3].shown;
}

TEST(Comparison, LargeChangesAreFactorsAndFromNothingIsNew) {
  EXPECT_EQ(changeShown(100, 103), "+3.0%");
  EXPECT_EQ(changeShown(100, 1000), "+900.0%");
  EXPECT_EQ(changeShown(100, 4250), "x 42.5");
  EXPECT_EQ(changeShown(1, 1e9), "x 1000000000");
  EXPECT_EQ(changeShown(0, 7), "new");
  EXPECT_EQ(changeShown(1e-9, 7), "new");
  EXPECT_EQ(changeShown(1e-9, 1e-9), "0.0%");
  EXPECT_EQ(changeShown(7, 0), "-100.0%");
}

std::string findings(const Summary& a, const Summary& b) {
  return base::render(checkComparable(a, b));
}

TEST(Comparison, ResultsOfDifferentWorkAreRefused) {
  const Summary one = summary(100, 0.5);
  EXPECT_EQ(findings(one, summary(103, 0.4)), "");
  const auto refused = [&](const Summary& other, const std::string& message) {
    EXPECT_TRUE(base::hasError(checkComparable(one, other)));
    EXPECT_NE(findings(one, other).find(message), std::string::npos) << findings(one, other);
  };
  Summary other = one;
  other.kernel.name = "l";
  refused(other, "the kernels differ: `k` and `l`");
  other = one;
  other.kernel.parameters[1].size = 33;
  refused(other, "the sizes differ: M=64 K=32 and M=64 K=33");
  other = one;
  other.kernel.tensors[0].dtype = "bf16";
  refused(other, "the tensors differ: A[64, 32]: f16 and A[64, 32]: bf16");
  other = one;
  other.kernel.flops = 7;
  refused(other, "the kernels' operations differ");
}

TEST(Comparison, OtherHardwareIsNoted) {
  const Summary one = summary(100, 0.5);
  Summary other = one;
  other.hardware.readBandwidth = 150;
  other.mode = "n";
  other.interrupted = true;
  EXPECT_FALSE(base::hasError(checkComparable(one, other)));
  const std::string notes = findings(one, other);
  EXPECT_NE(notes.find("note: the hardware differs"), std::string::npos) << notes;
  EXPECT_NE(notes.find("channels of 150 and"), std::string::npos) << notes;
  EXPECT_NE(notes.find("note: the numeric mode differs: m and n"), std::string::npos) << notes;
  EXPECT_NE(notes.find("note: t.json was interrupted"), std::string::npos) << notes;
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
