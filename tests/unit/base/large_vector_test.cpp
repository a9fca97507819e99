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

// The system would have to clear the pages of another one. Sanitizers look for reads of freed
// memory, so nothing is kept for them.
TEST(LargeVector, TakesTheBlockThatAnotherOneOfItsSizeHeld) {
#if !defined(__SANITIZE_ADDRESS__)
  constexpr std::size_t kBytes = std::size_t{6} << 20;
  void* const first = allocateLarge(kBytes);
  freeLarge(first, kBytes);
  for (std::size_t other = 0; other < 10; ++other) {
    const std::size_t bytes = (8 + 2 * other) << 20U;
    freeLarge(allocateLarge(bytes), bytes);
  }
  void* const again = allocateLarge(kBytes);
  EXPECT_EQ(again, first);
  freeLarge(again, kBytes);
  // Many blocks of other sizes take its place.
  for (std::size_t other = 0; other < 10; ++other) {
    const std::size_t bytes = (40 + 2 * other) << 20U;
    freeLarge(allocateLarge(bytes), bytes);
  }
  const std::size_t all = std::size_t{190} << 20;
  void* const large = allocateLarge(all);
  freeLarge(large, all);
  // Were it not kept, this one would lie there.
  void* const beside = allocateLarge(all - kBytes);
  EXPECT_EQ(allocateLarge(all), large);
  freeLarge(large, all);
  freeLarge(beside, all - kBytes);
#endif
}

TEST(LargeVector, KeepsItsNumbersWhenItGrows) {
  LargeVector<int> numbers;
  for (int n = 0; n < 2'000'000; ++n) numbers.push_back(n);
  for (int n = 0; n < 2'000'000; n += 1'000) ASSERT_EQ(numbers[static_cast<std::size_t>(n)], n);
}

}  // namespace
}  // namespace gridloom::base
