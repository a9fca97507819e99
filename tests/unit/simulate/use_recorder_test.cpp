// SPDX-License-Identifier: Apache-2.0
#include "simulate/use_recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "unit/simulate/run.h"

namespace gridloom::simulate {
namespace {

// Records a resource whose busy time up to a cycle is `useAt(cycle)`.
template <class UseAt> UseRecorder::Shares record(double cycles, const UseAt& useAt) {
  UseRecorder recorder(1, 64);
  const network::Ticks end = network::ticksOf(cycles);
  while (recorder.next() <= end) {
    recorder.add({static_cast<float>(useAt(network::inCycles(recorder.next())))});
  }
  return recorder.finish(end, {static_cast<float>(useAt(cycles))});
}

TEST(UseRecorder, BinsMergeAsTheRunGrows) {
  for (const double cycles : {10.0, 1024.0, 100'000.0, 1e7, 3.3e9}) {
    const auto shares = record(cycles, [](double at) { return at / 4; });
    EXPECT_LE(shares.bins, 64U);
    EXPECT_GE(shares.bins, cycles < 1e5 ? 1U : 32U);
    for (const float share : shares.shares) EXPECT_NEAR(share, 0.25, 1e-3) << cycles;
  }
}

TEST(UseRecorder, TellsWhenItWasUsed) {
  const double half = 50'000;
  const auto shares = record(2 * half, [&](double at) { return std::max(0.0, at - half); });
  const double bin = network::inCycles(shares.bin);
  for (std::size_t b = 0; b < shares.bins; ++b) {
    const double begin = static_cast<double>(b) * bin;
    if (begin < half && begin + bin > half) continue;
    EXPECT_NEAR(shares.shares[b], begin < half ? 0 : 1, 1e-3);
  }
}

TEST(UseRecorder, HasAsManyBinsAsAreAskedFor) {
  for (const std::size_t most : {std::size_t{8}, std::size_t{64}, std::size_t{8192}}) {
    UseRecorder recorder(1, most);
    const double cycles = 1e6;
    while (network::inCycles(recorder.next()) <= cycles) recorder.add(UseRecorder::Row{0.0F});
    const auto shares = recorder.finish(network::ticksOf(cycles), UseRecorder::Row{0.0F});
    EXPECT_LE(shares.bins, most);
    EXPECT_GE(shares.bins, most / 4);
  }
}

TEST(UseRecorder, ARepeatedPeriodIsFilledIn) {
  // Busy in the first half of every 20000 cycles, of which all but two periods are skipped.
  const double period = 20'000;
  const auto useAt = [&](double at) {
    const double whole = std::floor(at / period);
    return whole * period / 2 + std::min(at - whole * period, period / 2);
  };
  UseRecorder recorder(1, 64);
  while (recorder.next() <= network::ticksOf(2 * period)) {
    recorder.add({static_cast<float>(useAt(network::inCycles(recorder.next())))});
  }
  recorder.repeat(network::ticksOf(period), network::ticksOf(2 * period), 8,
                  {static_cast<float>(useAt(2 * period))},
                  {static_cast<float>(useAt(10 * period))});
  const auto skipped =
      recorder.finish(network::ticksOf(10 * period), {static_cast<float>(useAt(10 * period))});
  const auto full = record(10 * period, useAt);
  ASSERT_EQ(skipped.bins, full.bins);
  for (std::size_t b = 0; b < full.bins; ++b) {
    EXPECT_NEAR(skipped.shares[b], full.shares[b], 0.02) << b;
  }
  const double sum = std::accumulate(skipped.shares.begin(), skipped.shares.end(), 0.0);
  EXPECT_NEAR(sum, std::accumulate(full.shares.begin(), full.shares.end(), 0.0), 0.1);
}

// The bins of a run add up to what each link carried.
TEST(UseOverTime, AddsUpToTheWholeUse) {
  const test::Problem p =
      makeProblem(test::smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 96}});
  for (const bool full : {true, false}) {
    Options options;
    options.full = full;
    const Simulation s = ran(p, directGemm(), options);
    const UseOverTime& use = s.overTime;
    ASSERT_EQ(use.links.size(), s.links.size() * use.bins);
    for (std::size_t l = 0; l < s.links.size(); ++l) {
      double busy = 0;
      for (std::size_t b = 0; b < use.bins; ++b) {
        const double covered = static_cast<double>(b) * use.binCycles;
        busy += use.links[l * use.bins + b] * std::min(use.binCycles, s.cycles - covered);
      }
      EXPECT_NEAR(busy, s.links[l].busy, 1e-3 * s.cycles) << "link " << l << ", full " << full;
    }
  }
}

}  // namespace
}  // namespace gridloom::simulate
