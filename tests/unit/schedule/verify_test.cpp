// SPDX-License-Identifier: Apache-2.0
//
// Schedules broken by hand: each is rejected, and the message names the location.
#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/verify.h"
#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::schedule {
namespace {

using kernel::LoopId;
using mapping::MovementKind;
using mapping::ReductionTopology;

struct Verify : testing::Test {
  test::Problem p =
      test::makeProblem(test::smallMesh(2, 2), "gemm", {{"M", 24}, {"N", 24}, {"K", 24}});
  Schedule s = [this] {
    mapping::Mapping m;
    m.tileSize = {4, 4, 4};
    m.space = {LoopId(0), LoopId(1)};
    m.dimOrder = {0, 1};
    m.order = {LoopId(0), LoopId(1), LoopId(2)};
    m.inputs = {{MovementKind::Multicast, 2, 1, 3, 2}, {MovementKind::Stream, 1, 0, 3, 2}};
    m.outputs = {{ReductionTopology::None, 0, 1}};
    return *lower(p.kernel, p.nest, p.hw, m);
  }();

  std::string finding() const { return test::findings(s, p); }

  Process& process(std::size_t core, Process::Role role, int operand) {
    for (Process& found : s.programs[s.programOfCore[core].index()].processes) {
      if (found.role == role && found.operand == operand) return found;
    }
    throw std::runtime_error("no such process");
  }
  static void drop(Process& from, Op op) {
    std::erase_if(from.code, [&](const Instruction& i) { return i.op == op; });
  }
  void expectFinding(const std::string& words) const {
    EXPECT_NE(finding().find(words), std::string::npos) << finding();
  }
};

TEST_F(Verify, WhatLoweringMakesIsSound) { EXPECT_EQ(finding(), ""); }

TEST_F(Verify, BuffersMustFit) {
  s.buffers[0].bytes = 1 << 20;
  expectFinding("bytes of local memory on each core, l1 has 65536");
}

TEST_F(Verify, ABufferHasAsManySlotsAsAreCounted) {
  s.buffers[0].slots = 32768;
  expectFinding("a number of slots is between 1 and 32767, got 32768");
}

TEST_F(Verify, LoopsMustNest) {
  process(0, Process::Role::Compute, -1).code.pop_back();
  expectFinding("loop 0 is not ended");
}

TEST_F(Verify, LoopsMustBeginBeforeTheyEnd) {
  auto& code = process(0, Process::Role::Mover, 0).code;
  code.erase(code.begin());
  expectFinding("instruction 0: loop 1 opens at depth 0");
}

TEST_F(Verify, NamesMustExist) {
  process(0, Process::Role::Mover, 0).code[3].buffer = BufferId(99);
  expectFinding("it names a buffer that does not exist");
  s.channels[0].along = 0;
  expectFinding("channel A multicast y has no mesh dimension");
}

TEST_F(Verify, SlotsAreAcquiredBeforeTheyAreFilled) {
  drop(process(0, Process::Role::Mover, 0), Op::Acquire);
  expectFinding("mover of A on core (0,0) at `load A`: it does not hold a slot");
}

TEST_F(Verify, SlotsArePublishedBeforeTheyAreRead) {
  drop(process(0, Process::Role::Mover, 0), Op::Publish);
  expectFinding("mover of A on core (0,0) at `acquire A`: it holds a slot");
}

TEST_F(Verify, ComputeReadsOnlyWhatItWaitedFor) {
  auto& code = process(0, Process::Role::Compute, -1).code;
  std::erase_if(code, [](const Instruction& i) { return i.buffer == BufferId(0); });
  expectFinding("compute on core (0,0) uses A without a slot of it");
}

TEST_F(Verify, AMoverThatIsGoneLeavesItsComputeWaiting) {
  auto& processes = s.programs[s.programOfCore[1].index()].processes;
  processes.erase(processes.begin());
  expectFinding("compute on core (1,0) at `wait A`");
}

TEST_F(Verify, AReceiveWithoutSendIsStuck) {
  drop(process(0, Process::Role::Mover, 0), Op::Send);
  expectFinding("mover of A on core (0,1) at `receive A via A multicast y`, which waits for");
}

TEST_F(Verify, ACreditTooManyIsLeftOver) {
  auto& code = process(1, Process::Role::Mover, 0).code;
  const auto ready = std::find_if(code.begin(), code.end(),
                                  [](const Instruction& i) { return i.op == Op::Ready; });
  code.insert(ready, *ready);
  expectFinding("channel A multicast y");
}

TEST_F(Verify, AWriterThatIsGoneLeavesItsSlotsTaken) {
  process(0, Process::Role::Writer, 0).code.clear();
  expectFinding(
      "mover of C gathered on core (0,0) at `acquire C gathered`, which waits for a process "
      "that does not exist");
}

TEST_F(Verify, AWaitForOnesOwnResultIsACircle) {
  // B is loaded only after the result that needs B: a deadlock.
  for (Process& found : s.programs[s.programOfCore[0].index()].processes) {
    if (found.role == Process::Role::Writer) found.code.clear();
  }
  auto& mover = process(0, Process::Role::Mover, 1).code;
  const auto load = std::find_if(mover.begin(), mover.end(),
                                 [](const Instruction& i) { return i.op == Op::Load; });
  const Instruction wait{Op::WaitFull, 0, BufferId(2), {}};
  mover.insert(load, wait);
  expectFinding("deadlock: compute on core (0,0) at `wait B`, which waits for mover of B on "
                "core (0,0) at `wait C`, which waits for compute on core (0,0)");
}

TEST_F(Verify, WhatFollowsTheReductionRunsWhereItEnds) {
  p = test::makeProblem(test::smallMesh(2, 2), "gemm_bias_relu", {{"M", 8}, {"N", 8}, {"K", 8}});
  mapping::Mapping m;
  m.tileSize = {4, 4, 4};
  m.space = {LoopId(2), LoopId(0)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(1)};
  m.inputs.assign(p.nest.inputs.size(), {MovementKind::Direct, 0, 0, 1, 1});
  m.outputs = {{ReductionTopology::Chain, -1, 1}};
  s = *lower(p.kernel, p.nest, p.hw, m);
  ASSERT_EQ(finding(), "");
  Program& first = s.programs[s.programOfCore[0].index()];
  auto& code = std::ranges::find(first.processes, Process::Role::Compute, &Process::role)->code;
  const auto whole = code;
  const auto find = [&](Op op) { return std::ranges::find(code, op, &Instruction::op); };
  code.erase(find(Op::Epilogue));
  expectFinding("the epilogue of the reduction is never computed here");
  code = whole;
  code.insert(find(Op::Epilogue), *find(Op::Epilogue));
  expectFinding("the epilogue of the reduction is computed twice");
  code = whole;
  code.insert(find(Op::Reduce), *find(Op::Reduce));
  expectFinding("is reduced twice");
  code = whole;
  code.erase(find(Op::Reduce));
  expectFinding("is not reduced");
  code = whole;
  const Instruction epilogue = *find(Op::Epilogue);
  for (Program& program : s.programs) {
    if (&program == &first) continue;
    auto& other =
        std::ranges::find(program.processes, Process::Role::Compute, &Process::role)->code;
    other.insert(std::ranges::find(other, Op::Publish, &Instruction::op), epilogue);
  }
  expectFinding("the epilogue runs on partial results here");
}

TEST_F(Verify, ABondSaysWhenANameMeansSeveralMovers) {
  s.dmaConstraints = {{DmaConstraint::Kind::Affinity, {{false, true, 0}, {false, true, 1}}}};
  EXPECT_EQ(finding(), "");
  p = test::makeProblem(test::meshWithSharedBuffer(2, 2), "gemm",
                        {{"M", 24}, {"N", 24}, {"K", 24}});
  mapping::Mapping m;
  m.tileSize = {4, 4, 4};
  m.space = {LoopId(0), LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0), LoopId(1), LoopId(2)};
  m.inputs = {{MovementKind::Direct, 0, 0, 3, 1}, {MovementKind::Direct, 0, 0, 3, 1}};
  m.inputs[0].sharedBuffers[0] = {3, 1};
  m.outputs = {{ReductionTopology::None, -1, 1}};
  s = *lower(p.kernel, p.nest, p.hw, m);
  ASSERT_EQ(finding(), "");
  s.dmaConstraints = {{DmaConstraint::Kind::Affinity, {{false, true, 0}, {false, true, 1}}}};
  expectFinding("note: `mover A` of the affinity means 3 processes here: it holds for all of them");
  EXPECT_TRUE(verify(s, p.kernel, p.nest, p.hw)) << "a note only";
}

TEST_F(Verify, IterationsAreComputedOnce) {
  auto& code = process(0, Process::Role::Compute, -1).code;
  const auto compute = std::ranges::find(code, Op::Compute, &Instruction::op);
  const Instruction one = *compute;
  code.insert(compute, one);
  expectFinding("the iteration is computed a second time");
  std::erase_if(code, [](const Instruction& i) { return i.op == Op::Compute; });
  expectFinding("never computes");
}

TEST_F(Verify, ACancelStopsTheWork) {
  base::Progress progress;
  EXPECT_TRUE(verify(s, p.kernel, p.nest, p.hw, nullptr, &progress));
  EXPECT_TRUE(lower(p.kernel, p.nest, p.hw, s.mapping, &progress));
  progress.cancel();
  const base::Diagnostics found =
      verify(s, p.kernel, p.nest, p.hw, nullptr, &progress).diagnostics();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().message, "cancelled");
  EXPECT_FALSE(lower(p.kernel, p.nest, p.hw, s.mapping, &progress));
}

// The tiles that compute needs follow from the accesses, whatever TileDemand says.
TEST(VerifyDemands, AnInputThatIsNotBroughtWhereItIsReadIsFound) {
  const test::Problem p = test::makeProblem(test::smallMesh(2, 2), R"(kernel partial(N = 16) {
    tensor A[N]: f32  tensor D[N]: f32  tensor X[N]: f32
    X[i] = D[i] + sum(j) A[j]  where j < i
  })");
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Schedule s = *lower(p.kernel, p.nest, p.hw, test::randomMapping(p, seed));
    ASSERT_EQ(test::findings(s, p), "");
    // D is then omitted in the first row, in which the sum has no terms.
    for (Buffer& buffer : s.buffers) {
      if (buffer.use != Buffer::Use::Input || p.nest.inputs[buffer.operand].name != "D") continue;
      buffer.need.guard.parts = {{{{LoopId(0), LoopId(), 16}}, {}}};
    }
    kernel::TileNest misled = p.nest;
    for (kernel::Operand& input : misled.inputs) {
      if (input.name == "D") input.guard.parts = {{{{LoopId(0), LoopId(), 16}}, {}}};
    }
    const std::string found = render(verify(s, p.kernel, misled, p.hw).diagnostics());
    EXPECT_NE(found.find("uses D[i] without a slot of it"), std::string::npos) << found;
    ++checked;
  }
  EXPECT_GT(checked, 0);
}

}  // namespace
}  // namespace gridloom::schedule
