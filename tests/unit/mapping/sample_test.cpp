// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "mapping/space.h"
#include "support/problem.h"

namespace gridloom::mapping {
namespace {

struct Sample : testing::Test {
  test::Problem p =
      test::makeProblem(test::smallMesh(2, 3), "gemm", {{"M", 48}, {"N", 72}, {"K", 64}});

  std::optional<Mapping> draw(const Constraints& constraints, std::uint64_t seed) {
    const Axes axes =
        makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, p.compute.vectorLanes, constraints);
    return sampleMapping(p.kernel, p.nest, p.hw, axes, constraints, seed);
  }
};

TEST_F(Sample, IsLegalAndTheSameForTheSameSeed) {
  std::set<std::string> different;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto mapping = draw({}, seed);
    ASSERT_TRUE(mapping);
    EXPECT_TRUE(checkMapping(p.kernel, p.nest, p.hw, *mapping).empty());
    EXPECT_EQ(mapping, draw({}, seed));
    different.insert(describe(p.kernel, p.nest, p.hw, *mapping));
  }
  EXPECT_GT(different.size(), 45U);
}

TEST_F(Sample, KeepsToTheConstraints) {
  Constraints constraints;
  constraints.tileSizes[LoopId::of(0)] = {{16, 16}};
  constraints.inputs[0].kind = MovementKind::Direct;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto mapping = draw(constraints, seed);
    ASSERT_TRUE(mapping);
    EXPECT_EQ(mapping->tileSize[0], 16);
    EXPECT_EQ(mapping->inputs[0].kind, MovementKind::Direct);
  }
}

TEST_F(Sample, IsNoneWhereNothingFits) {
  Constraints constraints;
  constraints.space = {{0, LoopId::of(0)}, {1, LoopId::of(0)}};
  constraints.tileSizes[LoopId::of(0)] = {{48, 48}};
  EXPECT_FALSE(draw(constraints, 1)) << "one block cannot be dealt to six cores";
}

}  // namespace
}  // namespace gridloom::mapping
