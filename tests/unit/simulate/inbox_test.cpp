// SPDX-License-Identifier: Apache-2.0
#include "simulate/inbox.h"

#include <gtest/gtest.h>

namespace gridloom::simulate {
namespace {

TEST(Inbox, HoldsTilesInFlightOnly) {
  Inbox inbox(1'000'000);
  const std::size_t empty = inbox.memoryBytes();
  for (std::int32_t round = 0; round < 1000; ++round) {
    inbox.put(round * 7, Timeline::at(round));
    inbox.put(round * 7 + 1, Timeline::at(-round));
    EXPECT_EQ(inbox.take(round * 7).loaded, round);
    EXPECT_EQ(inbox.take(round * 7 + 1).loaded, -round);
  }
  EXPECT_LT(inbox.memoryBytes() - empty, 1000U) << "two were in flight at a time";
  EXPECT_LT(empty, 5'000'000U);
}

TEST(Inbox, TheLastOfTwoTilesToOneLeafSpeaksForBoth) {
  Inbox inbox(2);
  inbox.put(1, Timeline::at(3));
  inbox.put(1, Timeline::at(5));
  EXPECT_EQ(inbox.take(1).loaded, 5);
  EXPECT_EQ(inbox.take(1).loaded, 5);
  int never = 0;
  inbox.forEach([&](const Timeline& timeline) { never += timeline.sent == Timeline::kNever; });
  EXPECT_EQ(never, 2);
}

}  // namespace
}  // namespace gridloom::simulate
