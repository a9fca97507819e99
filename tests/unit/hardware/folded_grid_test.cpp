// SPDX-License-Identifier: Apache-2.0
#include "hardware/folded_grid.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

namespace gridloom::hardware {
namespace {

using IsEnabled = std::function<bool(std::int64_t, std::int64_t)>;

std::vector<bool> disabledIn(const Grid& grid, const IsEnabled& enabled) {
  std::vector<bool> disabled;
  for (std::int64_t x = 0; x < grid.sizes[0]; ++x) {
    for (std::int64_t y = 0; y < grid.sizes[1]; ++y) disabled.push_back(!enabled(x, y));
  }
  return disabled;
}

using Sizes = std::vector<std::int64_t>;

TEST(FoldedGrid, UsesEveryCoreOfATriangle) {
  const Grid even{{8, 8}}, odd{{5, 5}};
  const IsEnabled lower = [](auto x, auto y) { return x >= y; };
  const IsEnabled upper = [](auto x, auto y) { return x <= y; };
  const IsEnabled strict = [](auto x, auto y) { return x > y; };
  EXPECT_EQ(foldedGrid(even, disabledIn(even, lower)).sizes, (Sizes{4, 9}));
  EXPECT_EQ(foldedGrid(even, disabledIn(even, upper)).sizes, (Sizes{4, 9}));
  EXPECT_EQ(foldedGrid(odd, disabledIn(odd, lower)).sizes, (Sizes{3, 5}));
  EXPECT_EQ(foldedGrid(even, disabledIn(even, strict)).sizes, (Sizes{4, 7}));
}

TEST(FoldedGrid, NeighboursAreAsNearAsTheyCan) {
  const Grid grid{{4, 4}};
  const FoldedGrid lower =
      foldedGrid(grid, disabledIn(grid, [](auto x, auto y) { return x >= y; }));
  // Rows 2 and 3 run towards the edge that all rows share, and go on in rows 1 and 0.
  EXPECT_EQ(lower.sizes, (Sizes{2, 5}));
  EXPECT_EQ(lower.cores, (Sizes{10, 9, 8, 4, 5, 15, 14, 13, 12, 0}));
  const FoldedGrid upper =
      foldedGrid(grid, disabledIn(grid, [](auto x, auto y) { return x <= y; }));
  EXPECT_EQ(upper.cores, (Sizes{0, 1, 2, 3, 15, 5, 6, 7, 11, 10}));
}

TEST(FoldedGrid, FoldsAlongTheDimensionThatUsesMoreCores) {
  // Lines along x of 1, 1 and 6; along y of 3 and 1.
  const Grid grid{{6, 3}};
  const FoldedGrid fold =
      foldedGrid(grid, disabledIn(grid, [](auto x, auto y) { return y == 2 || x == 0; }));
  EXPECT_EQ(fold.sizes, (Sizes{7, 1}));
  EXPECT_EQ(fold.cores, (Sizes{17, 14, 11, 8, 5, 2, 1})) << "the end nearest to the short line";
}

TEST(FoldedGrid, UsesAnEnabledCoreOnceOnly) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const Grid grid{
        {static_cast<std::int64_t>(1 + random() % 6), static_cast<std::int64_t>(1 + random() % 7)}};
    const std::vector<bool> disabled =
        disabledIn(grid, [&](auto, auto) { return random() % 3 != 0; });
    const FoldedGrid fold = foldedGrid(grid, disabled);
    std::set<std::int64_t> used;
    for (const std::int64_t core : fold.cores) {
      EXPECT_TRUE(used.insert(core).second);
      EXPECT_FALSE(disabled[static_cast<std::size_t>(core)]);
    }
    if (fold.cores.empty()) continue;
    EXPECT_EQ(fold.sizes[0] * fold.sizes[1], static_cast<std::int64_t>(fold.cores.size()));
  }
}

TEST(FoldedGrid, IsForTwoDimensionsWithACore) {
  EXPECT_TRUE(foldedGrid({{2, 2}}, std::vector<bool>(4, true)).cores.empty());
  EXPECT_TRUE(foldedGrid({{4}}, std::vector<bool>(4)).cores.empty());
}

}  // namespace
}  // namespace gridloom::hardware
