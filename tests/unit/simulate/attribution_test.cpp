// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "unit/simulate/run.h"

namespace gridloom::simulate {
namespace {

double timeIn(const Simulation& s, State state) {
  return s.states[static_cast<std::size_t>(state)];
}

// The same numbers as in exact_cycles_test.cpp.
TEST(Attribution, OneTileStepByStep) {
  const test::Problem p = makeProblem(test::smallMesh(1, 1, 1), "vector_add", {{"N", 64}});
  const Simulation s = ran(p, addInTiles(1, 1));
  EXPECT_NEAR(timeIn(s, State::WaitLoad), 20 + 30, 1e-9) << "setup and latency of a";
  EXPECT_NEAR(timeIn(s, State::WaitDram), 128.0 / 12 + 128.0 / 12 - 3, 1e-9)
      << "a's service, then b's from the moment a is there";
  EXPECT_NEAR(timeIn(s, State::WaitLink), 3 + 3, 1e-9) << "the port's latency, twice";
  EXPECT_NEAR(timeIn(s, State::Compute), 16, 1e-9);
  EXPECT_NEAR(timeIn(s, State::Idle), 50 + 20 + 3 + 30 + 128.0 / 12, 1e-9) << "launch, last store";
  EXPECT_NEAR(timeIn(s, State::WaitSync) + timeIn(s, State::WaitStore), 0, 1e-9);
}

TEST(Attribution, AMemberWaitsForWhatItsSenderWaitsFor) {
  const test::Problem p =
      makeProblem(test::smallMesh(2, 1, 1), "kernel outer(M = 2, N = 64) {\n"
                                            "  tensor a[M]: f16\n  tensor b[N]: f16\n"
                                            "  tensor c[M, N]: f16\n  c[i, j] = a[i] + b[j]\n}\n");
  mapping::Mapping m;
  m.tileSize = {1, 64};
  m.space = {mapping::LoopId(0), {}};
  m.dimOrder = {0, 1};
  m.inputs = {{mapping::MovementKind::Direct, 0, 0, 0, 1},
              {mapping::MovementKind::Multicast, 1, 0, 0, 1}};
  m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
  const Simulation s = ran(p, m);
  const auto& member = s.coreStates[1];
  // Its own a leaves the channel at 111 and arrives at 114. By then the sender has had b for a
  // sixth of a cycle. What is left: the rest of the handshake, setup, and 8 + 2 cycles of link.
  EXPECT_NEAR(member[static_cast<std::size_t>(State::WaitDram)], 11, 1e-9);
  EXPECT_NEAR(member[static_cast<std::size_t>(State::WaitSync)], 5 - 1.0 / 6, 1e-9);
  EXPECT_NEAR(member[static_cast<std::size_t>(State::WaitLoad)], 50 + 10, 1e-9);
  EXPECT_NEAR(member[static_cast<std::size_t>(State::WaitLink)], 3 + 10, 1e-9);
}

TEST(Attribution, IdleCoresAreIdleAndNotCounted) {
  const test::Problem p = makeProblem(test::smallMesh(2, 2), "vector_add", {{"N", 64}});
  const Simulation s = ran(p, addInTiles(1, 1));
  ASSERT_EQ(s.coreStates.size(), 4u);
  for (std::size_t core = 1; core < 4; ++core) {
    EXPECT_NEAR(s.coreStates[core][static_cast<std::size_t>(State::Idle)], s.cycles, 1e-9);
  }
  EXPECT_NEAR(std::accumulate(s.states.begin(), s.states.end(), 0.0), s.cycles, 1e-9);
  EXPECT_NEAR(timeIn(s, State::Compute), 16, 1e-9) << "per active core";
}

TEST(Attribution, BottleneckNamesTheBusiestResource) {
  const test::Problem p = makeProblem(test::smallMesh(1, 1, 1), "vector_add", {{"N", 6400}});
  mapping::Mapping large = addInTiles(10, 2);
  large.tileSize = {640};
  EXPECT_EQ(ran(p, large).bottleneck, "dram 0") << "6 bytes for each quarter cycle of compute";
  const test::Problem one = makeProblem(test::smallMesh(1, 1, 1), "vector_add", {{"N", 64}});
  EXPECT_EQ(ran(one, addInTiles(1, 1)).bottleneck, "latency") << "nothing is busy half the time";
}

TEST(Attribution, UtilizationCountsTheKernelsOwnWork) {
  const test::Problem p =
      makeProblem(test::smallMesh(2, 2), "gemm", {{"M", 16}, {"N", 16}, {"K", 16}});
  const Simulation s = ran(p, directGemm());
  EXPECT_EQ(s.flops, 2.0 * 16 * 16 * 16);
  EXPECT_NEAR(s.utilization, s.flops / (128.0 * 4 * s.cycles), 1e-12);
  EXPECT_NEAR(s.seconds, s.cycles / 1e9, 1e-18);
  EXPECT_NEAR(s.tflops, s.flops / s.seconds / 1e12, 1e-12);
}

}  // namespace
}  // namespace gridloom::simulate
