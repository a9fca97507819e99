// SPDX-License-Identifier: Apache-2.0
#include "mapping/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/problem.h"

namespace gridloom::mapping {
namespace {

struct Case {
  const char* name;
  std::string hardware;
  const char* kernel;
  int size;  ///< of all loops
};

const Case kCases[] = {
    {"gemm", test::smallMesh(2, 3), "gemm", 48},
    {"shared_buffer", test::meshWithSharedBuffer(2, 2), "gemm", 32},
    {"rings", test::smallTorus(2, 2, true), "softmax", 32},
    {"produced", test::smallMesh(2, 2), "jacobi2d", 8},
};

test::Problem problemOf(const Case& of) {
  if (of.kernel == std::string("gemm"))
    return test::makeProblem(of.hardware, of.kernel,
                             {{"M", of.size}, {"N", of.size}, {"K", of.size}});
  if (of.kernel == std::string("softmax"))
    return test::makeProblem(of.hardware, of.kernel, {{"M", of.size}, {"N", of.size}});
  return test::makeProblem(of.hardware, of.kernel, {{"N", of.size}, {"T", 2}});
}

class NeighboursOf : public testing::TestWithParam<Case> {
 protected:
  test::Problem p = problemOf(GetParam());
  Constraints constraints;

  Axes axes() const {
    return makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, p.compute.vectorLanes,
                    constraints);
  }
  std::vector<Mapping> of(const Mapping& mapping) const {
    const Axes all = axes();
    return Neighbours(p.kernel, p.nest, p.hw, all, constraints).of(mapping);
  }
  std::optional<Mapping> draw(std::uint64_t seed) const {
    return sampleMapping(p.kernel, p.nest, p.hw, axes(), constraints, seed);
  }
  bool isLegal(const Mapping& mapping) const {
    return checkMapping(p.kernel, p.nest, p.hw, mapping).empty();
  }
};

bool isIn(const std::vector<Mapping>& all, const Mapping& mapping) {
  return std::ranges::find(all, mapping) != all.end();
}

TEST_P(NeighboursOf, AreLegalAndDifferFromTheMappingAndFromEachOther) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto mapping = draw(seed);
    ASSERT_TRUE(mapping);
    std::vector<Mapping> seen{*mapping};
    for (const Mapping& neighbour : of(*mapping)) {
      EXPECT_TRUE(isLegal(neighbour)) << describe(p.kernel, p.nest, p.hw, neighbour);
      EXPECT_FALSE(isIn(seen, neighbour)) << describe(p.kernel, p.nest, p.hw, neighbour);
      seen.push_back(neighbour);
    }
    EXPECT_GT(seen.size(), 3U);
  }
}

// The slow way: every option of every input, and every tile size of every loop.
TEST_P(NeighboursOf, HoldEveryOtherMovementAndEveryOtherTileSize) {
  const Axes all = axes();
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto mapping = draw(seed);
    ASSERT_TRUE(mapping);
    const std::vector<Mapping> found = of(*mapping);
    for (std::size_t i = 0; i < mapping->inputs.size(); ++i) {
      for (const InputMovement& option : inputOptions(p.nest, i, *mapping, p.hw, constraints)) {
        Mapping other = *mapping;
        other.inputs[i] = option;
        if (other == *mapping || !isLegal(other)) continue;
        EXPECT_TRUE(isIn(found, other)) << describe(p.kernel, p.nest, p.hw, other);
      }
    }
    for (std::size_t l = 0; l < mapping->tileSize.size(); ++l) {
      for (const std::int64_t size : all.tileSizes[l]) {
        Mapping other = *mapping;
        other.tileSize[l] = size;
        if (other == *mapping || !isLegal(other)) continue;
        EXPECT_TRUE(isIn(found, other)) << describe(p.kernel, p.nest, p.hw, other);
      }
    }
  }
}

TEST_P(NeighboursOf, KeepToTheConstraints) {
  constraints.inputs[0].kind = MovementKind::Direct;
  constraints.inputs[0].buffers = 1;
  std::size_t count = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto mapping = draw(seed);
    if (!mapping) continue;
    for (const Mapping& neighbour : of(*mapping)) {
      ++count;
      EXPECT_EQ(neighbour.inputs[0].kind, MovementKind::Direct);
      EXPECT_EQ(neighbour.inputs[0].buffers, 1);
    }
  }
  EXPECT_GT(count, 0U);
}

INSTANTIATE_TEST_SUITE_P(Small, NeighboursOf, testing::ValuesIn(kCases),
                         [](const auto& of) { return std::string(of.param.name); });

// Steps from neighbour to neighbour lead to every point of a small space.
TEST(Neighbours, ReachTheWholeSpaceStepByStep) {
  const test::Problem p = test::makeProblem(test::smallMesh(2, 1), "vector_add", {{"N", 256}});
  const Axes axes =
      makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, p.compute.vectorLanes, {});
  std::vector<Mapping> reached{*sampleMapping(p.kernel, p.nest, p.hw, axes, {}, 1)};
  const Constraints none;
  Neighbours neighbours(p.kernel, p.nest, p.hw, axes, none);
  for (std::size_t at = 0; at < reached.size() && at < 5'000; ++at) {
    for (Mapping& next : neighbours.of(Mapping(reached[at]))) {
      if (!isIn(reached, next)) reached.push_back(std::move(next));
    }
  }
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto mapping = sampleMapping(p.kernel, p.nest, p.hw, axes, {}, seed);
    EXPECT_TRUE(isIn(reached, *mapping)) << describe(p.kernel, p.nest, p.hw, *mapping);
  }
}

}  // namespace
}  // namespace gridloom::mapping
