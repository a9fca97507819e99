// SPDX-License-Identifier: Apache-2.0
#include "network/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace gridloom::network {
namespace {

using Expected = std::vector<std::pair<Ticks, std::int32_t>>;

// Pushes and pops mixed, against a sorted list. `spread` gives the distance of a new event from
// now.
template <class Spread> void compare(int rounds, int pushesOfFive, const Spread& spread) {
  std::mt19937_64 random(1);
  EventQueue queue;
  Expected expected;
  std::vector<Event> copied;
  std::int32_t made = 0;
  Ticks now = 0;
  for (int round = 0; round < rounds; ++round) {
    if (expected.empty() || static_cast<int>(random() % 5) < pushesOfFive) {
      // The simulator's times saturate, too.
      const Ticks time = now + std::min(spread(random), std::numeric_limits<Ticks>::max() - now);
      queue.push(time, EventKind::PieceHop, made);
      const std::pair<Ticks, std::int32_t> event(time, made++);
      expected.insert(std::lower_bound(expected.begin(), expected.end(), event), event);
      continue;
    }
    if (round % 3 == 0) {
      ASSERT_EQ(queue.nextTime(), expected.front().first);
    }
    if (round % 50 == 0) {
      queue.copyTo(copied);
      ASSERT_EQ(copied.size(), expected.size());
      for (std::size_t n = 0; n < copied.size(); ++n) {
        ASSERT_EQ(copied[n].time, expected[n].first);
        ASSERT_EQ(copied[n].who(), expected[n].second);
      }
    }
    const Event event = queue.pop();
    ASSERT_EQ(event.time, expected.front().first);
    ASSERT_EQ(event.who(), expected.front().second);
    ASSERT_EQ(event.what(), EventKind::PieceHop);
    now = event.time;
    expected.erase(expected.begin());
  }
  EXPECT_EQ(queue.empty(), expected.empty());
}

TEST(EventQueue, OrdersByTimeThenByMaking) {
  compare(3000, 3, [](auto& random) { return static_cast<Ticks>(random() % 7); });
}

TEST(EventQueue, DistancesOfEveryMagnitude) {
  compare(20000, 3,
          [](auto& random) { return static_cast<Ticks>(random() % 1000) << random() % 48; });
  compare(20000, 2,
          [](auto& random) { return static_cast<Ticks>(random() >> random() % 63 >> 3); });
}

// Many events far away, and more and more before them: sorted events go back to the wheels.
TEST(EventQueue, CrowdsBehindNewEvents) {
  compare(20000, 4, [](auto& random) {
    return static_cast<Ticks>(random() % 3 == 0 ? 1'000'000 : random() % 5000);
  });
  compare(6000, 4, [](auto& random) { return static_cast<Ticks>(random() % 2 * 100'000); });
}

}  // namespace
}  // namespace gridloom::network
