// SPDX-License-Identifier: Apache-2.0
//
// Runs that skip repeating periods, compared with runs that take every step.
#include "schedule/dry_run.h"

#include <gtest/gtest.h>

#include <random>

#include "schedule/check_programs.h"
#include "support/problem.h"

namespace gridloom::schedule {
namespace {

/// Whether a schedule runs to its end without an error, step by step.
bool endsWell(const Schedule& s, const test::Problem& p) {
  const Placement placement(s.mapping, s.tiling, p.hw);
  const Wiring wiring(s, placement);
  TokenMachine machine(s, placement, wiring);
  while (machine.hasReady()) {
    const std::int32_t process = machine.takeReady();
    const TokenMachine::Outcome outcome = machine.advance(process);
    if (outcome == TokenMachine::Outcome::Broken) return false;
    if (outcome != TokenMachine::Outcome::Perform) continue;
    const Code& code = machine.at(process);
    if (code.op == Op::Send) {
      for (const std::int32_t leaf : wiring.leavesOf(code.channel, machine.coreOf(process))) {
        if (machine.takesPart(leaf, process, code.depth)) machine.deliver(code.channel, leaf);
      }
    }
    machine.complete(process);
  }
  return machine.stall().message.empty();
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
      const base::Diagnostics found = verify(s, p.kernel, p.nest, p.hw);
      // Verification also reports missing operands, which the token machine does not check.
      const bool operands = render(found).find("without a slot of it") != std::string::npos;
      EXPECT_EQ(found.empty(), well && !operands) << render(found) << " seed " << seed;
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
  EXPECT_EQ(render(verify(s, p.kernel, p.nest, p.hw)), "");
  const Placement placement(s.mapping, s.tiling, p.hw);
  Findings findings(s, nullptr);
  DryRun(s, p.kernel, p.nest, placement).run(findings, 200'000);
  EXPECT_TRUE(findings.empty()) << render(findings.take());
}

TEST(DryRun, SaysWhenItWasCut) {
  const test::Problem p =
      test::makeProblem(test::smallMesh(2, 2), "gemm", {{"M", 24}, {"N", 24}, {"K", 24}});
  const Schedule s = *lower(p.kernel, p.nest, p.hw, test::randomMapping(p, 1));
  const Placement placement(s.mapping, s.tiling, p.hw);
  Findings findings(s, nullptr);
  DryRun(s, p.kernel, p.nest, placement).run(findings, 10);
  const base::Diagnostics found = findings.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().severity, base::Severity::Note);
  EXPECT_NE(found.front().message.find("step 10"), std::string::npos);
}

}  // namespace
}  // namespace gridloom::schedule
