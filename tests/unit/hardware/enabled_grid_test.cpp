// SPDX-License-Identifier: Apache-2.0
#include "hardware/enabled_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace gridloom::hardware {
namespace {

std::int64_t coresOf(const KeptLines& kept) {
  std::int64_t cores = 1;
  for (const auto& lines : kept) cores *= static_cast<std::int64_t>(lines.size());
  return cores;
}

// Tries every subset of rows with the columns that are fully enabled on it.
std::int64_t bruteForce(const Grid& grid, const std::vector<bool>& disabled) {
  std::int64_t most = 0;
  for (std::uint32_t rows = 1; rows < (1u << grid.sizes[0]); ++rows) {
    std::int64_t height = 0, width = 0;
    for (std::int64_t r = 0; r < grid.sizes[0]; ++r) height += rows >> r & 1;
    for (std::int64_t c = 0; c < grid.sizes[1]; ++c) {
      bool whole = true;
      for (std::int64_t r = 0; r < grid.sizes[0]; ++r) {
        if (rows >> r & 1)
          whole = whole && !disabled[static_cast<std::size_t>(r * grid.sizes[1] + c)];
      }
      width += whole ? 1 : 0;
    }
    most = std::max(most, height * width);
  }
  return most;
}

TEST(EnabledGrid, IsTheLargestOfWholeLines) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const Grid grid{
        {static_cast<std::int64_t>(1 + random() % 6), static_cast<std::int64_t>(1 + random() % 7)}};
    std::vector<bool> disabled(static_cast<std::size_t>(grid.count()));
    for (std::size_t i = 0; i < disabled.size(); ++i) disabled[i] = random() % 6 == 0;
    const KeptLines kept = largestEnabledGrid(grid, disabled);
    if (std::all_of(disabled.begin(), disabled.end(), [](bool off) { return off; })) {
      EXPECT_TRUE(kept.empty());
      continue;
    }
    EXPECT_EQ(coresOf(kept), bruteForce(grid, disabled)) << "trial " << trial;
    for (const std::int64_t r : kept[0]) {
      for (const std::int64_t c : kept[1]) {
        EXPECT_FALSE(disabled[static_cast<std::size_t>(r * grid.sizes[1] + c)]);
      }
    }
  }
}

TEST(EnabledGrid, ManyDisabledCoresStillLeaveAGridInTime) {
  std::mt19937_64 random(6);
  const Grid grid{{60, 60}};
  std::vector<bool> disabled(3600);
  for (std::size_t i = 0; i < disabled.size(); ++i) disabled[i] = random() % 3 == 0;
  EXPECT_GE(coresOf(largestEnabledGrid(grid, disabled)), 1);
}

}  // namespace
}  // namespace gridloom::hardware
