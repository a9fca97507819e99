// SPDX-License-Identifier: Apache-2.0
//
// Random legal mappings: verified, simulated with values, and held against the interpreter and
// against the bounds that no execution can beat.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "kernel/interpreter.h"
#include "schedule/verify.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::simulate::simulate_random_property {
namespace {

using test::Problem;

// The test mesh with wrap-around links in one direction only, for both dimensions.
std::string unidirectionalTorus(int columns, int rows) {
  std::string text = test::smallMesh(columns, rows);
  const auto drop = [&](const char* name) {
    text = std::regex_replace(text, std::regex(fmt::format("%{} =[^\n]*\n", name)), "");
  };
  drop("west");
  drop("north");
  const auto wrap = [&](const char* from, const std::string& to) {
    text = std::regex_replace(text, std::regex(from), to);
  };
  wrap("\\(d0 \\+ 1, d1\\)", fmt::format("((d0 + 1) mod {}, d1)", columns));
  wrap("\\(d0, d1 \\+ 1\\)", fmt::format("(d0, (d1 + 1) mod {})", rows));
  return text;
}

// Pairs of cores stand at one router, that of their memory, on a ring that goes up.
const char* const kSmallRing =
    "%fpu = df.mat { shape = [4, 4, 4], throughput = 128 flop/cycle }\n"
    "%sfpu = df.vec { shape = [4], throughput = 4 elem/cycle }\n"
    "%x = df.spatial_dim 4\n"
    "%y = df.spatial_dim 2\n"
    "%cores = df.core { scaleout = (%x, %y), scalein = (%fpu, %sfpu, [1, 1]) }\n"
    "%l1 = df.memory { scaleout = (%x), size = 8 KiB, bandwidth = 64 B/cycle }\n"
    "%to_l1 = df.mux %cores, %l1 { map = affine_map<(d0, d1) -> (d0)> }\n"
    "%ring = df.interconnects %l1, %l1 { map = affine_map<(d0) -> ((d0 + 1) mod 4)>, bandwidth = "
    "16 "
    "B/cycle }\n"
    "%c = df.spatial_dim 2\n"
    "%dram = df.memory { scaleout = (%c), size = 1 GiB, bandwidth = 12 B/cycle, kind = global }\n"
    "%to_dram = df.interconnects %dram, %l1 { map = affine_map<(d0) -> (2 * d0)>, bandwidth = 16 "
    "B/cycle }\n";

struct Case {
  const char* kernel;
  test::Settings settings;
};

// Sizes that no block divides, so that there are edge tiles.
const Case kCases[] = {
    {"gemm", {{"M", 13}, {"N", 11}, {"K", 10}}},
    {"batched_gemm", {{"B", 3}, {"M", 7}, {"N", 6}, {"K", 9}}},
    {"gemm_bias_relu", {{"M", 13}, {"N", 10}, {"K", 11}}},
    {"vector_add", {{"N", 67}}},
    {"softmax", {{"M", 11}, {"N", 9}}},
    {"layernorm", {{"M", 9}, {"N", 7}}},
    {"flash_attention", {{"H", 2}, {"SQ", 7}, {"SK", 9}, {"D", 5}}},
    {"mttkrp", {{"I", 5}, {"K", 4}, {"L", 6}, {"J", 7}}},
    {"conv2d", {{"N", 2}, {"C", 3}, {"H", 6}, {"W", 7}, {"F", 5}, {"R", 2}, {"S", 3}}},
    {"gemv", {{"M", 19}, {"K", 13}}},
    {"prefix_sum", {{"N", 23}}},
    {"trsm", {{"N", 13}, {"R", 7}}},
    {"cholesky", {{"N", 13}}},
    {"jacobi2d", {{"T", 4}, {"N", 11}}},
    {"causal_attention", {{"H", 2}, {"S", 11}, {"D", 5}}},
};

void expectSame(const kernel::TensorValues& simulated, const kernel::TensorValues& expected,
                const std::string& what) {
  ASSERT_FALSE(simulated.empty()) << what;
  for (const auto& [name, tensor] : simulated) {
    const std::vector<double>& want = expected.at(name).data;
    ASSERT_EQ(tensor.data.size(), want.size()) << what;
    for (std::size_t e = 0; e < want.size(); ++e) {
      ASSERT_LE(std::abs(tensor.data[e] - want[e]), 1e-9 * std::max(1.0, std::abs(want[e])))
          << what << ": " << name << " element " << e;
    }
  }
}

// Each resource alone bounds the time from below.
void expectBounds(const Simulation& s, const Problem& p, const std::string& what) {
  for (const ResourceUse& link : s.links) EXPECT_LE(link.busy, s.cycles * (1 + 1e-9)) << what;
  for (std::size_t c = 0; c < s.channelReads.size(); ++c) {
    EXPECT_LE(channelBusy(p.hw, s, c), s.cycles * (1 + 1e-9)) << what;
  }
  for (const auto& states : s.coreStates) {
    double sum = 0;
    for (const double time : states) {
      EXPECT_GE(time, -1e-9) << what;
      sum += time;
    }
    EXPECT_NEAR(sum, s.cycles, 1e-6 * s.cycles) << what;
  }
  double outputs = 0;
  for (const kernel::Operand& o : p.nest.outputs) {
    std::vector<std::int64_t> whole;
    for (const kernel::Loop& loop : p.kernel.loops) whole.push_back(loop.extent);
    outputs += static_cast<double>(kernel::regionElements(o, whole)) * kernel::bitsOf(o.dtype) / 8;
  }
  EXPECT_GE(s.traffic.dramWrite, outputs) << what << ": every output element is written";
}

/// Inputs of which cores read one copy, over all mappings run.
int sharedCopies = 0;

// Where cores share memories, every other mapping has an input of which they read one copy, if
// there can be.
mapping::Mapping chooseMapping(const Problem& p, std::uint64_t seed) {
  const mapping::DimMask mates = p.hw.local().sharedDims;
  if (mates == 0 || seed % 2 == 0) return test::randomMapping(p, seed);
  mapping::Constraints wanted;
  wanted.inputs[static_cast<int>(seed / 2 % p.nest.inputs.size())].shared = mates;
  const mapping::Axes axes = mapping::makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape,
                                               p.compute.vectorLanes, wanted);
  return mapping::sampleMapping(p.kernel, p.nest, p.hw, axes, wanted, seed, 50)
      .value_or(mapping::Mapping{});
}

void runRandom(const std::string& hardware, const Case& c, std::uint64_t firstSeed, int count) {
  const Problem p = test::makeProblem(hardware, c.kernel, c.settings);
  const kernel::TensorValues inputs = kernel::sampleInputs(p.kernel, 7);
  const auto expected = kernel::interpret(p.kernel, inputs);
  ASSERT_TRUE(expected.ok()) << render(expected.diagnostics());
  Options options;
  options.values = true;
  options.inputs = &inputs;
  for (std::uint64_t seed = firstSeed; seed < firstSeed + static_cast<std::uint64_t>(count);
       ++seed) {
    const mapping::Mapping m = chooseMapping(p, seed);
    if (m.inputs.empty()) continue;
    const std::string what =
        fmt::format("seed {}: {}", seed, mapping::describe(p.kernel, p.nest, p.hw, m));
    const auto lowered = schedule::lower(p.kernel, p.nest, p.hw, m);
    ASSERT_TRUE(lowered.ok()) << what << "\n" << render(lowered.diagnostics());
    EXPECT_EQ(lowered->localBytes,
              mapping::localMemoryBytes(p.nest, m, mapping::tilingOf(m, p.kernel, p.hw), p.hw))
        << what;
    const auto verified = schedule::verify(*lowered, p.kernel, p.nest, p.hw);
    ASSERT_TRUE(verified) << what << "\n" << render(verified.diagnostics());
    base::Progress progress;
    const auto s = simulate(*verified, options, progress);
    ASSERT_TRUE(s.ok()) << what << "\n" << render(s.diagnostics());
    EXPECT_EQ(progress.done(), progress.total()) << what;
    expectSame(s->outputs, *expected, what);
    expectBounds(*s, p, what);
    for (const mapping::InputMovement& move : m.inputs) sharedCopies += move.shared != 0 ? 1 : 0;
  }
}

class RandomMappings : public testing::TestWithParam<Case> {};

TEST_P(RandomMappings, FewDmaChannels) {
  runRandom(test::withDma(test::smallMesh(3, 2, 2), 1, 1), GetParam(), 700, 8);
  runRandom(test::withDma(test::meshWithSharedBuffer(3, 2), 2, 1), GetParam(), 800, 8);
}
TEST_P(RandomMappings, SlowDmaChannels) {
  runRandom(test::withDmaRate(test::smallMesh(3, 2, 2), 2.5), GetParam(), 720, 8);
  runRandom(test::withDmaRate(test::meshWithSharedBuffer(3, 2), 4), GetParam(), 820, 8);
}
TEST_P(RandomMappings, OneCore) { runRandom(test::smallMesh(1, 1, 1), GetParam(), 100, 10); }
TEST_P(RandomMappings, Row) { runRandom(test::smallMesh(4, 1), GetParam(), 200, 15); }
TEST_P(RandomMappings, Square) { runRandom(test::smallMesh(2, 2), GetParam(), 300, 20); }
TEST_P(RandomMappings, DuplexMemory) {
  runRandom(test::withDuplex(test::smallMesh(2, 2)), GetParam(), 350, 10);
}
TEST_P(RandomMappings, Rectangle) { runRandom(test::smallMesh(2, 3, 3), GetParam(), 400, 25); }
TEST_P(RandomMappings, UnidirectionalTorus) {
  runRandom(unidirectionalTorus(3, 4), GetParam(), 500, 20);
}
TEST_P(RandomMappings, PairsShareAMemory) {
  sharedCopies = 0;
  runRandom(test::withSharedMemories(test::smallMesh(3, 2), "y"), GetParam(), 900, 30);
  runRandom(kSmallRing, GetParam(), 950, 20);
  runRandom(test::withSharedMemories(test::meshWithSharedBuffer(2, 2), "x"), GetParam(), 980, 10);
  const bool shares = std::string_view(GetParam().kernel) == "gemm";
  EXPECT_GE(sharedCopies, shares ? 10 : 0);
}
TEST_P(RandomMappings, GroupsOfFourShareAMemory) {
  runRandom(test::withSharedMemories(test::smallMesh(2, 4, 2, 8192), "y"), GetParam(), 1000, 20);
  runRandom(test::withSharedMemories(test::smallMesh(4, 2, 2, 8192), "x"), GetParam(), 1050, 20);
  runRandom(test::withSharedMemories(test::smallMesh(2, 2), "xy"), GetParam(), 1100, 20);
}
TEST_P(RandomMappings, SharedMemoriesOfCoresThatAreLeft) {
  std::string mesh = test::withSharedMemories(test::smallMesh(4, 3), "y");
  mesh.replace(mesh.find("launch = 50 cycle"), 0, "disabled = [(1, *), (*, 2)], ");
  runRandom(mesh, GetParam(), 1150, 10);
  runRandom(test::withDma(test::withSharedMemories(test::smallMesh(2, 3), "y"), 3, 3), GetParam(),
            1200, 10);
}
TEST_P(RandomMappings, MemoryPerColumnOnTheWay) {
  runRandom(test::meshWithSharedBuffer(3, 2, 1 << 16, 2048), GetParam(), 600, 25);
}
TEST_P(RandomMappings, TwoSharedBuffers) {
  const std::string mesh = test::meshWithTwoSharedBuffers(3, 2, 1 << 13, 1 << 16, 4096);
  runRandom(mesh, GetParam(), 1300, 25);
  runRandom(test::withDma(mesh, 1, 1), GetParam(), 1400, 10);
  runRandom(test::withDmaRate(mesh, 4), GetParam(), 1500, 10);
}
TEST_P(RandomMappings, MemoryPerRowOnTheWay) {
  runRandom(test::meshWithSharedBuffer(2, 3, 1 << 16, 2048, true), GetParam(), 700, 25);
}

INSTANTIATE_TEST_SUITE_P(Kernels, RandomMappings, testing::ValuesIn(kCases),
                         [](const auto& chosen) { return std::string(chosen.param.kernel); });

}  // namespace
}  // namespace gridloom::simulate::simulate_random_property
