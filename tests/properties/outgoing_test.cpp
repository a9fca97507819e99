// SPDX-License-Identifier: Apache-2.0
// Outputs that pass a memory on their way to global memory: the model and the simulation agree, and
// the search finds what exhaustion finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cost/model.h"
#include "schedule/verify.h"
#include "search/search.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::outgoing_property {
namespace {

using test::makeProblem;
using test::Problem;

mapping::Constraints passing() {
  mapping::Constraints c;
  c.outputs[0].sharedBuffers[0].isUsed = true;
  return c;
}

std::optional<mapping::Mapping> sampled(const Problem& p, std::uint64_t seed) {
  const mapping::Constraints c = passing();
  const auto axes =
      mapping::makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, p.compute.vectorLanes, c);
  return mapping::sampleMapping(p.kernel, p.nest, p.hw, axes, c, seed);
}

simulate::Simulation simulated(const Problem& p, const mapping::Mapping& m) {
  const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, m);
  EXPECT_TRUE(schedule);
  EXPECT_EQ(test::findings(*schedule, p), "");
  base::Progress progress;
  const auto s = simulate::simulate(test::verified(*schedule, p), {}, progress);
  EXPECT_TRUE(s) << base::render(s.diagnostics());
  return s ? *s : simulate::Simulation{};
}

TEST(Outgoing, PredictedIsNearSimulated) {
  const Problem p = makeProblem(test::meshWithSharedBuffer(4, 4, 1 << 20, 1 << 18), "gemm",
                                {{"M", 256}, {"N", 256}, {"K", 128}});
  double logs = 0;
  int count = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const auto m = sampled(p, seed);
    if (!m || m->tileSize[0] < 16 || m->tileSize[1] < 16 || m->tileSize[2] < 16) continue;
    const simulate::Simulation s = simulated(p, *m);
    const cost::Estimate e = cost::estimate(p.kernel, p.nest, p.hw, p.compute, *m);
    EXPECT_NEAR(e.traffic.dramWrite, s.traffic.dramWrite, 1e-6 * s.traffic.dramWrite);
    EXPECT_NEAR(e.traffic.localRead, s.traffic.localRead, 1e-6 * s.traffic.localRead + 1);
    logs += std::abs(std::log(e.cycles / s.cycles));
    ++count;
  }
  EXPECT_GT(count, 10);
  EXPECT_LT(std::exp(logs / count) - 1, 0.2) << count << " mappings";
}

// What a schedule reserves there counts, whatever its mapping would.
TEST(Outgoing, SlotsOnTheWayFitTheMemory) {
  const Problem p = makeProblem(test::meshWithSharedBuffer(4, 4, 1 << 20, 1 << 18), "gemm",
                                {{"M", 256}, {"N", 256}, {"K", 128}});
  const auto m = sampled(p, 1);
  ASSERT_TRUE(m);
  auto schedule = schedule::lower(p.kernel, p.nest, p.hw, *m);
  ASSERT_TRUE(schedule);
  const auto onTheWay = std::ranges::find_if(schedule->buffers, [](const schedule::Buffer& b) {
    return schedule::isInSharedBuffer(b.use);
  });
  ASSERT_NE(onTheWay, schedule->buffers.end());
  onTheWay->slots = 1 << 14;
  const std::string found = test::findings(*schedule, p);
  EXPECT_NE(found.find("bytes of an instance of"), std::string::npos) << found;
}

TEST(Outgoing, TheSearchFindsWhatExhaustionFinds) {
  const Problem p = makeProblem(test::meshWithSharedBuffer(2, 2, 2048, 4096), "gemm",
                                {{"M", 16}, {"N", 8}, {"K", 8}});
  for (const mapping::Constraints& c : {mapping::Constraints{}, passing()}) {
    base::Progress progress;
    search::Options options;
    options.top = 50;
    const auto pruned = search::topK(p.kernel, p.nest, p.hw, c, options, progress);
    options.exhaustive = true;
    options.trustBounds = false;
    const auto whole = search::topK(p.kernel, p.nest, p.hw, c, options, progress);
    ASSERT_TRUE(pruned && whole);
    ASSERT_EQ(pruned->top.size(), whole->top.size());
    for (std::size_t n = 0; n < whole->top.size(); ++n) {
      EXPECT_EQ(pruned->top[n].mapping, whole->top[n].mapping);
      EXPECT_EQ(pruned->top[n].estimate.cycles, whole->top[n].estimate.cycles);
    }
  }
}

// The bytes of every tensor stand at its own place, halves of a way together.
TEST(Outgoing, TrafficIsToldPerTensor) {
  const Problem p =
      makeProblem(test::meshWithSharedBuffer(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto m = sampled(p, seed);
    if (!m) continue;
    const cost::Estimate e = cost::estimate(p.kernel, p.nest, p.hw, p.compute, *m);
    ASSERT_EQ(e.operands.size(), 3u);
    EXPECT_EQ(e.operands[2].dramWrite, 64 * 64 * 2);
    EXPECT_EQ(e.operands[2].dramRead, 0);
    EXPECT_EQ(e.operands[0].dramWrite + e.operands[1].dramWrite, 0);
  }
}

}  // namespace
}  // namespace gridloom::outgoing_property
