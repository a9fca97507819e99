// SPDX-License-Identifier: Apache-2.0
#include "network/server.h"

#include <gtest/gtest.h>

namespace gridloom::network {
namespace {

constexpr Ticks kCycle = kTicksPerCycle;

TEST(Ticks, CommonRatesAreWhole) {
  for (const double bandwidth : {12.0, 16.0, 24.0, 28.0, 30.0, 32.0, 37.5, 60.0, 64.0}) {
    EXPECT_EQ(inCycles(Pace::of(bandwidth)(3 * 64 * 25 * 7)), 3 * 64 * 25 * 7 / bandwidth);
  }
  EXPECT_EQ(ticksOf(1.5), kCycle + kCycle / 2);
  EXPECT_EQ(ticksOf(-1), 0);
  EXPECT_EQ(ticksOf(1e300), kEndOfTime);
}

TEST(Server, AHeadGoesOnBeforeItsTail) {
  Server first, second;
  const Ticks latency = 2 * kCycle;
  const ServiceInterval one = first.pass(0, 0, 40, Pace::of(4)(40));
  EXPECT_EQ(one.start, 0);
  EXPECT_EQ(one.finish, 10 * kCycle);
  const ServiceInterval two =
      second.pass(one.start + latency, one.finish + latency, 40, Pace::of(8)(40));
  EXPECT_EQ(two.start, 2 * kCycle);
  EXPECT_EQ(two.finish, 12 * kCycle) << "no sooner than its tail is there";
  EXPECT_EQ(second.free, 7 * kCycle) << "the faster link is free for others between";
}

TEST(Server, PartsTakeTurns) {
  Server link;
  EXPECT_EQ(link.pass(0, 0, 5, 5 * kCycle).start, 0);
  EXPECT_EQ(link.pass(kCycle, kCycle, 3, 3 * kCycle).start, 5 * kCycle);
  EXPECT_EQ(link.pass(20 * kCycle, 20 * kCycle, 1, kCycle).start, 20 * kCycle);
  EXPECT_EQ(link.busy, 9 * kCycle);
  EXPECT_EQ(link.bytes, 9);
}

TEST(Server, TimesWithoutEndStayNumbers) {
  Server link;
  const Pace pace = Pace::of(1e-300);
  for (int n = 0; n < 100; ++n) link.pass(0, 0, 1 << 30, pace(1 << 30));
  EXPECT_EQ(link.free, kEndOfTime);
  EXPECT_EQ(link.busy, kEndOfTime);
  EXPECT_EQ(Pace::of(0)(1000), 0) << "no bandwidth given: not a limit";
}

}  // namespace
}  // namespace gridloom::network
