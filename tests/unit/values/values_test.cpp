// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernel/interpreter.h"
#include "unit/simulate/run.h"

namespace gridloom::simulate {
namespace {

using mapping::LoopId;
using mapping::MovementKind;
using mapping::ReductionTopology;

/// gemm with edge tiles on 3 x 2 cores; every movement occurs here once.
struct Values : testing::Test {
  test::Problem p = makeProblem(test::smallMesh(3, 2), "gemm", {{"M", 14}, {"N", 11}, {"K", 13}});
  kernel::TensorValues inputs = kernel::sampleInputs(p.kernel, 3);
  kernel::TensorValues expected = *kernel::interpret(p.kernel, inputs);

  mapping::Mapping onMesh() const {
    mapping::Mapping m = directGemm();
    m.tileSize = {2, 3, 4};
    return m;
  }

  void expectEqual(const mapping::Mapping& m) {
    const schedule::Schedule s = lowered(p, m);
    EXPECT_EQ(test::findings(s, p), "");
    Options options;
    options.values = true;
    options.inputs = &inputs;
    const auto result = run(p, s, options);
    ASSERT_TRUE(result.ok()) << render(result.diagnostics());
    const auto& got = result->outputs.at("C").data;
    const auto& want = expected.at("C").data;
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t e = 0; e < want.size(); ++e) {
      ASSERT_NEAR(got[e], want[e], 1e-9 * std::max(1.0, std::abs(want[e]))) << e;
    }
    // Computing values does not change the timing.
    EXPECT_EQ(run(p, s)->cycles, result->cycles);
  }
};

TEST_F(Values, Direct) { expectEqual(onMesh()); }

TEST_F(Values, MulticastBothOperands) {
  mapping::Mapping m = onMesh();
  m.inputs = {{MovementKind::Multicast, 2, 1, 3, 2}, {MovementKind::Multicast, 1, 0, 3, 1}};
  expectEqual(m);
}

TEST_F(Values, AllGatherBothOperands) {
  mapping::Mapping m = onMesh();
  m.tileSize = {3, 3, 4};  // 5 x 4 tiles; the shares of 12 elements differ on 3 cores
  m.inputs = {{MovementKind::AllGather, 2, 1, 1, 1}, {MovementKind::AllGather, 1, 0, 0, 1}};
  m.order = {LoopId(0), LoopId(1), LoopId(2)};
  expectEqual(m);
}

TEST_F(Values, AllGatherOfFewerElementsThanCores) {
  mapping::Mapping m = onMesh();
  m.tileSize = {5, 1, 1};  // shares of single elements; some are empty
  m.order = {LoopId(1), LoopId(2)};
  m.inputs = {{MovementKind::Direct, 0, 0, 2, 1}, {MovementKind::AllGather, 1, 0, 2, 2}};
  expectEqual(m);
}

TEST_F(Values, StreamBothOperandsHoisted) {
  mapping::Mapping m = onMesh();
  m.order = {LoopId(2), LoopId(0), LoopId(1)};
  m.inputs = {{MovementKind::Stream, 2, 1, 2, 1}, {MovementKind::Stream, 1, 0, 1, 2}};
  expectEqual(m);
}

TEST_F(Values, TwoDimensionalMulticastAndStages) {
  mapping::Mapping m = onMesh();
  m.space = {LoopId(1), LoopId(1)};
  m.tileSize = {5, 2, 4};
  for (const std::uint8_t first : {std::uint8_t{0}, std::uint8_t{1}}) {
    for (const MovementKind kind : {MovementKind::Multicast, MovementKind::TwoStage}) {
      m.order = {LoopId(0), LoopId(2)};
      m.inputs = {{kind, 3, first, 2, 2}, {MovementKind::Direct, 0, 0, 2, 1}};
      expectEqual(m);
    }
  }
}

TEST_F(Values, SplitReductions) {
  for (const ReductionTopology reduction : {ReductionTopology::Chain, ReductionTopology::Tree}) {
    for (const std::uint8_t buffers : {std::uint8_t{1}, std::uint8_t{2}}) {
      mapping::Mapping m = onMesh();
      m.space = {LoopId(2), LoopId(0)};
      m.outputs = {{reduction, -1, buffers}};
      expectEqual(m);
    }
  }
}

TEST_F(Values, GatherAlongEachDimension) {
  for (const std::int8_t dim : {std::int8_t{0}, std::int8_t{1}}) {
    mapping::Mapping m = onMesh();
    m.outputs = {{ReductionTopology::None, dim, 2}};
    expectEqual(m);
    m.order = {LoopId(2), LoopId(1), LoopId(0)};  // one output slot holds all tiles of a core
    expectEqual(m);
  }
}

TEST_F(Values, CombineAndGatherTogether) {
  mapping::Mapping m = onMesh();
  m.space = {LoopId(2), LoopId(0)};
  m.outputs = {{ReductionTopology::Tree, 1, 1}};
  expectEqual(m);
}

TEST_F(Values, StationaryOperandsAreLoadedOnce) {
  mapping::Mapping m = onMesh();
  m.inputs = {{MovementKind::Multicast, 2, 1, 0, 1}, {MovementKind::Direct, 0, 0, 0, 1}};
  expectEqual(m);
}

TEST_F(Values, AnElementThatIsNotInASlotIsAnError) {
  schedule::Schedule s = lowered(p, onMesh());
  for (schedule::Program& program : s.programs) {
    for (schedule::Process& process : program.processes) {
      std::erase_if(process.code, [&](const schedule::Instruction& i) {
        const bool compute = process.role == schedule::Process::Role::Compute;
        return compute && i.buffer.valid() && s.buffers[i.buffer.index()].name == "B";
      });
    }
  }
  Options options;
  options.values = true;
  options.inputs = &inputs;
  const auto result = run(p, s, options, {.maxSteps = 0});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.diagnostics().front().message.find("read of B[0, 0] before it was received"),
            std::string::npos)
      << render(result.diagnostics());
}

TEST_F(Values, InputsAreChecked) {
  const schedule::Schedule s = lowered(p, onMesh());
  Options options;
  options.values = true;
  EXPECT_FALSE(run(p, s, options).ok()) << "no inputs at all";
  kernel::TensorValues wrong = inputs;
  wrong.erase("A");
  wrong["B"].shape = {11, 13};
  options.inputs = &wrong;
  const auto result = run(p, s, options);
  ASSERT_EQ(result.diagnostics().size(), 2u);
  EXPECT_NE(result.diagnostics()[0].message.find("input A"), std::string::npos);
  EXPECT_NE(result.diagnostics()[1].message.find("[13, 11]"), std::string::npos);
}

}  // namespace
}  // namespace gridloom::simulate
