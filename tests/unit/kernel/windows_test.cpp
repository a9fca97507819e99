// SPDX-License-Identifier: Apache-2.0
//
// In which windows the elements of a tensor are loaded that statements read at numbers.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernel/tile_nest.h"
#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

/// The first and the last number of a window, in each dimension that is read at numbers.
using NumberRanges = std::vector<std::pair<std::int64_t, std::int64_t>>;
using WindowRanges = std::multiset<NumberRanges>;

WindowRanges windowsAtNumbers(const std::string& text, const std::string& tensor) {
  const Kernel kernel = kernelOf(text);
  const auto nest = tileNest(kernel);
  WindowRanges windows;
  if (!nest) {
    ADD_FAILURE() << base::render(nest.diagnostics());
    return windows;
  }
  std::set<std::string> names;
  for (const Operand& input : nest->inputs) {
    EXPECT_TRUE(names.insert(input.name).second) << input.name;
    if (kernel.tensor(input.tensor).name != tensor) continue;
    NumberRanges ranges;
    for (const RegionDim& dim : input.dims) {
      if (dim.index.isConstant()) ranges.emplace_back(dim.minOffset, dim.maxOffset);
    }
    if (!ranges.empty()) windows.insert(ranges);
  }
  return windows;
}

// With factors that keep the terms from being one sum over a loop.
std::string sumOf(const std::vector<std::string>& reads) {
  std::string sum;
  for (std::size_t r = 0; r < reads.size(); ++r)
    sum += fmt::format("{}{} * {}", r == 0 ? "" : " + ", 2 + r * r, reads[r]);
  return sum;
}

std::string plainSum(const std::vector<std::string>& reads) {
  return fmt::format("kernel k(N = 64) {{\n  tensor W[N, N, N]: f32\n  tensor Y[N]: f32\n"
                     "  Y[j] = {}\n}}\n",
                     sumOf(reads));
}

// Each element needs those before it.
std::string sumOfDependent(const std::vector<std::string>& reads) {
  return fmt::format("kernel k(N = 64) {{\n  tensor W[N, N, N]: f32\n  tensor Y[N, N]: f32\n"
                     "  Y[i, j] = 0 where i == 0\n  Y[i, j] = 0 where i >= 1, j == 0\n"
                     "  Y[i, j] = max(Y[i - 1, j], Y[i, j - 1]) + {} where i >= 1, j >= 1\n}}\n",
                     sumOf(reads));
}

TEST(Windows, OfANumberThatJoinsOthersAreLoadedOnce) {
  std::vector<int> at{0, 2, 4, 6, 7};
  do {
    std::vector<std::string> reads;
    for (const int number : at) reads.push_back(fmt::format("W[{}, 5, j]", number));
    const WindowRanges wanted{{{0, 7}, {5, 5}}};
    ASSERT_EQ(windowsAtNumbers(plainSum(reads), "W"), wanted) << fmt::format("{}", at);
    ASSERT_EQ(windowsAtNumbers(sumOfDependent(reads), "W"), wanted) << fmt::format("{}", at);
  } while (std::ranges::next_permutation(at).found);
}

TEST(Windows, AreTheSameInAnyOrderOfReads) {
  std::mt19937 random(5);
  const auto upTo = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  int several = 0;
  for (int round = 0; round < 24; ++round) {
    const int most = 4 + upTo(40), second = round % 2 == 0 ? 0 : 8;
    std::vector<std::string> reads;
    for (int n = 3 + upTo(5); n > 0; --n)
      reads.push_back(fmt::format("W[{}, {}, j]", upTo(most), upTo(second)));
    const WindowRanges plain = windowsAtNumbers(plainSum(reads), "W");
    EXPECT_EQ(windowsAtNumbers(sumOfDependent(reads), "W"), plain);
    several += plain.size() > 1 ? 1 : 0;
    for (int again = 0; again < 4; ++again) {
      std::ranges::shuffle(reads, random);
      ASSERT_EQ(windowsAtNumbers(plainSum(reads), "W"), plain) << fmt::format("{}", reads);
      ASSERT_EQ(windowsAtNumbers(sumOfDependent(reads), "W"), plain) << fmt::format("{}", reads);
    }
  }
  EXPECT_GT(several, 8);
}

// Each of these lies as far from the smaller ones as they reach.
TEST(Windows, DoNotGrowByWhatTheyTakeIn) {
  std::vector<int> at{60, 45, 21, 9, 3, 0};
  WindowRanges wanted{{{0, 3}, {5, 5}}};
  for (const int number : {9, 21, 45, 60}) wanted.insert({{number, number}, {5, 5}});
  do {
    std::vector<std::string> reads;
    for (const int number : at) reads.push_back(fmt::format("W[{}, 5, j]", number));
    ASSERT_EQ(windowsAtNumbers(plainSum(reads), "W"), wanted) << fmt::format("{}", at);
    ASSERT_EQ(windowsAtNumbers(sumOfDependent(reads), "W"), wanted) << fmt::format("{}", at);
  } while (std::ranges::prev_permutation(at).found && at.front() > 20);
}

TEST(Windows, AreFewWhateverIsRead) {
  std::vector<std::string> reads;
  for (int n = 0; n < 15; ++n) reads.push_back(fmt::format("W[{}, 5, j]", 4 * n));
  // Three joins leave twelve; of neighbours that lie equally far apart, the first are joined.
  WindowRanges wanted{{{0, 12}, {5, 5}}};
  for (int n = 4; n < 15; ++n) wanted.insert({{4 * n, 4 * n}, {5, 5}});
  EXPECT_EQ(windowsAtNumbers(plainSum(reads), "W"), wanted);
  EXPECT_EQ(windowsAtNumbers(sumOfDependent(reads), "W"), wanted);
}

// Both reads are at 0, though one names i and the other j.
TEST(Windows, OfLoopsThatHaveOneValueAreOne) {
  const Kernel kernel = kernelOf(
      "kernel k(N = 64) {\n  tensor A[N, N]: f32\n  tensor W[N]: f32\n  tensor L[N, N]: f32\n"
      "  L[i, j] = A[i, j] + W[i] + 3 * W[j] where i == 0, j == 0\n"
      "  L[i, j] = A[i, j] - sum(k) L[i, k] * L[j, k] where k < j, j <= i, i >= 1\n"
      "  L[i, j] = 0 where j > i\n}\n");
  const auto nest = tileNest(kernel);
  ASSERT_TRUE(nest) << base::render(nest.diagnostics());
  EXPECT_FALSE(nest->ends.empty());
  EXPECT_EQ(std::ranges::count_if(
                nest->inputs,
                [&](const Operand& input) { return kernel.tensor(input.tensor).name == "W"; }),
            1);
}

// A ring in time reads the ends of the step before it, and not all between them.
TEST(Windows, OfOutputsDoNotHoldWhatLiesBetweenTheirEnds) {
  const std::string ring =
      "kernel ring(T = 8, N = 64) {\n  tensor A[N]: f32   tensor U[T, N]: f32\n"
      "  U[t, i] = A[i] where t == 0\n"
      "  U[t, i] = U[t - 1, i - 1] + U[t - 1, i + 1]"
      " where t >= 1, i >= 1, i < N - 1\n"
      "  U[t, i] = U[t - 1, N - 1] + U[t - 1, 1] where t >= 1, i == 0\n"
      "  U[t, i] = U[t - 1, N - 2] + U[t - 1, 0] where t >= 1, i == N - 1\n}\n";
  EXPECT_EQ(windowsAtNumbers(ring, "U"), (WindowRanges{{{0, 1}}, {{62, 63}}}));
}

}  // namespace
}  // namespace gridloom::kernel
