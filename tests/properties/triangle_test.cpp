// SPDX-License-Identifier: Apache-2.0
//
// A mesh whose cores are an affine set: a triangle. Kernels map onto all its cores, whose lines are
// folded to one length, their schedules verify, and no core outside the set has a program.
#include <gtest/gtest.h>

#include "mapping/space.h"
#include "schedule/schedule.h"
#include "support/line_check.h"

namespace gridloom::triangle_property {
namespace {

// The cores on and below the diagonal of 5 x 5: 15, folded to three lines of five.
std::string triangle(std::string text) {
  const std::string cores = "scaleout = (%x, %y), scalein";
  return text.replace(text.find(cores), cores.size(),
                      "scaleout = (%x, %y), enabled = affine_set<(d0, d1) : (d0 <= d1)>, scalein");
}

struct Case {
  const char* kernel;
  test::Settings settings;
};

const Case kCases[] = {{"gemm", {{"M", 13}, {"N", 11}, {"K", 8}}},
                       {"trsm", {{"N", 12}, {"R", 9}}},
                       {"flash_attention", {{"H", 2}, {"SQ", 6}, {"SK", 10}, {"D", 4}}},
                       {"cholesky", {{"N", 12}}}};

struct Triangle : testing::TestWithParam<Case> {};

void expectRuns(const std::string& hardware, const Case& each) {
  const test::Problem p = test::makeProblem(hardware, each.kernel, each.settings);
  EXPECT_EQ(p.hw.enabledCores(), 15);
  ASSERT_EQ(p.hw.coreCount(), 15);
  std::vector<std::int64_t> at(2);
  for (std::size_t core = 0; core < 15; ++core) {
    p.hw.describedCoordinates(hardware::CoreId::of(core), at);
    EXPECT_LE(at[0], at[1]);
  }
  const test::LineCheck check(p);
  int checked = 0, spread = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto mapping = test::sampled(p, {}, seed);
    if (!mapping) continue;
    EXPECT_TRUE(check.run(*mapping)) << mapping::describe(p.kernel, p.nest, p.hw, *mapping);
    ++checked;
    if (mapping->space[0].valid() && mapping->space[1].valid()) ++spread;
  }
  EXPECT_GT(checked, 20);
  EXPECT_GT(spread, 0);
}

TEST_P(Triangle, RunsOnTheCoresThatThereAre) {
  expectRuns(triangle(test::smallMesh(5, 5)), GetParam());
}

TEST_P(Triangle, RunsOnRingsWithLinksInOneDirection) {
  expectRuns(triangle(test::smallTorus(5, 5, true)), GetParam());
}

TEST(FoldedTriangle, TheSearchIsExact) {
  const test::Problem p = test::makeProblem(triangle(test::smallTorus(5, 5, true)), "gemm",
                                            {{"M", 16}, {"N", 16}, {"K", 8}});
  test::expectExactSearch(p, {}, 3);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Triangle, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.kernel); });

}  // namespace
}  // namespace gridloom::triangle_property
