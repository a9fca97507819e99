// SPDX-License-Identifier: Apache-2.0
// Tensors of fewer pages than there are memory channels: predictions know which channels hold them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cost/model.h"
#include "schedule/schedule.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::tiny_tensors_property {
namespace {

using test::makeProblem;
using test::Problem;

// A line of eight cores with slow links; four channels, each at one of the first cores.
constexpr const char* kLine =
    "%mxu = df.mat { shape = [4, 4, 4], throughput = 64 flop/cycle }\n"
    "%vpu = df.vec { shape = [8], throughput = 8 elem/cycle }\n"
    "%x = df.spatial_dim 8\n"
    "%cores = df.core { scaleout = (%x), scalein = (%mxu, %vpu, [1, 1]), clock = 1 GHz }\n"
    "%l1 = df.memory { scaleout = (%x), size = 65536 B, bandwidth = 64 B/cycle }\n"
    "%up = df.interconnects %l1, %l1 { map = affine_map<(d0) -> (d0 + 1)>, bandwidth = "
    "1 B/cycle, latency = 300 cycle }\n"
    "%down = df.interconnects %l1, %l1 { map = affine_map<(d0) -> (d0 - 1)>, bandwidth = "
    "1 B/cycle, latency = 300 cycle }\n"
    "%c = df.spatial_dim 4\n"
    "%dram = df.memory { scaleout = (%c), size = 4 GiB, bandwidth = 64 B/cycle, latency = 10 "
    "cycle, setup = 20 cycle, kind = global }\n"
    "%ports = df.interconnects %dram, %l1 { map = affine_map<(d0) -> (d0)>, bandwidth = "
    "64 B/cycle }\n";

struct Pair {
  cost::Estimate predicted;
  simulate::Simulation simulated;
};

Pair both(const Problem& p, const mapping::Mapping& m) {
  const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, m);
  EXPECT_TRUE(schedule) << base::render(schedule.diagnostics());
  base::Progress progress;
  auto simulated = simulate::simulate(test::verified(*schedule, p), {}, progress);
  EXPECT_TRUE(simulated) << base::render(simulated.diagnostics());
  return {cost::estimate(p.kernel, p.nest, p.hw, p.compute, m), *std::move(simulated)};
}

std::vector<Problem> tinyProblems() {
  std::vector<Problem> problems;
  problems.push_back(makeProblem(kLine, "layernorm", {{"M", 1}, {"N", 8}}));
  problems.push_back(makeProblem(kLine, "gemm", {{"M", 4}, {"N", 7}, {"K", 9}}));
  problems.push_back(makeProblem(kLine, "gemv", {{"M", 7}, {"K", 292}}));
  problems.push_back(makeProblem(kLine, "prefix_sum", {{"N", 100}}));
  problems.push_back(makeProblem(kLine, "softmax", {{"M", 3}, {"N", 1500}}));
  return problems;
}

// Channel 0 is at core 0: nothing goes over the network.
TEST(TinyTensors, LieInTheFirstChannelsOfACoreByItself) {
  for (const Problem& p : tinyProblems()) {
    mapping::Mapping m;
    for (const kernel::Loop& loop : p.kernel.loops) m.tileSize.push_back(loop.extent);
    m.space = {kernel::LoopId()};
    m.dimOrder = {0};
    m.inputs.resize(p.nest.inputs.size());
    for (std::size_t i = 0; i < m.inputs.size(); ++i) {
      if (p.nest.inputs[i].produced) m.inputs[i].kind = mapping::MovementKind::Stationary;
    }
    m.outputs.resize(p.nest.outputs.size());
    m.allReduces.resize(p.nest.allReduces.size());
    const auto [predicted, simulated] = both(p, m);
    EXPECT_NEAR(predicted.cycles, simulated.cycles, 0.35 * simulated.cycles) << p.kernel.name;
    EXPECT_EQ(predicted.traffic.dramRead, simulated.traffic.dramRead) << p.kernel.name;
    EXPECT_EQ(predicted.traffic.dramWrite, simulated.traffic.dramWrite) << p.kernel.name;
    EXPECT_NEAR(predicted.traffic.network, simulated.traffic.network,
                0.2 * simulated.traffic.network)
        << p.kernel.name;
  }
}

TEST(TinyTensors, HaveBytesThatAreCounts) {
  for (const Problem& p : tinyProblems()) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const mapping::Mapping m = test::randomMapping(p, seed);
      if (m.inputs.empty()) continue;
      const cost::Estimate e = cost::estimate(p.kernel, p.nest, p.hw, p.compute, m);
      double read = 0;
      for (const hardware::Traffic& each : e.operands) read += each.dramRead;
      EXPECT_EQ(read, e.traffic.dramRead);
      for (const double bytes : {e.traffic.dramRead, e.traffic.dramWrite, e.traffic.network,
                                 e.traffic.localRead, e.traffic.localWrite}) {
        EXPECT_EQ(bytes, std::floor(bytes)) << p.kernel.name << ' ' << seed;
      }
    }
  }
}

// Each core's tile begins in a channel of its own.
TEST(TinyTensors, OfNeighboursBeginInSuccessiveChannels) {
  double difference = 0, all = 0;
  for (const Problem& p : tinyProblems()) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const mapping::Mapping m = test::randomMapping(p, seed);
      if (m.inputs.empty()) continue;
      const auto [predicted, simulated] = both(p, m);
      difference += std::abs(predicted.traffic.network - simulated.traffic.network);
      all += simulated.traffic.network;
    }
  }
  EXPECT_LT(difference, 0.1 * all) << difference << " of " << all;
}

}  // namespace
}  // namespace gridloom::tiny_tensors_property
