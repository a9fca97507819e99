// SPDX-License-Identifier: Apache-2.0
#include "base/large_vector.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gridloom::base {
namespace {

TEST(LargeVector, IsZeroInMemoryThatAnotherOneHeld) {
  constexpr std::size_t kCount = std::size_t{3} << 20;
  for (int round = 0; round < 3; ++round) {
    LargeVector<int> numbers(kCount);
    EXPECT_TRUE(std::ranges::all_of(numbers, [](int each) { return each == 0; }));
    std::ranges::fill(numbers, 7);
  }
}

TEST(LargeVector, KeepsItsNumbersWhenItGrows) {
  LargeVector<int> numbers;
  for (int n = 0; n < 2'000'000; ++n) numbers.push_back(n);
  for (int n = 0; n < 2'000'000; n += 1'000) ASSERT_EQ(numbers[static_cast<std::size_t>(n)], n);
}

}  // namespace
}  // namespace gridloom::base
