// SPDX-License-Identifier: Apache-2.0
#include "traffic/traffic.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/problem.h"

namespace gridloom::traffic {
namespace {

using mapping::InputMovement;
using mapping::MovementKind;
using mapping::OutputMovement;
using test::makeProblem;
using test::smallMesh;

double row(const TrafficPatterns& t, const Pattern& p, const std::string& name) {
  double most = 0;
  for (std::size_t r = 0; r < t.resourceCount(); ++r) {
    if (t.resourceNames()[r] == name) most = std::max(most, p.resourceLoads[r]);
  }
  return most;
}

TEST(Traffic, DirectLoadsOfAllCoresShareTheChannels) {
  const auto p = makeProblem(smallMesh(4, 2, 2), "gemm");
  const TrafficPatterns t(p.hw, {4, 2});
  const Pattern& direct = t.input({MovementKind::Direct, 0, 0, 0, 1});
  // Eight cores take half of every byte from each of two channels of 12 B/cycle.
  EXPECT_DOUBLE_EQ(row(t, direct, "dram"), 8 * 0.5 / 12);
  EXPECT_DOUBLE_EQ(direct.transfers, 8);
}

TEST(Traffic, ACancelCutsTheRoutesOfALargeMeshShort) {
  const auto p = makeProblem(smallMesh(4, 2, 2), "gemm");
  base::Progress progress;
  EXPECT_GT(TrafficPatterns(p.hw, {4, 2}, &progress).resourceCount(), 0u);
  progress.cancel();
  const TrafficPatterns cut(p.hw, {4, 2}, &progress);
  EXPECT_EQ(cut.resourceCount(), 0u) << "no route was walked";
  EXPECT_EQ(cut.input({MovementKind::Direct, 0, 0, 0, 1}).transfers, 0) << "every pattern is there";
}

TEST(Traffic, AMulticastUsesEveryLinkOfItsLineOnce) {
  const auto p = makeProblem(smallMesh(4, 2, 2), "gemm");
  const TrafficPatterns t(p.hw, {4, 2});
  const Pattern& along = t.input({MovementKind::Multicast, 1, 0, 0, 1});
  EXPECT_DOUBLE_EQ(along.transfers, 2) << "one load per row";
  EXPECT_DOUBLE_EQ(along.stepPeak[0], 1.0 / 16) << "a link of 16 B/cycle";
  EXPECT_DOUBLE_EQ(along.stepLatency[0], 3 * 2) << "three hops of two cycles";
  const Pattern& stream = t.input({MovementKind::Stream, 1, 0, 0, 1});
  EXPECT_DOUBLE_EQ(stream.hops, 3);
  EXPECT_DOUBLE_EQ(stream.localIn - stream.transfers, 6)
      << "three neighbours in each of two rows receive";
}

TEST(Traffic, TwoDimensionalTreesReachAllCoresOverOneLinkEach) {
  const auto p = makeProblem(smallMesh(4, 2, 2), "gemm");
  const TrafficPatterns t(p.hw, {4, 2});
  for (const std::uint8_t first : {std::uint8_t{0}, std::uint8_t{1}}) {
    const Pattern& tree = t.input({MovementKind::Multicast, 3, first, 0, 1});
    EXPECT_DOUBLE_EQ(tree.transfers, 1);
    EXPECT_DOUBLE_EQ(tree.localIn, 1 + 7);
    const Pattern& staged = t.input({MovementKind::TwoStage, 3, first, 0, 1});
    EXPECT_EQ(staged.stepCount, 2);
    EXPECT_DOUBLE_EQ(staged.network, tree.network) << "the same links, in two steps";
  }
}

TEST(Traffic, OnlyWorkingCoresMove) {
  const auto p = makeProblem(smallMesh(4, 2, 2), "gemm");
  const TrafficPatterns t(p.hw, {3, 1});
  EXPECT_DOUBLE_EQ(t.input({MovementKind::Direct, 0, 0, 0, 1}).transfers, 3);
  EXPECT_DOUBLE_EQ(t.input({MovementKind::Multicast, 1, 0, 0, 1}).stepLatency[0], 2 * 2);
}

TEST(Traffic, CombiningAndGatheringSendTowardsCoordinateZero) {
  const auto p = makeProblem(smallMesh(4, 2, 2), "gemm");
  const TrafficPatterns t(p.hw, {4, 2});
  const Pattern& chain = t.output({mapping::ReductionTopology::Chain, -1, 1}, 1);
  const Pattern& tree = t.output({mapping::ReductionTopology::Tree, -1, 1}, 1);
  const Pattern& gather = t.output({mapping::ReductionTopology::None, 0, 1}, 0);
  EXPECT_DOUBLE_EQ(chain.stepPeak[0], 1.0 / 16) << "each link once";
  EXPECT_DOUBLE_EQ(chain.transfers, 2) << "one writer per row";
  EXPECT_DOUBLE_EQ(tree.localIn, chain.localIn) << "three partial results per row either way";
  EXPECT_DOUBLE_EQ(gather.transfers, 8) << "every tile is written";
  EXPECT_DOUBLE_EQ(gather.stepPeak[0], 3.0 / 16)
      << "the link into coordinate 0 carries all three others";
}

// The kept resources must dominate exactly as all resources would: for any two patterns, the
// largest sum over the kept resources is at least each pattern's own peak.
TEST(Traffic, KeptRowsHoldEveryPatternsPeak) {
  const auto p = makeProblem("wormhole_8x8", "gemm");
  const TrafficPatterns t(p.hw, {8, 8});
  for (const MovementKind s :
       {MovementKind::Direct, MovementKind::Multicast, MovementKind::Stream}) {
    const InputMovement m{s, s == MovementKind::Direct ? 0u : 1u, 0, 0, 1};
    const Pattern& pattern = t.input(m);
    const double most =
        *std::max_element(pattern.resourceLoads.begin(), pattern.resourceLoads.end());
    EXPECT_GE(most * (1 + 1e-12),
              std::max(pattern.loadPeak, s == MovementKind::Direct ? 0 : pattern.stepPeak[0]));
  }
  EXPECT_LT(t.resourceCount(), 64u) << "few rows decide";
}

}  // namespace
}  // namespace gridloom::traffic
