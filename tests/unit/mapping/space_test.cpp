// SPDX-License-Identifier: Apache-2.0
#include "mapping/space.h"

#include <gtest/gtest.h>

#include <set>

#include "support/problem.h"

namespace gridloom::mapping {
namespace {

using test::makeProblem;
using test::smallMesh;

Axes axesOf(const test::Problem& p, const Constraints& constraints = {}) {
  return makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, p.compute.vectorLanes,
                  constraints);
}

TEST(Space, BlocksArePowersOfTheIntrinsicTheExtentAndEvenShares) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 20}, {"N", 32}, {"K", 6}});
  const Axes axes = axesOf(p);
  EXPECT_EQ(axes.blocks[0], (std::vector<std::int64_t>{4, 8, 12, 16, 20}))
      << "12 = 20 / 2 rounded up to 4";
  EXPECT_EQ(axes.blocks[1], (std::vector<std::int64_t>{4, 8, 16, 32}));
  EXPECT_EQ(axes.blocks[2], (std::vector<std::int64_t>{4, 6}));
}

TEST(Space, EveryAssignmentOfLoopsToDimensionsWithBothTilingOrders) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  // none, i, j, k on each dimension: 16; k on both is not offered; i on both and j on both have two orders.
  EXPECT_EQ(axesOf(p).spaces.size(), 16u - 1 + 2);
}

TEST(Space, ReductionsStayInTimeWhenStateRunsThroughThem) {
  const auto p =
      makeProblem(smallMesh(2, 2), "flash_attention", {{"H", 4}, {"SQ", 16}, {"SK", 16}, {"D", 8}});
  for (const SpaceChoice& choice : axesOf(p).spaces) {
    for (const LoopId loop : choice.space) {
      EXPECT_TRUE(!loop.valid() || kernel::contains(p.nest.parallel, loop))
          << p.kernel.loop(loop).name;
    }
  }
}

TEST(Space, WholeLoopsHaveOneBlock) {
  const auto p = makeProblem(smallMesh(2, 2), "softmax");
  ASSERT_FALSE(p.nest.whole.empty());
  for (const auto& whole : p.nest.whole) {
    EXPECT_EQ(axesOf(p).blocks[whole.loop.index()],
              std::vector<std::int64_t>{p.kernel.loop(whole.loop).extent});
  }
}

TEST(Space, TransfersStandInsideALoopTheyDependOn) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  Mapping m;
  m.block = {8, 8, 8};
  m.space = {LoopId(0), LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0), LoopId(1), LoopId(2)};
  std::set<int> levels;
  for (const InputMovement& move : inputOptions(p.nest, 0, m, p.hw, {})) levels.insert(move.level);
  EXPECT_EQ(levels, (std::set<int>{0, 1, 3})) << "A[i, k] directly inside j would repeat itself";
  for (const InputMovement& move : inputOptions(p.nest, 0, m, p.hw, {})) {
    EXPECT_EQ(move.along & ~DimMask{2}, 0u) << "A is shared along y only";
    EXPECT_TRUE(move.level > 0 || move.buffers == 1) << "a single load needs no second buffer";
  }
}

TEST(Space, EveryPointPassesTheCheckOfForeignMappings) {
  const auto p = makeProblem(smallMesh(2, 3), "gemm", {{"M", 40}, {"N", 28}, {"K", 36}});
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Mapping m = test::randomMapping(p, seed);
    if (m.inputs.empty()) continue;
    ++checked;
    EXPECT_EQ(render(checkMapping(p.kernel, p.nest, p.hw, m)), "");
  }
  EXPECT_GT(checked, 400);
}

TEST(Space, ForeignMappingsAreRefusedWithReasons) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  const Mapping good = test::randomMapping(p, 7);
  ASSERT_EQ(checkMapping(p.kernel, p.nest, p.hw, good).size(), 0u);
  const auto message = [&](const Mapping& m) {
    const auto errors = checkMapping(p.kernel, p.nest, p.hw, m);
    return errors.empty() ? std::string() : errors.front().message;
  };
  Mapping m = good;
  m.block[0] = 0;
  EXPECT_EQ(message(m), "block 0 of loop i is not between 1 and 64");
  m = good;
  m.inputs.pop_back();
  EXPECT_EQ(message(m), "the mapping has 1 input movements, 2 wanted");
  m = good;
  m.dimOrder = {0, 0};
  EXPECT_EQ(message(m), "the tiling order does not name every mesh dimension once");
  m = good;
  m.space = {LoopId(9), LoopId()};
  EXPECT_EQ(message(m), "the mapping names a loop the kernel does not have");
  m = good;
  m.inputs[0].along = 3;
  m.inputs[0].spread = Spread::Multicast;
  EXPECT_EQ(message(m), "the movement of A is not possible in this mapping");
}

}  // namespace
}  // namespace gridloom::mapping
