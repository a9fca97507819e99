// SPDX-License-Identifier: Apache-2.0
//
// Skipping what repeats changes nothing: random mappings, executed whole and with periods left out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schedule/schedule.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::simulate::simulate_skip_property {
namespace {

struct Case {
  const char* kernel;
  test::Settings settings;
};

// Enough iterations to come to a steady state; most sizes leave edge tiles.
const Case kCases[] = {
    {"gemm", {{"M", 96}, {"N", 64}, {"K", 256}}},
    {"gemm", {{"M", 77}, {"N", 101}, {"K", 150}}},
    {"batched_gemm", {{"B", 19}, {"M", 24}, {"N", 20}, {"K", 33}}},
    {"gemm_bias_relu", {{"M", 90}, {"N", 61}, {"K", 70}}},
    {"vector_add", {{"N", 4097}}},
    {"softmax", {{"M", 200}, {"N", 60}}},
    {"flash_attention", {{"H", 3}, {"SQ", 40}, {"SK", 96}, {"D", 16}}},
    {"conv2d", {{"N", 9}, {"C", 8}, {"H", 12}, {"W", 13}, {"F", 10}, {"R", 3}, {"S", 3}}},
    {"mttkrp", {{"I", 30}, {"K", 12}, {"L", 14}, {"J", 20}}},
    {"gemv", {{"M", 190}, {"K", 400}}},
};

void expectSameUse(const std::vector<ResourceUse>& skipped, const std::vector<ResourceUse>& full,
                   const char* kind, const std::string& what) {
  ASSERT_EQ(skipped.size(), full.size());
  for (std::size_t n = 0; n < full.size(); ++n) {
    ASSERT_EQ(skipped[n].busy, full[n].busy) << kind << " " << n << ", " << what;
    ASSERT_EQ(skipped[n].bytes, full[n].bytes) << kind << " " << n << ", " << what;
  }
}

void expectSame(const Simulation& skipped, const Simulation& full, const std::string& what) {
  ASSERT_EQ(skipped.cycles, full.cycles) << what;
  ASSERT_EQ(skipped.events, full.events) << what;
  ASSERT_EQ(skipped.bottleneck, full.bottleneck) << what;
  ASSERT_EQ(skipped.coreStates, full.coreStates) << what;
  ASSERT_EQ(skipped.traffic.dramRead, full.traffic.dramRead) << what;
  ASSERT_EQ(skipped.traffic.dramWrite, full.traffic.dramWrite) << what;
  ASSERT_EQ(skipped.traffic.network, full.traffic.network) << what;
  ASSERT_EQ(skipped.traffic.localWrite, full.traffic.localWrite) << what;
  ASSERT_EQ(skipped.traffic.localRead, full.traffic.localRead) << what;
  expectSameUse(skipped.links, full.links, "link", what);
  expectSameUse(skipped.channelReads, full.channelReads, "reads of channel", what);
  expectSameUse(skipped.channelWrites, full.channelWrites, "writes of channel", what);
}

/// Runs random mappings both ways; returns how many of them had something to skip.
int compareRandom(const std::string& hardware, const Case& c, std::uint64_t firstSeed, int count) {
  const test::Problem p = test::makeProblem(hardware, c.kernel, c.settings);
  int skips = 0;
  for (int n = 0; n < count; ++n) {
    const std::uint64_t seed = firstSeed + static_cast<std::uint64_t>(n);
    const mapping::Mapping m = test::randomMapping(p, seed);
    if (m.inputs.empty()) continue;
    const std::string what =
        fmt::format("seed {}: {}", seed, mapping::describe(p.kernel, p.nest, p.hw, m));
    const auto lowered = schedule::lower(p.kernel, p.nest, p.hw, m);
    if (!lowered) continue;
    Options full;
    full.full = true;
    full.maxEvents = 150'000;
    base::Progress wholly, partly;
    const auto whole = simulate(test::verified(*lowered, p), full, wholly);
    if (!whole) continue;  // too many events for a test
    const auto part = simulate(test::verified(*lowered, p), {}, partly);
    EXPECT_TRUE(part.ok()) << what << render(part.diagnostics());
    if (!part) return skips;
    EXPECT_EQ(partly.done(), partly.total()) << what;
    EXPECT_EQ(whole->skipped, 0);
    expectSame(*part, *whole, what);
    if (testing::Test::HasFailure()) return skips;
    skips += part->skipped > 0 ? 1 : 0;
  }
  return skips;
}

class SkippedAndFull : public testing::TestWithParam<Case> {};

TEST_P(SkippedAndFull, AreTheSame) {
  int skips = 0;
  skips += compareRandom(test::smallMesh(1, 1, 1), GetParam(), 1000, 10);
  skips += compareRandom(test::smallMesh(4, 1, 2), GetParam(), 2000, 15);
  skips += compareRandom(test::smallMesh(2, 2, 3), GetParam(), 3000, 15);
  skips += compareRandom(test::smallMesh(2, 3, 3), GetParam(), 4000, 15);
  skips += compareRandom(test::smallMesh(4, 4, 2), GetParam(), 5000, 15);
  skips += compareRandom(test::meshWithSharedBuffer(3, 2, 1 << 16, 4096), GetParam(), 6000, 15);
  skips += compareRandom(test::withDuplex(test::meshWithSharedBuffer(3, 2)), GetParam(), 6500, 10);
  skips += compareRandom(test::withDma(test::smallMesh(3, 2, 2), 1, 1), GetParam(), 7000, 10);
  skips +=
      compareRandom(test::withDma(test::meshWithSharedBuffer(3, 2), 2, 1), GetParam(), 8000, 10);
  skips += compareRandom(test::withDmaRate(test::smallMesh(3, 2, 3), 2.5), GetParam(), 8300, 10);
  skips +=
      compareRandom(test::withDmaRate(test::meshWithSharedBuffer(3, 2), 4), GetParam(), 8600, 10);
  skips +=
      compareRandom(test::withSharedMemories(test::smallMesh(3, 2), "y"), GetParam(), 9000, 15);
  skips += compareRandom(test::withSharedMemories(test::smallMesh(4, 2, 2, 16384), "x"), GetParam(),
                         10000, 15);
  EXPECT_GT(skips, 0) << "nothing was skipped: the test compares a run with itself";
  RecordProperty("skips", skips);
}

INSTANTIATE_TEST_SUITE_P(Kernels, SkippedAndFull, testing::ValuesIn(kCases),
                         [](const auto& chosen) {
                           return fmt::format("{}_{}", chosen.param.kernel, chosen.index);
                         });

}  // namespace
}  // namespace gridloom::simulate::simulate_skip_property
