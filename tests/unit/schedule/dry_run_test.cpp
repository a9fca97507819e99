// SPDX-License-Identifier: Apache-2.0
//
// Runs that skip repeating periods, compared with runs that take every step.
#include "schedule/verify.h"

#include <gtest/gtest.h>

#include <random>

#include "schedule/check_programs.h"
#include "schedule/stall.h"
#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::schedule {
namespace {

/// Whether a schedule runs to its end without an error, step by step.
bool endsWell(const Schedule& s, const test::Problem& p) {
  const PlacedSchedule placed(s, p.kernel, p.nest, p.hw);
  TokenMachine machine(placed);
  while (machine.hasReady()) {
    const std::int32_t process = machine.takeReady();
    const TokenMachine::Outcome outcome = machine.advance(process);
    if (outcome == TokenMachine::Outcome::Broken) return false;
    if (outcome != TokenMachine::Outcome::Perform) continue;
    const Code& code = machine.at(process);
    if (code.op == Op::Send) {
      for (const std::int32_t leaf :
           placed.wiring.leavesOf(code.channel, machine.coreOf(process))) {
        if (machine.takesPart(leaf, process, code.depth)) machine.deliver(code.channel, leaf);
      }
    }
    machine.complete(process);
  }
  return stallOf(machine).message.empty();
}

void breakSomething(Schedule& s, std::mt19937& random) {
  Program& program = s.programs[random() % s.programs.size()];
  auto& code = program.processes[random() % program.processes.size()].code;
  if (code.empty()) return;
  const auto at = code.begin() + static_cast<std::ptrdiff_t>(random() % code.size());
  switch (random() % 3) {
  case 0:
    code.erase(at);
    break;
  case 1:
    code.insert(at, *at);
    break;
  default:
    std::iter_swap(at, code.begin() + static_cast<std::ptrdiff_t>(random() % code.size()));
  }
}

TEST(DryRun, AgreesWithEveryStepOnSoundAndBrokenSchedules) {
  const test::Problem p =
      test::makeProblem(test::smallMesh(3, 2), "gemm", {{"M", 60}, {"N", 52}, {"K", 44}});
  std::mt19937 random(11);
  int sound = 0, broken = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const mapping::Mapping m = test::randomMapping(p, seed);
    const auto made = lower(p.kernel, p.nest, p.hw, m);
    if (!made) continue;
    for (int variant = 0; variant < 5; ++variant) {
      Schedule s = *made;
      if (variant > 0) breakSomething(s, random);
      Findings seen(s, nullptr);
      findInTables(s, p.nest, p.hw, seen);
      if (seen.empty()) findInPrograms(s, seen);
      if (!seen.empty()) continue;
      const bool well = endsWell(s, p);
      const std::string found = test::findings(s, p);
      // Verification also reports missing operands, which the token machine does not check.
      const bool operands = found.find("without a slot of it") != std::string::npos;
      EXPECT_EQ(found.empty(), well && !operands) << found << " seed " << seed;
      ++(well ? sound : broken);
    }
  }
  EXPECT_GT(sound, 50);
  EXPECT_GT(broken, 50);
}

TEST(DryRun, WorkDoesNotGrowWithTripCounts) {
  // 2^20 iterations of k in each of 64 output tiles per core.
  const test::Problem p = test::makeProblem(test::smallMesh(2, 2), "gemm",
                                            {{"M", 64}, {"N", 63}, {"K", std::int64_t{1} << 22}});
  mapping::Mapping m;
  m.tileSize = {4, 4, 4};
  m.space = {kernel::LoopId(0), kernel::LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {kernel::LoopId(0), kernel::LoopId(1), kernel::LoopId(2)};
  m.inputs = {{mapping::MovementKind::Multicast, 2, 1, 3, 2},
              {mapping::MovementKind::Stream, 1, 0, 3, 2}};
  m.outputs = {{mapping::ReductionTopology::None, 0, 1}};
  Schedule s = *lower(p.kernel, p.nest, p.hw, m);
  VerifyEffort effort{.maxSteps = 200'000};
  const auto verified = verify(s, p.kernel, p.nest, p.hw, nullptr, nullptr, &effort);
  EXPECT_EQ(render(verified.diagnostics()), "");
  EXPECT_LT(effort.steps, 200'000);
}

TEST(DryRun, SaysWhenItWasCut) {
  const test::Problem p =
      test::makeProblem(test::smallMesh(2, 2), "gemm", {{"M", 24}, {"N", 24}, {"K", 24}});
  const Schedule s = *lower(p.kernel, p.nest, p.hw, test::randomMapping(p, 1));
  VerifyEffort effort{.maxSteps = 10};
  const base::Diagnostics found =
      verify(s, p.kernel, p.nest, p.hw, nullptr, nullptr, &effort).diagnostics();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().severity, base::Severity::Note);
  EXPECT_NE(found.front().message.find("step 10"), std::string::npos);
}

}  // namespace
}  // namespace gridloom::schedule
