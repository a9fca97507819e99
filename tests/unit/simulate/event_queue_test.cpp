// SPDX-License-Identifier: Apache-2.0
#include "simulate/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace gridloom::simulate {
namespace {

TEST(EventQueue, OrdersByTimeThenByMaking) {
  std::mt19937 random(1);
  EventQueue queue;
  std::vector<std::pair<Ticks, std::int32_t>> expected;
  std::int32_t made = 0;
  Ticks now = 0;
  // Pushes and pops mixed, with many equal times, against a sorted list.
  for (int round = 0; round < 3000; ++round) {
    if (expected.empty() || random() % 5 < 3) {
      const Ticks time = now + random() % 7;
      queue.push(time, Happening::PieceHop, made);
      expected.emplace_back(time, made++);
      continue;
    }
    const auto first = std::min_element(expected.begin(), expected.end());
    ASSERT_EQ(queue.nextTime(), first->first);
    const Event event = queue.pop();
    ASSERT_EQ(event.time, first->first);
    ASSERT_EQ(event.who(), first->second);
    ASSERT_EQ(event.what(), Happening::PieceHop);
    now = event.time;
    expected.erase(first);
  }
  EXPECT_EQ(queue.empty(), expected.empty());
}

}  // namespace
}  // namespace gridloom::simulate
