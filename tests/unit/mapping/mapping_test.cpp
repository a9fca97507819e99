// SPDX-License-Identifier: Apache-2.0
#include "mapping/mapping.h"
#include "mapping/transfers.h"

#include <gtest/gtest.h>

#include "support/problem.h"

namespace gridloom::mapping {
namespace {

using test::makeProblem;
using test::smallMesh;

// gemm 20 x 12 x 16 on 2 x 2 cores, i over x, j over y, tile sizes 4, 4, 8.
struct GemmOnFour : testing::Test {
  test::Problem p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 20}, {"N", 12}, {"K", 16}});
  Mapping m = [] {
    Mapping mapping;
    mapping.tileSize = {4, 4, 8};
    mapping.space = {LoopId(0), LoopId(1)};
    mapping.dimOrder = {0, 1};
    mapping.order = {LoopId(0), LoopId(1), LoopId(2)};
    mapping.inputs = {{MovementKind::Multicast, 2, 1, 3, 2}, {MovementKind::Direct, 0, 0, 3, 1}};
    mapping.outputs = {{ReductionTopology::None, -1, 1}};
    return mapping;
  }();
  Tiling t = tilingOf(m, p.kernel, p.hw);
};

TEST_F(GemmOnFour, TilesWavesAndRaggedEdges) {
  EXPECT_EQ(t.loops[0].tiles, 5);
  EXPECT_EQ(t.loops[0].unroll, 2);
  EXPECT_EQ(t.loops[0].trips, 3);
  EXPECT_EQ(t.loops[1].tiles, 3);
  EXPECT_EQ(t.loops[1].trips, 2);
  EXPECT_EQ(t.loops[2].unroll, 1);
  EXPECT_EQ(t.elementsOf(LoopId(0), 4), 4);
  EXPECT_EQ(t.elementsOf(LoopId(0), 5), 0) << "past the end there is no work";
  Mapping edge = m;
  edge.tileSize = {8, 4, 8};
  EXPECT_EQ(tilingOf(edge, p.kernel, p.hw).elementsOf(LoopId(0), 2), 4) << "20 = 8 + 8 + 4";
}

TEST_F(GemmOnFour, OperandsAreSharedAlongDimensionsTheyDoNotDependOn) {
  ASSERT_EQ(p.nest.inputs[0].name, "A");
  EXPECT_EQ(sharedDims(p.nest.inputs[0], m), DimMask{2}) << "A[i, k] is the same along y";
  EXPECT_EQ(sharedDims(p.nest.inputs[1], m), DimMask{1}) << "B[k, j] is the same along x";
  EXPECT_EQ(sharedDims(p.nest.outputs[0], m), DimMask{0});
}

TEST_F(GemmOnFour, BuffersGrowWithTheDependentLoopsInsideTheTransfer) {
  const auto& a = p.nest.inputs[0];
  const std::int64_t tile = 4 * 8 * 2;  // f16
  EXPECT_EQ(tileBytes(a, t, m.order, 3), tile);
  EXPECT_EQ(tileBytes(a, t, m.order, 2), 2 * tile) << "holds the strip along k";
  EXPECT_EQ(tileBytes(a, t, m.order, 1), 2 * tile) << "j does not enlarge it";
  EXPECT_EQ(tileBytes(a, t, m.order, 0), 6 * tile) << "all waves of i";
  const Transfers two = inputTransfers(p.nest, m, t, 0, {MovementKind::Direct, 0, 0, 3, 2});
  EXPECT_EQ(two.bytesIn(Memory::Local, p.hw, t), 2 * tile);
}

TEST_F(GemmOnFour, AReductionOutsideParallelLoopsWidensTheOutputScope) {
  const auto& c = p.nest.outputs[0];
  const std::int64_t tile = 4 * 4 * 2;
  EXPECT_EQ(outputLevel(p.nest, m.order), 2);
  EXPECT_EQ(tileBytes(c, t, m.order, 2), tile);
  const std::vector<LoopId> reductionFirst{LoopId(2), LoopId(0), LoopId(1)};
  EXPECT_EQ(outputLevel(p.nest, reductionFirst), 0);
  EXPECT_EQ(tileBytes(c, t, reductionFirst, 0), 3 * 2 * tile);
}

TEST_F(GemmOnFour, CoresWithWork) {
  EXPECT_EQ(activeExtents(m, t, p.hw), (std::vector<std::int64_t>{2, 2}));
  Mapping both = m;
  both.space = {LoopId(0), LoopId(0)};
  both.tileSize = {10, 12, 16};  // two tiles of i on four cores
  EXPECT_EQ(activeExtents(both, tilingOf(both, p.kernel, p.hw), p.hw),
            (std::vector<std::int64_t>{1, 2}));
  both.dimOrder = {1, 0};
  EXPECT_EQ(activeExtents(both, tilingOf(both, p.kernel, p.hw), p.hw),
            (std::vector<std::int64_t>{2, 1}));
}

TEST_F(GemmOnFour, TilingOrderDecidesWhichCoreHasWhichTile) {
  Mapping both = m;
  both.space = {LoopId(0), LoopId(0)};
  const std::int64_t at[] = {1, 0};
  EXPECT_EQ(Tiling::unrollIndexOf(both, p.hw, LoopId(0), at), 2);
  both.dimOrder = {1, 0};
  EXPECT_EQ(Tiling::unrollIndexOf(both, p.hw, LoopId(0), at), 1);
}

TEST_F(GemmOnFour, OneReadableLine) {
  EXPECT_EQ(describe(p.kernel, p.nest, p.hw, m),
            "i->x j->y | i4 j4 k8 | for i j k | A multicast y ×2, B direct, C");
}

}  // namespace
}  // namespace gridloom::mapping
