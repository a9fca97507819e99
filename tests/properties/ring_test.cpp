// SPDX-License-Identifier: Apache-2.0
// Tiles that go around rings of cores in shares: random legal mappings have the right values, move
// what they must, take the time that the model says, and survive their texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cost/model.h"
#include "kernel/interpreter.h"
#include "mapping/space.h"
#include "schedule/schedule.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"
#include "syntax/schedule_binder.h"
#include "syntax/schedule_parser.h"
#include "syntax/schedule_printer.h"

namespace gridloom::ring_property {
namespace {

using mapping::MovementKind;
using mapping::ReductionTopology;
using test::makeProblem;
using test::Problem;

bool gathers(const mapping::Mapping& m) {
  return std::ranges::count(m.inputs, MovementKind::AllGather, &mapping::InputMovement::kind) > 0;
}

bool scatters(const mapping::Mapping& m) {
  return m.outputs.front().reduction == ReductionTopology::ReduceScatter;
}

/// Random mappings in which tiles go around rings as asked.
template <class Visit>
int forRings(const Problem& p, std::uint64_t seeds, bool (*goRound)(const mapping::Mapping&),
             const Visit& visit) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const mapping::Mapping m = withRings(p, test::randomMapping(p, seed), seed);
    if (m.inputs.empty() || !goRound(m)) continue;
    SCOPED_TRACE(describe(p.kernel, p.nest, p.hw, m));
    EXPECT_EQ(base::render(checkMapping(p.kernel, p.nest, p.hw, m)), "");
    visit(m);
    ++count;
    if (testing::Test::HasFailure()) return count;
  }
  return count;
}

simulate::Simulation run(const Problem& p, const schedule::Schedule& s,
                         const kernel::TensorValues* inputs = nullptr) {
  simulate::Options options;
  options.values = inputs != nullptr;
  options.inputs = inputs;
  base::Progress progress;
  auto result = simulate::simulate(test::verified(s, p), options, progress);
  EXPECT_TRUE(result) << base::render(result.diagnostics());
  return result ? *result : simulate::Simulation{};
}

class Rings : public testing::TestWithParam<bool (*)(const mapping::Mapping&)> {};
INSTANTIATE_TEST_SUITE_P(, Rings, testing::Values(gathers, scatters), [](const auto& which) {
  return std::string(which.param == gathers ? "AllGather" : "ReduceScatter");
});

TEST_P(Rings, HaveTheValuesOfTheKernel) {
  for (const std::string& mesh : {test::smallMesh(4, 3), test::smallTorus(3, 3, true)}) {
    const Problem p = makeProblem(mesh, "gemm", {{"M", 24}, {"N", 27}, {"K", 13}});
    const kernel::TensorValues inputs = kernel::sampleInputs(p.kernel, 5);
    const kernel::TensorValues expected = *kernel::interpret(p.kernel, inputs);
    const auto& want = expected.at("C").data;
    const int count = forRings(p, 300, GetParam(), [&](const mapping::Mapping& m) {
      const simulate::Simulation s = run(p, *schedule::lower(p.kernel, p.nest, p.hw, m), &inputs);
      const auto& got = s.outputs.at("C").data;
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t e = 0; e < want.size(); ++e)
        ASSERT_NEAR(got[e], want[e], 1e-9 * std::max(1.0, std::abs(want[e]))) << e;
    });
    EXPECT_GT(count, 30);
  }
}

/// The same without rings: what moves between the cores is loaded and stored as often.
mapping::Mapping withoutRings(mapping::Mapping m) {
  for (mapping::InputMovement& input : m.inputs) {
    if (input.kind == MovementKind::AllGather) input.kind = MovementKind::Multicast;
  }
  if (scatters(m)) m.outputs.front().reduction = ReductionTopology::Chain;
  return m;
}

TEST_P(Rings, MoveWhatOthersMoveAndTakeTheTimeThatTheModelSays) {
  const Problem p = makeProblem(test::smallMesh(4, 3), "gemm", {{"M", 96}, {"N", 108}, {"K", 52}});
  const double least = cost::roofline(p.kernel, p.nest, p.hw, p.compute).cycles;
  double ratio = 0;
  const int count = forRings(p, 200, GetParam(), [&](const mapping::Mapping& m) {
    const simulate::Simulation s = run(p, *schedule::lower(p.kernel, p.nest, p.hw, m));
    const cost::Estimate e = cost::estimate(p.kernel, p.nest, p.hw, p.compute, m);
    EXPECT_GE(s.cycles, least);
    EXPECT_NEAR(s.traffic.dramRead, e.traffic.dramRead, 1e-6 * s.traffic.dramRead);
    EXPECT_NEAR(s.traffic.dramWrite, e.traffic.dramWrite, 1e-6 * s.traffic.dramWrite);
    const simulate::Simulation other =
        run(p, *schedule::lower(p.kernel, p.nest, p.hw, withoutRings(m)));
    EXPECT_NEAR(s.traffic.dramRead, other.traffic.dramRead, 1e-6 * s.traffic.dramRead);
    EXPECT_NEAR(s.traffic.dramWrite, other.traffic.dramWrite, 1e-6 * s.traffic.dramWrite);
    EXPECT_GT(e.cycles, s.cycles * 0.6);
    EXPECT_LT(e.cycles, s.cycles * 1.5);
    ratio += e.cycles / s.cycles;
  });
  EXPECT_GT(count, 30);
  EXPECT_NEAR(ratio / count, 1, 0.05);
}

TEST_P(Rings, SurviveTheirTexts) {
  const Problem p = makeProblem(test::smallMesh(4, 3), "gemm", {{"M", 24}, {"N", 27}, {"K", 13}});
  forRings(p, 60, GetParam(), [&](const mapping::Mapping& m) {
    const schedule::Schedule s = *schedule::lower(p.kernel, p.nest, p.hw, m);
    const auto source =
        base::makeSource("ring.prog", syntax::printSchedule(s, p.kernel, p.nest, p.hw));
    const auto text = syntax::parseSchedule(source);
    ASSERT_TRUE(text) << base::render(text.diagnostics());
    const auto back = syntax::bindSchedule(*text, p.kernel, p.nest, p.hw);
    ASSERT_TRUE(back) << base::render(back.diagnostics());
    EXPECT_EQ(back->schedule.mapping.inputs, m.inputs);
    EXPECT_EQ(back->schedule.mapping.outputs, m.outputs);
    EXPECT_EQ(run(p, back->schedule).cycles, run(p, s).cycles);
  });
}

/// What verification says of a schedule whose first program has such an instruction changed.
template <class Change>
std::string broken(bool (*goRound)(const mapping::Mapping&), schedule::Op op,
                   const Change& change) {
  const Problem p = makeProblem(test::smallMesh(4, 3), "gemm", {{"M", 24}, {"N", 27}, {"K", 13}});
  std::string findings;
  forRings(p, 1000, goRound, [&](const mapping::Mapping& m) {
    if (!findings.empty()) return;
    schedule::Schedule s = *schedule::lower(p.kernel, p.nest, p.hw, m);
    for (schedule::Process& process : s.programs.front().processes) {
      for (schedule::Instruction& at : process.code) {
        if (at.op == op && at.arg > 0 && change(at)) {
          findings = test::findings(s, p);
          return;
        }
      }
    }
  });
  return findings;
}

void expectSays(const std::string& findings, const char* part) {
  EXPECT_NE(findings.find(part), std::string::npos) << findings;
}

using schedule::Instruction;
using schedule::Op;

TEST(BrokenRings, OfAnAllGatherAreRejected) {
  const auto found = [](const auto& change) { return broken(gathers, Op::Receive, change); };
  expectSays(found([](Instruction& at) { return at.arg = 2, true; }),
             "the core before sends share");
  expectSays(found([](Instruction& at) { return at.arg = 90, true; }), "has no share 90");
  expectSays(found([](Instruction& at) {
               at = {Op::Load, 0, at.buffer, {}};
               return true;
             }),
             "the core has share 0 already");
}

TEST(BrokenRings, OfAReduceScatterAreRejected) {
  const auto found = [](Op op, std::int32_t share) {
    return broken(scatters, op, [&](Instruction& at) { return at.arg = share, true; });
  };
  expectSays(found(Op::Receive, 0), "the core before sends share");
  expectSays(found(Op::Store, 90), "has no share 90");
  EXPECT_NE(found(Op::Store, 0), "");
  EXPECT_NE(found(Op::Reduce, 0), "");
}

}  // namespace
}  // namespace gridloom::ring_property
