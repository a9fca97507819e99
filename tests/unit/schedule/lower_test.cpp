// SPDX-License-Identifier: Apache-2.0
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

mapping::Mapping gemmOnMesh() {
  mapping::Mapping m;
  m.tileSize = {4, 4, 4};
  m.space = {LoopId(0), LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0), LoopId(1), LoopId(2)};
  m.inputs = {{MovementKind::Multicast, 2, 1, 3, 2}, {MovementKind::Multicast, 1, 0, 3, 2}};
  m.outputs = {{ReductionTopology::None, -1, 1}};
  return m;
}

struct Lowering : testing::Test {
  test::Problem p =
      test::makeProblem(test::smallMesh(4, 3, 3), "gemm", {{"M", 48}, {"N", 36}, {"K", 16}});
  Schedule lowered(const mapping::Mapping& m) {
    auto s = lower(p.kernel, p.nest, p.hw, m);
    if (!s) throw std::runtime_error(render(s.diagnostics()));
    return std::move(*s);
  }
  static const Program& programAt(const Schedule& s, std::size_t core) {
    return s.programs[s.programOfCore[core].index()];
  }
};

std::vector<Op> opsOf(const Process& process) {
  std::vector<Op> ops;
  for (const Instruction& i : process.code) ops.push_back(i.op);
  return ops;
}

TEST_F(Lowering, CoresThatDoTheSameShareAProgram) {
  const Schedule s = lowered(gemmOnMesh());
  // Corner, the two edges where an operand is loaded, interior.
  ASSERT_EQ(s.programs.size(), 4u);
  std::int64_t cores = 0;
  for (const Program& program : s.programs) cores += program.cores;
  EXPECT_EQ(cores, 12);
  EXPECT_EQ(programAt(s, 0).cores, 1);
  EXPECT_EQ(programAt(s, 0).name, "loads A (sends on), B (sends on); writes C");
  EXPECT_EQ(programAt(s, 1).cores, 2) << "x = 0: loads A, receives B";
  EXPECT_EQ(programAt(s, 4).cores, 6) << "receives both";
}

TEST_F(Lowering, MoversOfAMulticast) {
  const Schedule s = lowered(gemmOnMesh());
  const std::vector<Op> root{Op::LoopBegin, Op::LoopBegin, Op::LoopBegin, Op::Acquire, Op::Load,
                             Op::Send,      Op::Publish,   Op::LoopEnd,   Op::LoopEnd, Op::LoopEnd};
  EXPECT_EQ(opsOf(programAt(s, 0).processes[0]), root);
  const std::vector<Op> member{Op::LoopBegin, Op::LoopBegin, Op::LoopBegin, Op::Acquire,
                               Op::Ready,     Op::Receive,   Op::Publish,   Op::LoopEnd,
                               Op::LoopEnd,   Op::LoopEnd};
  EXPECT_EQ(opsOf(programAt(s, 1).processes[0]), member);
}

TEST_F(Lowering, MoreIterationsThanCoresCountAreRefused) {
  const std::int64_t rows = std::int64_t{1} << 40;
  p.kernel.loops[0].extent = rows;
  const auto s = lower(p.kernel, p.nest, p.hw, gemmOnMesh());
  ASSERT_FALSE(s);
  EXPECT_NE(render(s.diagnostics()).find("too many iterations to simulate"), std::string::npos);
}

TEST_F(Lowering, ComputeHoldsAHoistedOperandThroughTheLoopsInside) {
  mapping::Mapping m = gemmOnMesh();
  m.inputs[0].level = 1;
  const Schedule s = lowered(m);
  EXPECT_EQ(s.outputLevel, 2);
  const std::vector<Op> compute{Op::LoopBegin, Op::WaitFull, Op::LoopBegin, Op::Acquire,
                                Op::LoopBegin, Op::WaitFull, Op::Compute,   Op::Release,
                                Op::LoopEnd,   Op::Publish,  Op::LoopEnd,   Op::Release,
                                Op::LoopEnd};
  EXPECT_EQ(opsOf(programAt(s, 0).processes[2]), compute);
}

TEST_F(Lowering, AStreamForwardsAfterPublishingAndKeepsTheSlot) {
  mapping::Mapping m = gemmOnMesh();
  m.order = {};
  m.tileSize = {12, 12, 16};
  m.inputs = {{MovementKind::Stream, 2, 1, 0, 1}, {MovementKind::Direct, 0, 0, 0, 1}};
  const Schedule s = lowered(m);
  const auto mover = [&](std::size_t core) { return opsOf(programAt(s, core).processes[0]); };
  EXPECT_EQ(mover(0), (std::vector<Op>{Op::Acquire, Op::Load, Op::Publish, Op::Send, Op::Release}));
  EXPECT_EQ(mover(1), (std::vector<Op>{Op::Acquire, Op::Ready, Op::Receive, Op::Publish, Op::Send,
                                       Op::Release}));
  EXPECT_EQ(mover(2), (std::vector<Op>{Op::Acquire, Op::Ready, Op::Receive, Op::Publish}));
}

TEST_F(Lowering, AnEpilogueOperandIsAwaitedJustBeforeIt) {
  p = test::makeProblem(test::smallMesh(2, 2), "gemm_bias_relu", {{"M", 16}, {"N", 16}, {"K", 16}});
  mapping::Mapping m = gemmOnMesh();
  m.inputs.assign(3, {MovementKind::Direct, 0, 0, 3, 2});
  m.inputs[2].level = 2;
  const Schedule s = lowered(m);
  const auto& processes = programAt(s, 0).processes;
  const auto compute = std::find_if(processes.begin(), processes.end(), [](const Process& process) {
    return process.role == Process::Role::Compute;
  });
  std::vector<Op> tail = opsOf(*compute);
  tail.erase(tail.begin(), std::find(tail.begin(), tail.end(), Op::Compute));
  EXPECT_EQ(tail,
            (std::vector<Op>{Op::Compute, Op::Release, Op::Release, Op::LoopEnd, Op::WaitFull,
                             Op::Epilogue, Op::Release, Op::Publish, Op::LoopEnd, Op::LoopEnd}));
}

TEST_F(Lowering, ATreeCombinesInRounds) {
  mapping::Mapping m = gemmOnMesh();
  m.space = {LoopId(2), {}};
  m.inputs.assign(2, {MovementKind::Direct, 0, 0, 2, 1});
  m.order = {LoopId(0), LoopId(1)};
  m.outputs = {{ReductionTopology::Tree, -1, 1}};
  const Schedule s = lowered(m);
  ASSERT_EQ(s.channels.size(), 2u);
  EXPECT_EQ(s.channels[0].step, 1);
  EXPECT_EQ(s.channels[1].step, 2);
  const auto combines = [&](std::size_t core) {
    std::ptrdiff_t count = 0;
    for (const Process& process : programAt(s, core).processes) {
      count += std::count_if(process.code.begin(), process.code.end(),
                             [](const Instruction& i) { return i.op == Op::Reduce; });
    }
    return count;
  };
  EXPECT_EQ(combines(0), 2) << "4 positions: two rounds";
  EXPECT_EQ(combines(3), 0);
  EXPECT_EQ(combines(6), 1);
  EXPECT_EQ(combines(9), 0);
}

TEST_F(Lowering, BuffersAreTheMappingsMemory) {
  mapping::Mapping m = gemmOnMesh();
  m.outputs = {{ReductionTopology::None, 1, 2}};
  const Schedule s = lowered(m);
  EXPECT_EQ(s.localBytes, mapping::localMemoryBytes(p.nest, m, s.tiling, p.hw));
  EXPECT_EQ(s.localBytes, 4 * 4 * 2 * (2 + 2 + 2 + 1)) << "two slots each, and one to gather into";
}

TEST_F(Lowering, AMappingOfAnotherShapeIsRefused) {
  mapping::Mapping m = gemmOnMesh();
  m.inputs.pop_back();
  EXPECT_FALSE(lower(p.kernel, p.nest, p.hw, m).ok());
  m = gemmOnMesh();
  m.tileSize[1] = 0;
  EXPECT_FALSE(lower(p.kernel, p.nest, p.hw, m).ok());
}

TEST_F(Lowering, LinesWithADisabledCoreGetNoWork) {
  std::string text = test::smallMesh(4, 3, 3);
  text.replace(text.find("launch ="), 0, "disabled = [(2, 1)], ");
  p = test::makeProblem(text, "gemm", {{"M", 48}, {"N", 36}, {"K", 16}});
  ASSERT_EQ(p.hw.coreCount(), 9) << "column 2 is left out";
  const auto schedule = lower(p.kernel, p.nest, p.hw, gemmOnMesh());
  ASSERT_TRUE(schedule.ok()) << render(schedule.diagnostics());
  EXPECT_EQ(test::findings(*schedule, p), "");
}

}  // namespace
}  // namespace gridloom::schedule
