// SPDX-License-Identifier: Apache-2.0
#include "sweep/vary.h"

#include <gtest/gtest.h>

#include "base/diagnostic.h"

namespace gridloom::sweep {
namespace {

using Values = std::vector<double>;

std::vector<SweepParameter> someParameters() {
  SweepParameter cols{"cols", "cols", "", 8, true, false, "cols", ""};
  SweepParameter rate{"noc.bandwidth", "noc: bandwidth", "B/cycle", 0.3, false, false,
                      "noc",           "bandwidth"};
  return {cols, rate};
}

Values valuesIn(std::string_view words) {
  const auto axis = axisOf(words, someParameters());
  return axis ? axis->values : Values{};
}

std::string errorOf(std::string_view words) {
  const auto axis = axisOf(words, someParameters());
  return axis ? "" : base::render(axis.diagnostics());
}

TEST(Vary, ListsRangesStepsAndRatios) {
  EXPECT_EQ(valuesIn("cols=4,8,16"), (Values{4, 8, 16}));
  EXPECT_EQ(valuesIn("cols=16,4,4"), (Values{4, 16}));
  EXPECT_EQ(valuesIn("cols=4..16"), (Values{4, 6, 8, 11, 16}));
  EXPECT_EQ(valuesIn("cols=4..16:4"), (Values{4, 8, 12, 16}));
  EXPECT_EQ(valuesIn("cols=4..15:4"), (Values{4, 8, 12}));
  EXPECT_EQ(valuesIn("cols=4..64x2"), (Values{4, 8, 16, 32, 64}));
  // The present value is among them without the noise of binary fractions.
  EXPECT_EQ(valuesIn("noc.bandwidth=0.1..0.5:0.1"), (Values{0.1, 0.2, 0.3, 0.4, 0.5}));
  EXPECT_EQ(valuesIn("noc.bandwidth=0.1..0.3:0.1"), (Values{0.1, 0.2, 0.3})) << "the end, too";
  EXPECT_EQ(valuesIn("noc.bandwidth=12.5"), (Values{12.5}));
}

TEST(Vary, WhatItCannotTakeIsSaid) {
  EXPECT_NE(errorOf("rows=4..8").find("the inputs have no number `rows`"), std::string::npos);
  EXPECT_NE(errorOf("col=4").find("did you mean `cols`?"), std::string::npos);
  EXPECT_NE(errorOf("cols=4.5").find("`cols` is a whole number, got 4.5"), std::string::npos);
  for (const char* each : {"cols=4.5..8", "cols=4..8.5:1", "cols=4.2..4.8"})
    EXPECT_NE(errorOf(each).find("`cols` is a whole number, got "), std::string::npos) << each;
  EXPECT_NE(errorOf("cols=1..1e17").find("`cols` is at most 9007199254740992"), std::string::npos)
      << errorOf("cols=1..1e17");
  EXPECT_NE(errorOf("cols=1e17").find("`cols` is at most 9007199254740992"), std::string::npos);
  for (const char* step : {"0", "-1", "a", ""})
    EXPECT_NE(errorOf(std::string("cols=4..8:") + step)
                  .find("the step `" + std::string(step) + "` is not a number above 0"),
              std::string::npos)
        << step;
  for (const char* ratio : {"1", "0.5", "x"})
    EXPECT_NE(errorOf(std::string("cols=4..8x") + ratio)
                  .find("the ratio `" + std::string(ratio) + "` is not a number above 1"),
              std::string::npos)
        << ratio;
  EXPECT_NE(errorOf("cols=1..100000:1").find("more than 1000 values"), std::string::npos);
  for (const char* each : {"cols", "=4", "cols=", "cols=8..4", "cols=0..4", "cols=4..8:0",
                           "cols=4..8x1", "cols=4...8", "cols=4,,8", "cols=4,", "cols=inf"})
    EXPECT_NE(errorOf(each), "") << each;
}

TEST(Vary, AnAxisReadsBack) {
  for (const char* words : {"cols=4,8,16", "noc.bandwidth=0.5,28"})
    EXPECT_EQ(varyText(*axisOf(words, someParameters())), words);
}

}  // namespace
}  // namespace gridloom::sweep
