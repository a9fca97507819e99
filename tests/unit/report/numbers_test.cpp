// SPDX-License-Identifier: Apache-2.0
#include "report/numbers.h"

#include <gtest/gtest.h>

#include <limits>

namespace gridloom::report {
namespace {

TEST(Numbers, ThousandsAreSeparated) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
  EXPECT_EQ(grouped(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Numbers, CyclesAreWhole) {
  EXPECT_EQ(cyclesText(2930111.6), "2,930,112");
  EXPECT_EQ(cyclesText(1e30), "1e+30");
}

TEST(Numbers, BytesKeepTheUnitThatSaysMore) {
  EXPECT_EQ(bytesText(100), "100 B");
  EXPECT_EQ(bytesText(1464.0 * 1024), "1,464 KiB");
  EXPECT_EQ(bytesText(96.0 * 1024 * 1024), "96 MiB");
  EXPECT_EQ(bytesText(1024.0 * 1024 * 1024), "1 GiB");
  EXPECT_EQ(bytesText(12.5 * 1024), "12.5 KiB");
  EXPECT_EQ(bytesText(1500), "1,500 B");
}

TEST(Numbers, RatesAndTimes) {
  EXPECT_EQ(flopRateText(65.536e12), "65.5 TFLOP/s");
  EXPECT_EQ(countText(137.4e9), "137.4 G");
  EXPECT_EQ(countText(999), "999 ");
  EXPECT_EQ(countText(0.5), "0.5 ");
  EXPECT_EQ(countText(0), "0 ");
  EXPECT_EQ(secondsText(0.00356), "3.56 ms");
  EXPECT_EQ(secondsText(0), "0 s");
  EXPECT_EQ(clockText(1e9), "1 GHz");
  EXPECT_EQ(clockText(1.05e9), "1.05 GHz");
}

TEST(Numbers, Shares) {
  EXPECT_EQ(percentText(0.5887), "58.9%");
  EXPECT_EQ(changeText(0.032), "+3.2%");
  EXPECT_EQ(changeText(-0.0001), "0.0%");
}

TEST(Numbers, ExactTextReadsBackTheSame) {
  for (const double value : {0.1, 1.0 / 3, 3562323.1503697797, 1e-300, 0.0}) {
    EXPECT_EQ(std::stod(exactText(value)), value);
  }
}

}  // namespace
}  // namespace gridloom::report
