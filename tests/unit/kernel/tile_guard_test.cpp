// SPDX-License-Identifier: Apache-2.0
#include "kernel/tile_guard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace gridloom::kernel {
namespace {

constexpr std::size_t kLoops = 3;

using Point = std::array<std::int64_t, kLoops>;

/// Random bounds of up to three loops, and ranges of elements and tiles for each.
class RandomGuards {
 public:
  std::int64_t upTo(std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(0, most)(m_random);
  }

  std::vector<Difference> differences(std::int64_t most) {
    std::vector<Difference> made;
    for (std::int64_t n = upTo(4); n > 0; --n) {
      const auto a = loopOrNone(), b = loopOrNone();
      if (a != b) made.push_back({a, b, upTo(most) - most / 2});
    }
    return made;
  }

  /// `tiles`: how many tiles of a loop there may be.
  std::vector<TileSpan> spans(std::int64_t tiles) {
    std::vector<TileSpan> made;
    for (std::size_t loop = 0; loop < kLoops; ++loop) {
      const std::int64_t size = 1 + upTo(3), first = upTo(3), last = first + upTo(tiles - 1);
      const std::int64_t begin = first * size;
      const std::int64_t edge = upTo(1) * upTo(size - 1);  // the last tile may be smaller
      made.push_back({begin, (last + 1) * size - edge, first, last});
    }
    return made;
  }

 private:
  LoopId loopOrNone() {
    const std::int64_t loop = upTo(kLoops);
    return loop == kLoops ? LoopId{} : LoopId::of(static_cast<std::size_t>(loop));
  }

  std::mt19937 m_random{11};
};

bool holdsAt(const std::vector<Difference>& differences, const Point& at) {
  const auto valueOf = [&](LoopId loop) { return loop.valid() ? at[loop.index()] : 0; };
  return std::ranges::all_of(
      differences, [&](const Difference& d) { return valueOf(d.a) - valueOf(d.b) >= d.least; });
}

// Whether a point of the box has all differences.
bool holdsIn(const std::vector<Difference>& differences, const Point& begin, const Point& end) {
  for (Point at = begin;;) {
    if (holdsAt(differences, at)) return true;
    std::size_t loop = 0;
    while (loop < kLoops && ++at[loop] == end[loop]) {
      at[loop] = begin[loop];
      ++loop;
    }
    if (loop == kLoops) return false;
  }
}

bool holdsPointByPoint(const GuardPart& part, const std::vector<TileSpan>& spans) {
  Point begin{}, end{}, first{}, last{};
  for (std::size_t loop = 0; loop < kLoops; ++loop) {
    begin[loop] = spans[loop].begin;
    end[loop] = spans[loop].end;
    first[loop] = spans[loop].firstTile;
    last[loop] = spans[loop].lastTile + 1;
  }
  return holdsIn(part.elements, begin, end) && holdsIn(part.tiles, first, last);
}

TEST(TileGuard, HoldsWhereATileHasAPoint) {
  RandomGuards random;
  int held = 0, missed = 0, alone = 0;
  for (int round = 0; round < 20'000; ++round) {
    const GuardPart part{random.differences(8),
                         random.upTo(1) > 0 ? random.differences(4) : std::vector<Difference>{}};
    TileGuard guard;
    addPart(guard, part, true);
    const auto spans = random.spans(1 + random.upTo(2));
    const bool holds = holdsPointByPoint(part, spans);
    ASSERT_EQ(guard.holds(spans), holds) << round;
    ++(holds ? held : missed);
    if (!holds && part.holds(spans)) ++alone;
  }
  EXPECT_GT(held, 1000);
  EXPECT_GT(missed, 1000);
  EXPECT_GT(alone, 100) << "each difference has a point, but all have none in common";
}

TEST(TileGuard, SaysNoMoreWhenItsBoundsAreAddedAgain) {
  RandomGuards random;
  for (int round = 0; round < 5000; ++round) {
    TileGuard guard, again;
    addPart(guard, {random.differences(8), random.differences(4)}, true);
    if (guard.always()) continue;
    addPart(again, guard.parts.front(), true);
    ASSERT_EQ(again, guard) << round;
  }
}

TEST(TileGuard, KeepsTheBoundsThatSayMore) {
  const LoopId i(0), j(1), k(2), none;
  TileGuard guard;
  // i >= 0, 1 <= i <= 3, i < j < k, k - i >= -4
  addPart(guard,
          {{{i, none, 0}, {i, none, 1}, {none, i, -3}, {j, i, 1}, {k, j, 1}, {k, i, -4}}, {}},
          true);
  ASSERT_EQ(guard.parts.size(), 1u);
  const std::vector<Difference> wanted{{i, none, 1}, {none, i, -3}, {j, i, 1},   {k, j, 1},
                                       {k, i, 2},    {j, none, 2},  {k, none, 3}};
  EXPECT_EQ(guard.parts.front().elements, wanted);
}

// It asks a loop to be below 0, which a schedule's text can say.
TEST(TileGuard, APartWithoutPointsNamesALoopAndGivesWayToOthers) {
  const LoopId i(0), k(1), none;
  const GuardPart nowhere{{{k, i, 5}, {i, k, -2}}, {}}, somewhere{{{k, i, 1}}, {}};
  TileGuard guard;
  addPart(guard, nowhere, true);
  ASSERT_EQ(guard.parts.size(), 1u);
  EXPECT_EQ(guard.parts.front(), (GuardPart{{{none, k, 1}}, {}}));
  EXPECT_FALSE(guard.holds(std::vector<TileSpan>(2, {0, 16, 0, 0})));
  addPart(guard, somewhere, false);
  EXPECT_EQ(guard.parts, std::vector{somewhere});
  addPart(guard, nowhere, false);
  EXPECT_EQ(guard.parts, std::vector{somewhere});
  addPart(guard, {}, false);
  EXPECT_TRUE(guard.always());
}

// Overflow is told by a build with sanitizers.
TEST(TileGuard, LargeContradictionsDoNotOverflow) {
  std::vector<Difference> all;
  for (std::size_t a = 0; a < 32; ++a) {
    for (std::size_t b = 0; b < 32; ++b)
      if (a != b) all.push_back({LoopId::of(a), LoopId::of(b), std::int64_t{1} << 41});
  }
  EXPECT_FALSE(closureOf(all).has_value());
}

}  // namespace
}  // namespace gridloom::kernel
