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

namespace gridloom {
namespace {

using mapping::MovementKind;
using test::makeProblem;
using test::Problem;

/// Random mappings in which at least one input goes around a ring.
template <class Visit> int forRings(const Problem& p, std::uint64_t seeds, const Visit& visit) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const mapping::Mapping m = withAllGathers(p, test::randomMapping(p, seed), seed);
    const bool rings =
        std::ranges::count(m.inputs, MovementKind::AllGather, &mapping::InputMovement::kind) > 0;
    if (!rings) continue;
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

TEST(Rings, HaveTheValuesOfTheKernel) {
  const Problem p = makeProblem(test::smallMesh(4, 3), "gemm", {{"M", 24}, {"N", 27}, {"K", 13}});
  const kernel::TensorValues inputs = kernel::sampleInputs(p.kernel, 5);
  const kernel::TensorValues expected = *kernel::interpret(p.kernel, inputs);
  const auto& want = expected.at("C").data;
  const int count = forRings(p, 300, [&](const mapping::Mapping& m) {
    const simulate::Simulation s = run(p, *schedule::lower(p.kernel, p.nest, p.hw, m), &inputs);
    const auto& got = s.outputs.at("C").data;
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t e = 0; e < want.size(); ++e)
      ASSERT_NEAR(got[e], want[e], 1e-9 * std::max(1.0, std::abs(want[e]))) << e;
  });
  EXPECT_GT(count, 60);
}

TEST(Rings, ReadWhatAMulticastReadsAndTakeTheTimeThatTheModelSays) {
  const Problem p = makeProblem(test::smallMesh(4, 3), "gemm", {{"M", 96}, {"N", 108}, {"K", 52}});
  const double least = cost::roofline(p.kernel, p.nest, p.hw, p.compute).cycles;
  double ratio = 0;
  const int count = forRings(p, 200, [&](const mapping::Mapping& m) {
    const simulate::Simulation s = run(p, *schedule::lower(p.kernel, p.nest, p.hw, m));
    const cost::Estimate e = cost::estimate(p.kernel, p.nest, p.hw, p.compute, m);
    EXPECT_GE(s.cycles, least);
    EXPECT_NEAR(s.dramRead, e.traffic.dramRead, 1e-6 * s.dramRead);
    mapping::Mapping other = m;
    for (mapping::InputMovement& input : other.inputs) {
      if (input.kind == MovementKind::AllGather) input.kind = MovementKind::Multicast;
    }
    const simulate::Simulation multicast = run(p, *schedule::lower(p.kernel, p.nest, p.hw, other));
    EXPECT_NEAR(s.dramRead, multicast.dramRead, 1e-6 * s.dramRead);
    EXPECT_GT(e.cycles, s.cycles * 0.6);
    EXPECT_LT(e.cycles, s.cycles * 1.5);
    ratio += e.cycles / s.cycles;
  });
  EXPECT_GT(count, 60);
  EXPECT_NEAR(ratio / count, 1, 0.05);
}

TEST(Rings, SurviveTheirTexts) {
  const Problem p = makeProblem(test::smallMesh(4, 3), "gemm", {{"M", 24}, {"N", 27}, {"K", 13}});
  forRings(p, 60, [&](const mapping::Mapping& m) {
    const schedule::Schedule s = *schedule::lower(p.kernel, p.nest, p.hw, m);
    const auto source =
        base::makeSource("ring.prog", syntax::printSchedule(s, p.kernel, p.nest, p.hw));
    const auto text = syntax::parseSchedule(source);
    ASSERT_TRUE(text) << base::render(text.diagnostics());
    const auto back = syntax::bindSchedule(*text, p.kernel, p.nest, p.hw);
    ASSERT_TRUE(back) << base::render(back.diagnostics());
    EXPECT_EQ(back->schedule.mapping.inputs, m.inputs);
    EXPECT_EQ(run(p, back->schedule).cycles, run(p, s).cycles);
  });
}

/// An instruction of the first program that names the ring.
template <class Change> std::string broken(const Change& change) {
  const Problem p = makeProblem(test::smallMesh(4, 3), "gemm", {{"M", 24}, {"N", 27}, {"K", 13}});
  std::string findings;
  forRings(p, 1000, [&](const mapping::Mapping& m) {
    if (!findings.empty()) return;
    schedule::Schedule s = *schedule::lower(p.kernel, p.nest, p.hw, m);
    for (schedule::Process& process : s.programs.front().processes) {
      for (schedule::Instruction& at : process.code) {
        if (at.op == schedule::Op::Receive && change(at)) {
          findings = test::findings(s, p);
          return;
        }
      }
    }
  });
  return findings;
}

TEST(Rings, OfWhichAShareIsMissingOrWrongAreRejected) {
  using schedule::Instruction;
  using schedule::Op;
  const auto contains = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const std::string wrong = broken([](Instruction& at) { return at.arg = 2, true; });
  EXPECT_TRUE(contains(wrong, "the core before sends share")) << wrong;
  const std::string beyond = broken([](Instruction& at) { return at.arg = 90, true; });
  EXPECT_TRUE(contains(beyond, "has no share 90")) << beyond;
  const std::string twice = broken([](Instruction& at) {
    at = {Op::Load, 0, at.buffer, {}};
    return true;
  });
  EXPECT_TRUE(contains(twice, "the core has share 0 already")) << twice;
}

}  // namespace
}  // namespace gridloom
