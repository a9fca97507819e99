// SPDX-License-Identifier: Apache-2.0
//
// A pass leaves a schedule legal, and what it computes equal.
#include <algorithm>
#include <cmath>

#include "schedule/passes.h"
#include "unit/simulate/run.h"

namespace gridloom::schedule::schedule_passes_property {
namespace {

using mapping::LoopId;
using mapping::MovementKind;

class Passes : public testing::TestWithParam<const char*> {
 protected:
  test::Problem p = test::makeProblem(test::smallMesh(3, 2), GetParam(), settings(GetParam()));
  kernel::TensorValues inputs = kernel::sampleInputs(p.kernel, 5);
  kernel::TensorValues expected = *kernel::interpret(p.kernel, inputs);

  static test::Settings settings(std::string_view kernel) {
    static const test::Settings gemm{{"M", 14}, {"N", 11}, {"K", 13}};
    static const test::Settings softmax{{"M", 12}, {"N", 10}};
    return kernel == "gemm" ? gemm : softmax;
  }

  double cyclesOf(const Schedule& s) {
    EXPECT_EQ(test::findings(s, p), "");
    simulate::Options options;
    options.values = true;
    options.inputs = &inputs;
    const auto result = simulate::run(p, s, options);
    EXPECT_TRUE(result.ok()) << render(result.diagnostics());
    if (!result) return 0;
    for (const auto& [name, want] : expected) {
      const auto got = result->outputs.find(name);
      if (got == result->outputs.end()) continue;
      for (std::size_t e = 0; e < want.data.size(); ++e) {
        EXPECT_NEAR(got->second.data[e], want.data[e], 1e-9 * std::max(1.0, std::abs(want.data[e])))
            << name << " " << e;
        if (HasFailure()) return 0;
      }
    }
    return result->cycles;
  }

  template <class Check> void forRandomSchedules(const Check& check) {
    int checked = 0;
    for (std::uint64_t seed = 0; seed < 40 && !HasFailure(); ++seed) {
      const mapping::Mapping m = test::randomMapping(p, seed);
      if (m.tileSize.empty()) continue;
      if (const auto s = lower(p.kernel, p.nest, p.hw, m)) {
        check(*s);
        ++checked;
      }
    }
    EXPECT_GT(checked, 10);
  }
};

bool sameCode(const Schedule& a, const Schedule& b) {
  if (a.programs.size() != b.programs.size()) return false;
  for (std::size_t p = 0; p < a.programs.size(); ++p) {
    const auto& one = a.programs[p].processes;
    const auto& two = b.programs[p].processes;
    if (one.size() != two.size()) return false;
    for (std::size_t q = 0; q < one.size(); ++q) {
      const bool same = std::ranges::equal(
          one[q].code, two[q].code, [](const Instruction& x, const Instruction& y) {
            return x.op == y.op && x.arg == y.arg && x.buffer == y.buffer && x.channel == y.channel;
          });
      if (!same) return false;
    }
  }
  return true;
}

std::size_t movers(const Program& program) {
  return static_cast<std::size_t>(
      std::ranges::count(program.processes, Process::Role::Mover, &Process::role));
}

TEST_P(Passes, PingPongGivesEveryChangingTileTwoSlots) {
  forRandomSchedules([&](const Schedule& s) {
    const auto two = pingPong(s, p.nest, p.hw);
    ASSERT_TRUE(two) << render(two.diagnostics());
    for (const Buffer& buffer : two->buffers) {
      EXPECT_TRUE(!changesTile(*two, buffer) || buffer.slots == 2) << buffer.name;
    }
    cyclesOf(*two);
  });
}

TEST_P(Passes, MoreSlotsThanTwoComputeTheSame) {
  forRandomSchedules([&](const Schedule& s) {
    Schedule deep = s;
    for (std::size_t b = 0; b < s.buffers.size(); ++b) {
      if (changesTile(s, s.buffers[b])) deep = withSlots(deep, p.nest, p.hw, BufferId::of(b), 5);
    }
    EXPECT_LE(cyclesOf(deep), 1.5 * cyclesOf(s));
  });
}

TEST_P(Passes, MergedMoversSplitAgain) {
  forRandomSchedules([&](const Schedule& s) {
    const auto merged = mergeMovers(s, 1);
    if (!merged) return;  // hoisted to different loops
    cyclesOf(*merged);
    const auto split = splitMovers(*merged);
    ASSERT_TRUE(split);
    EXPECT_TRUE(sameCode(s, *split));
  });
}

TEST_P(Passes, BroadcastsLoadEachSharedTileOnce) {
  forRandomSchedules([&](const Schedule& s) {
    const auto shared = findBroadcasts(s, p.nest, p.hw);
    ASSERT_TRUE(shared) << render(shared.diagnostics());
    cyclesOf(*shared);
    const auto before = simulate::run(p, s);
    const auto after = simulate::run(p, *shared);
    EXPECT_LE(after->traffic.dramRead, before->traffic.dramRead);
    for (std::size_t i = 0; i < p.nest.inputs.size(); ++i) {
      const bool none = sharedDims(p.nest.inputs[i], s.mapping) == 0;
      EXPECT_EQ(shared->mapping.inputs[i].kind == MovementKind::Direct, none);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Kernels, Passes, testing::Values("gemm", "softmax"));

struct Failures : testing::Test {
  test::Problem p =
      test::makeProblem(test::smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  mapping::Mapping m = [] {
    mapping::Mapping out = simulate::directGemm();
    out.tileSize = {8, 8, 8};
    out.inputs.assign(2, {MovementKind::Direct, 0, 0, 3, 1});
    return out;
  }();
};

TEST_F(Failures, PingPongNeedsRoom) {
  m.tileSize = {32, 32, 32};
  const Schedule s = simulate::lowered(p, m);
  const test::Problem tight =
      test::makeProblem(test::smallMesh(2, 2, 2, static_cast<int>(s.localBytes)), "gemm",
                        {{"M", 64}, {"N", 64}, {"K", 64}});
  const auto two = pingPong(s, tight.nest, tight.hw);
  ASSERT_FALSE(two);
  EXPECT_NE(render(two.diagnostics()).find("no buffer fits twice"), std::string::npos);
}

TEST_F(Failures, MoversOfDifferentLoopsStayApart) {
  m.inputs[1].level = 2;
  const auto merged = mergeMovers(simulate::lowered(p, m), 1);
  ASSERT_FALSE(merged);
  EXPECT_NE(render(merged.diagnostics()).find("keeps 2 movers, 1 are wanted"), std::string::npos);
  EXPECT_TRUE(mergeMovers(simulate::lowered(p, m), 2));
}

// Root sends B before C; the others, with one mover each, want C before B.
TEST(Circle, MergedMoversThatTakeTurnsDifferently) {
  const test::Problem p =
      test::makeProblem(test::smallMesh(3, 1), "mttkrp", {{"I", 12}, {"J", 8}, {"K", 8}, {"L", 8}});
  mapping::Mapping m;
  m.tileSize.assign(4, 4);
  m.space = {LoopId(0), {}};
  m.dimOrder = {0, 1};
  for (std::size_t l = 1; l < 4; ++l) m.order.push_back(LoopId::of(l));
  for (const kernel::Operand& input : p.nest.inputs) {
    const bool shared = !input.dependsOn(LoopId(0));
    m.inputs.push_back(
        {shared ? MovementKind::Multicast : MovementKind::Direct, shared ? 1U : 0U, 0, 3, 1});
  }
  m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
  const auto lowered = lower(p.kernel, p.nest, p.hw, m);
  ASSERT_TRUE(lowered) << render(lowered.diagnostics());
  const auto merged = mergeMovers(*lowered, 1);
  ASSERT_TRUE(merged) << render(merged.diagnostics());
  EXPECT_EQ(test::findings(*merged, p), "");
  Schedule crossed = *merged;
  for (Program& program : crossed.programs) {
    auto& code = program.processes.front().code;
    // Three loops around acquire, ready, receive, publish of each: the last two change places.
    const auto end = code.end() - 3;
    if (std::ranges::count(code, Op::Receive, &Instruction::op) == 2) {
      std::swap_ranges(end - 8, end - 4, end - 4);
    }
  }
  const std::string found = test::findings(crossed, p);
  EXPECT_NE(found.find("deadlock: mover of"), std::string::npos) << found;
}

TEST_F(Failures, OneMoverTakesTheTransfersInTurn) {
  const Schedule s = simulate::lowered(p, m);
  const auto merged = mergeMovers(s, 1);
  ASSERT_TRUE(merged);
  for (const Program& program : merged->programs) EXPECT_EQ(movers(program), 1U);
  EXPECT_GE(simulate::run(p, *merged)->cycles, simulate::run(p, s)->cycles);
}

}  // namespace
}  // namespace gridloom::schedule::schedule_passes_property
