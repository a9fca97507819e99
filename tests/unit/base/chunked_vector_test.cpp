// SPDX-License-Identifier: Apache-2.0
#include "base/chunked_vector.h"

#include <gtest/gtest.h>

namespace gridloom::base {
namespace {

TEST(ChunkedVector, KeepsItsEntriesWhileItGrows) {
  ChunkedVector<int> numbers;
  constexpr int kCount = 300'000;  // several chunks
  for (int n = 0; n < kCount; ++n) numbers.push_back(n);
  ASSERT_EQ(numbers.size(), static_cast<std::size_t>(kCount));
  numbers[200'000] = -1;
  for (int n = 0; n < kCount; ++n) {
    ASSERT_EQ(std::as_const(numbers)[static_cast<std::size_t>(n)], n == 200'000 ? -1 : n);
  }
}

}  // namespace
}  // namespace gridloom::base
