// SPDX-License-Identifier: Apache-2.0
// Properties of the whole line, from texts to simulated mappings.
#include <gtest/gtest.h>

#include <algorithm>

#include "cost/model.h"
#include "schedule/schedule.h"
#include "search/search.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::line_property {
namespace {

using test::makeProblem;
using test::Problem;
using test::smallMesh;

simulate::Simulation simulated(const Problem& p, const mapping::Mapping& m) {
  const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, m);
  EXPECT_TRUE(schedule) << base::render(schedule.diagnostics());
  base::Progress progress;
  auto result = simulate::simulate(test::verified(*schedule, p), {}, progress);
  EXPECT_TRUE(result) << base::render(result.diagnostics());
  return result ? *result : simulate::Simulation{};
}

std::vector<search::Candidate> best(const Problem& p, int top) {
  base::Progress progress;
  search::Options options;
  options.top = top;
  auto outcome = topK(p.kernel, p.nest, p.hw, {}, options, progress);
  EXPECT_TRUE(outcome) << base::render(outcome.diagnostics());
  return outcome ? outcome->top : std::vector<search::Candidate>{};
}

// The fastest simulated time among the mappings the model ranks first.
double simulatedBest(const Problem& p, int top) {
  double cycles = 1e300;
  for (const auto& c : best(p, top)) cycles = std::min(cycles, simulated(p, c.mapping).cycles);
  return cycles;
}

TEST(Line, SimulatedTimeIsNeverBelowTheRoofline) {
  int checked = 0;
  for (const char* kernel : {"gemm", "gemm_bias_relu"}) {
    const Problem p = makeProblem(smallMesh(3, 2), kernel, {{"M", 40}, {"N", 28}, {"K", 36}});
    const double bound = cost::roofline(p.kernel, p.nest, p.hw, p.compute).cycles;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      const mapping::Mapping m = test::randomMapping(p, seed);
      if (m.inputs.empty()) continue;
      EXPECT_GE(simulated(p, m).cycles, bound) << describe(p.kernel, p.nest, p.hw, m);
      ++checked;
    }
  }
  EXPECT_GT(checked, 250);
}

TEST(Line, SimulatedTrafficIsNeverBelowTheKernelsMinimum) {
  for (const std::string& mesh :
       {smallMesh(2, 2), test::meshWithSharedBuffer(2, 2), test::meshWithTwoSharedBuffers(2, 2)}) {
    const Problem p = makeProblem(mesh, "gemm", {{"M", 36}, {"N", 20}, {"K", 28}});
    const auto least = static_cast<double>(kernel::compulsoryBytes(p.kernel).value);
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      const mapping::Mapping m = test::randomMapping(p, seed);
      if (m.inputs.empty()) continue;
      const simulate::Simulation s = simulated(p, m);
      EXPECT_GE(s.traffic.dramRead + s.traffic.dramWrite, least);
      const cost::Estimate e = cost::estimate(p.kernel, p.nest, p.hw, p.compute, m);
      EXPECT_NEAR(s.traffic.dramRead, e.traffic.dramRead, 1e-6 * s.traffic.dramRead)
          << "both count the same loads: " << describe(p.kernel, p.nest, p.hw, m);
      EXPECT_NEAR(s.traffic.dramWrite, e.traffic.dramWrite, 1e-6 * s.traffic.dramWrite);
    }
  }
}

// Where the result lives does not move the inputs that stay on the way.
TEST(Line, StaysAreReadFromTheSameChannelsWhereverTheResultLives) {
  const Problem p =
      makeProblem(test::meshWithSharedBuffer(2, 2), "gemm", {{"M", 36}, {"N", 20}, {"K", 28}});
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 400 && checked < 40; ++seed) {
    mapping::Mapping m = test::randomMapping(p, seed);
    if (m.inputs.empty() || !(m.inputs[0].usesSharedBuffer() || m.inputs[1].usesSharedBuffer()))
      continue;
    std::vector<double> reads;
    for (const mapping::TensorLayout place :
         {mapping::TensorLayout::PageInterleaved, mapping::TensorLayout::TileInterleaved,
          mapping::TensorLayout::NearestChannel}) {
      m.outputs[0].layout = place;
      const simulate::Simulation s = simulated(p, m);
      std::vector<double> now;
      for (const network::ResourceUse& use : s.channelReads) now.push_back(use.bytes);
      if (reads.empty()) reads = now;
      ASSERT_EQ(now, reads) << describe(p.kernel, p.nest, p.hw, m);
    }
    ++checked;
  }
  EXPECT_GT(checked, 10);
}

std::string withText(std::string text, const std::string& figure, const std::string& faster) {
  for (std::size_t at = text.find(figure); at != std::string::npos; at = text.find(figure, at)) {
    text.replace(at, figure.size(), faster);
    at += faster.size();
  }
  return text;
}

// Scheduling has anomalies of a few cycles (a faster load may reach a shared link at a worse
// moment), so the best of several is compared with a margin of one percent.
TEST(Line, MoreBandwidthNeverMakesTheSimulatedBestSlower) {
  // Tensors by page only: placements of nearly the same time would fill the ranking's first places.
  const std::string slow =
      withText(smallMesh(3, 2), "kind = global", "layout = page, kind = global");
  for (const auto& [figure, faster] : std::vector<std::pair<std::string, std::string>>{
           {"bandwidth = 12 B/cycle", "bandwidth = 24 B/cycle"},
           {"bandwidth = 16 B/cycle", "bandwidth = 32 B/cycle"},
           {"bandwidth = 64 B/cycle", "bandwidth = 128 B/cycle"}}) {
    const std::string fast = withText(slow, figure, faster);
    ASSERT_NE(fast, slow);
    for (const auto& [m, n, k] :
         std::vector<std::array<std::int64_t, 3>>{{64, 64, 64}, {96, 32, 48}, {24, 24, 192}}) {
      const test::Settings settings{{"M", m}, {"N", n}, {"K", k}};
      const double before = simulatedBest(makeProblem(slow, "gemm", settings), 10);
      const double after = simulatedBest(makeProblem(fast, "gemm", settings), 10);
      EXPECT_LE(after, before * 1.01)
          << figure << " -> " << faster << " " << m << "x" << n << "x" << k;
    }
  }
}

TEST(Line, PredictedIsNearSimulatedForTheBestOfEveryTarget) {
  for (const char* hardware : {"wormhole_8x8", "wormhole_4x8", "wormhole_1x8"}) {
    const Problem p = makeProblem(hardware, "gemm", {{"M", 2048}, {"N", 2048}, {"K", 1024}});
    for (const auto& c : best(p, 5)) {
      const double cycles = simulated(p, c.mapping).cycles;
      EXPECT_NEAR(c.estimate.cycles, cycles, 0.15 * cycles)
          << hardware << " " << describe(p.kernel, p.nest, p.hw, c.mapping);
    }
  }
}

// On a square mesh and a large square product, each input is brought once per line of cores that
// share it.
TEST(Line, SquareProductsMulticastEachInputAlongTheOtherDimension) {
  const Problem p = makeProblem("wormhole_8x8", "gemm");
  const mapping::Mapping m = best(p, 1).front().mapping;
  for (std::size_t i = 0; i < p.nest.inputs.size(); ++i) {
    EXPECT_EQ(m.inputs[i].kind, mapping::MovementKind::Multicast);
    EXPECT_EQ(m.inputs[i].along, sharedDims(p.nest.inputs[i], m));
  }
  EXPECT_NE(m.inputs[0].along, m.inputs[1].along);
}

}  // namespace
}  // namespace gridloom::line_property
