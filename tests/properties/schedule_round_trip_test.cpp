// SPDX-License-Identifier: Apache-2.0
//
// No schedule is without a text: random mappings of every kernel, on machines with and without a
// memory on the way and with tensors in every place, survive print and parse, do the same
// afterwards, and go through every pass or are told why not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>

#include "kernel/interpreter.h"
#include "schedule/passes.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"
#include "syntax/schedule_binder.h"
#include "syntax/schedule_parser.h"
#include "syntax/schedule_printer.h"

namespace gridloom::schedule::schedule_round_trip_property {
namespace {

using mapping::TensorLayout;
using test::Problem;

struct Case {
  const char* kernel;
  test::Settings settings;
};
const Case kCases[] = {
    {"gemm", {{"M", 13}, {"N", 11}, {"K", 10}}},
    {"batched_gemm", {{"B", 3}, {"M", 7}, {"N", 6}, {"K", 9}}},
    {"gemm_bias_relu", {{"M", 13}, {"N", 10}, {"K", 11}}},
    {"vector_add", {{"N", 67}}},
    {"softmax", {{"M", 11}, {"N", 9}}},
    {"layernorm", {{"M", 9}, {"N", 7}}},
    {"flash_attention", {{"H", 2}, {"SQ", 7}, {"SK", 9}, {"D", 5}}},
    {"mha", {{"H", 2}, {"S", 6}, {"E", 8}, {"D", 4}}},
    {"mlp", {{"M", 9}, {"D", 6}, {"E", 7}}},
    {"mttkrp", {{"I", 5}, {"K", 4}, {"L", 6}, {"J", 7}}},
    {"ttm", {{"I", 5}, {"J", 4}, {"L", 6}, {"K", 7}}},
    {"ttmc", {{"I", 5}, {"L", 4}, {"M", 3}, {"J", 6}, {"K", 5}}},
    {"conv2d", {{"N", 2}, {"C", 3}, {"H", 6}, {"W", 7}, {"F", 5}, {"R", 2}, {"S", 3}}},
    {"gemv", {{"M", 19}, {"K", 13}}},
    {"prefix_sum", {{"N", 23}}},
    {"trsm", {{"N", 13}, {"R", 7}}},
    {"cholesky", {{"N", 13}}},
    {"jacobi2d", {{"T", 4}, {"N", 11}}},
    {"causal_attention", {{"H", 2}, {"S", 11}, {"D", 5}}},
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.kernel; }

mapping::Constraints placed(const Problem& p, std::optional<TensorLayout> inputs,
                            std::optional<TensorLayout> outputs) {
  mapping::Constraints c;
  for (std::size_t i = 0; i < p.nest.inputs.size() && inputs; ++i) {
    c.inputs[static_cast<int>(i)].layout = inputs;
  }
  for (std::size_t o = 0; o < p.nest.outputs.size() && outputs; ++o) {
    c.outputs[static_cast<int>(o)].layout = outputs;
  }
  return c;
}

std::string print(const Schedule& s, const Problem& p) {
  return syntax::printSchedule(s, p.kernel, p.nest, p.hw);
}

base::Result<syntax::BoundSchedule> read(const std::string& text, const Problem& p) {
  auto parsed = syntax::parseSchedule(base::makeSource("t.prog", text));
  if (!parsed) return parsed.takeDiagnostics();
  return syntax::bindSchedule(*parsed, p.kernel, p.nest, p.hw);
}

void expectSame(const Schedule& a, const Schedule& b) {
  EXPECT_TRUE(a.mapping == b.mapping);
  EXPECT_EQ(a.programOfCore, b.programOfCore);
  EXPECT_EQ(a.localBytes, b.localBytes);
  EXPECT_EQ(a.grids, b.grids);
  ASSERT_EQ(a.buffers.size(), b.buffers.size());
  for (std::size_t n = 0; n < a.buffers.size(); ++n) {
    const Buffer& x = a.buffers[n];
    const Buffer& y = b.buffers[n];
    EXPECT_EQ(x.use, y.use);
    EXPECT_EQ(x.operand, y.operand);
    EXPECT_EQ(x.bytes, y.bytes);
    EXPECT_EQ(x.need.guard.parts.size(), y.need.guard.parts.size());
    EXPECT_EQ(x.need.loops, y.need.loops) << x.name;
    EXPECT_EQ(x.need.shared, y.need.shared) << x.name;
    EXPECT_EQ(x.need.awaits, y.need.awaits) << x.name;
    EXPECT_EQ(x.need.region.size(), y.need.region.size());
  }
}

class RoundTrip : public testing::TestWithParam<Case> {
 protected:
  struct Ran {
    double cycles = 0;
    bool right = true;
  };

  Ran run(const Problem& p, const Schedule& s) {
    simulate::Options options;
    options.values = true;
    options.inputs = &inputs;
    base::Progress progress;
    const auto result = simulate::simulate(test::verified(s, p), options, progress);
    EXPECT_TRUE(result) << base::render(result.diagnostics()) << print(s, p);
    if (!result) return {0, false};
    Ran ran{result->cycles, true};
    for (const auto& [name, want] : expected) {
      const auto got = result->outputs.find(name);
      if (got == result->outputs.end()) continue;
      for (std::size_t e = 0; e < want.data.size(); ++e) {
        const double most = 1e-6 * std::max(1.0, std::abs(want.data[e]));
        ran.right = ran.right && std::abs(got->second.data[e] - want.data[e]) <= most;
      }
    }
    return ran;
  }

  void check(const Problem& p, const Schedule& s) {
    const std::string text = print(s, p);
    const auto again = read(text, p);
    ASSERT_TRUE(again) << base::render(again.diagnostics()) << text;
    expectSame(s, again->schedule);
    EXPECT_EQ(print(again->schedule, p), text);
    const auto verified = verify(again->schedule, p.kernel, p.nest, p.hw, &again->places);
    EXPECT_TRUE(verified) << base::render(verified.diagnostics()) << text;
    const Ran before = run(p, s);
    const Ran after = run(p, again->schedule);
    EXPECT_TRUE(after.right) << text;
    EXPECT_EQ(before.cycles, after.cycles) << text;
  }

  // Every pass gives a schedule that is legal and right, or says why it cannot.
  void checkPasses(const Problem& p, const Schedule& s) {
    const std::pair<const char*, base::Result<Schedule>> passes[] = {
        {"ping-pong", pingPong(s, p.nest, p.hw)},
        {"merge", mergeMovers(s, 1)},
        {"split", splitMovers(s)},
        {"broadcast", findBroadcasts(s, p.nest, p.hw)}};
    for (const auto& [name, result] : passes) {
      if (!result) {
        EXPECT_FALSE(result.diagnostics().front().message.empty()) << name;
        continue;
      }
      const auto verified = verify(*result, p.kernel, p.nest, p.hw);
      const bool stuck = !verified;
      // Movers that await tiles of each other's cores cannot always take turns.
      if (stuck && std::string_view(name) == "merge") continue;
      EXPECT_FALSE(stuck) << name << "\n"
                          << base::render(verified.diagnostics()) << print(*result, p);
      if (stuck) continue;
      EXPECT_TRUE(run(p, *result).right) << name << "\n" << print(*result, p);
    }
  }

  int checkAll(const std::string& mesh, std::optional<TensorLayout> in,
               std::optional<TensorLayout> out, int seeds) {
    const Problem p = test::makeProblem(mesh, GetParam().kernel, GetParam().settings);
    inputs = kernel::sampleInputs(p.kernel, 5);
    expected = *kernel::interpret(p.kernel, inputs);
    const mapping::Constraints c = placed(p, in, out);
    const auto axes =
        mapping::makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, p.compute.vectorLanes, c);
    int checked = 0;
    for (int seed = 0; seed < seeds; ++seed) {
      const auto m =
          mapping::sampleMapping(p.kernel, p.nest, p.hw, axes, c, static_cast<std::uint64_t>(seed));
      // Outputs that depend on each other do not live in local memory.
      if (!m || base::hasError(mapping::checkMapping(p.kernel, p.nest, p.hw, *m))) continue;
      const auto s = lower(p.kernel, p.nest, p.hw, *m);
      if (!s) continue;
      check(p, *s);
      checkPasses(p, *s);
      ++checked;
      if (HasFailure()) {
        ADD_FAILURE() << mapping::describe(p.kernel, p.nest, p.hw, *m);
        break;
      }
    }
    return checked;
  }

  kernel::TensorValues inputs, expected;
};

TEST_P(RoundTrip, OnAMesh) { EXPECT_GT(checkAll(test::smallMesh(3, 2), {}, {}, 12), 4); }

TEST_P(RoundTrip, ThroughAMemoryOnTheWay) {
  EXPECT_GT(checkAll(test::meshWithSharedBuffer(3, 2), {}, {}, 12), 4);
  EXPECT_GT(checkAll(test::meshWithTwoSharedBuffers(3, 2), {}, {}, 12), 4);
}

TEST_P(RoundTrip, InSharedMemories) {
  EXPECT_GT(checkAll(test::withSharedMemories(test::smallMesh(3, 2), "y"), {}, {}, 15), 4);
  EXPECT_GT(checkAll(test::withSharedMemories(test::smallMesh(2, 2), "xy"), {}, {}, 10), 3);
}

TEST_P(RoundTrip, InLocalMemory) {
  checkAll(test::smallMesh(2, 3), TensorLayout::Local, {}, 5);
  checkAll(test::smallMesh(2, 3), TensorLayout::Local, TensorLayout::Local, 5);
  checkAll(test::smallMesh(2, 3), {}, TensorLayout::Local, 5);
}

INSTANTIATE_TEST_SUITE_P(Kernels, RoundTrip, testing::ValuesIn(kCases),
                         [](const auto& of) { return std::string(of.param.kernel); });

}  // namespace
}  // namespace gridloom::schedule::schedule_round_trip_property
