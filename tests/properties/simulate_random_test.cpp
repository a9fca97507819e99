// SPDX-License-Identifier: Apache-2.0
//
// Random legal mappings: verified, simulated with values, and held against the interpreter and against the
// bounds that no execution can beat.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "kernel/interpreter.h"
#include "schedule/schedule.h"
#include "simulate/simulation.h"
#include "support/problem.h"

namespace gridloom::simulate {
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

struct Case {
  const char* kernel;
  test::Settings settings;
};

// Sizes that no block divides, so that edges are ragged.
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
    EXPECT_LE(s.channelReads[c].busy + s.channelWrites[c].busy, s.cycles * (1 + 1e-9)) << what;
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
  EXPECT_GE(s.dramWrite, outputs) << what << ": every output element is written";
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
    const mapping::Mapping m = test::randomMapping(p, seed);
    if (m.inputs.empty()) continue;
    const std::string what =
        fmt::format("seed {}: {}", seed, mapping::describe(p.kernel, p.nest, p.hw, m));
    const auto lowered = schedule::lower(p.kernel, p.nest, p.hw, m);
    ASSERT_TRUE(lowered.ok()) << what << "\n" << render(lowered.diagnostics());
    EXPECT_EQ(lowered->localBytes,
              mapping::localMemoryBytes(p.nest, m, mapping::tilingOf(m, p.kernel, p.hw)))
        << what;
    const auto findings = schedule::verify(*lowered, p.nest, p.hw);
    ASSERT_FALSE(base::hasError(findings)) << what << "\n" << render(findings);
    base::Progress progress;
    const auto s = simulate(*lowered, p.kernel, p.nest, p.hw, options, progress);
    ASSERT_TRUE(s.ok()) << what << "\n" << render(s.diagnostics());
    EXPECT_EQ(progress.done(), progress.total()) << what;
    expectSame(s->outputs, *expected, what);
    expectBounds(*s, p, what);
  }
}

class RandomMappings : public testing::TestWithParam<Case> {};

TEST_P(RandomMappings, FewDmaChannels) {
  runRandom(test::withDma(test::smallMesh(3, 2, 2), 1, 1), GetParam(), 700, 8);
  runRandom(test::withDma(test::meshWithMiddle(3, 2), 2, 1), GetParam(), 800, 8);
}
TEST_P(RandomMappings, OneCore) { runRandom(test::smallMesh(1, 1, 1), GetParam(), 100, 10); }
TEST_P(RandomMappings, Row) { runRandom(test::smallMesh(4, 1), GetParam(), 200, 15); }
TEST_P(RandomMappings, Square) { runRandom(test::smallMesh(2, 2), GetParam(), 300, 20); }
TEST_P(RandomMappings, Rectangle) { runRandom(test::smallMesh(2, 3, 3), GetParam(), 400, 25); }
TEST_P(RandomMappings, UnidirectionalTorus) {
  runRandom(unidirectionalTorus(3, 4), GetParam(), 500, 20);
}
TEST_P(RandomMappings, MemoryPerColumnOnTheWay) {
  runRandom(test::meshWithMiddle(3, 2, 1 << 16, 2048), GetParam(), 600, 25);
}
TEST_P(RandomMappings, MemoryPerRowOnTheWay) {
  runRandom(test::meshWithMiddle(2, 3, 1 << 16, 2048, true), GetParam(), 700, 25);
}

INSTANTIATE_TEST_SUITE_P(Kernels, RandomMappings, testing::ValuesIn(kCases),
                         [](const auto& chosen) { return std::string(chosen.param.kernel); });

}  // namespace
}  // namespace gridloom::simulate
