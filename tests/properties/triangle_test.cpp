// SPDX-License-Identifier: Apache-2.0
//
// A mesh whose cores are an affine set: a triangle. Kernels map onto its largest grid of whole
// lines, their schedules verify, and no core outside the set has a program.
#include <gtest/gtest.h>

#include "mapping/space.h"
#include "schedule/schedule.h"
#include "support/line_check.h"

namespace gridloom {
namespace {

// The cores on and below the diagonal of 5 x 5: 15, of which 3 x 3 are whole lines.
std::string triangle() {
  std::string text = test::smallMesh(5, 5);
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
                       {"cholesky", {{"N", 12}}}};

struct Triangle : testing::TestWithParam<Case> {};

TEST_P(Triangle, RunsOnTheCoresThatThereAre) {
  const test::Problem p = test::makeProblem(triangle(), GetParam().kernel, GetParam().settings);
  EXPECT_EQ(p.hw.enabledCores(), 15);
  EXPECT_EQ(p.hw.coreCount(), 9);
  std::vector<std::int64_t> at(2);
  for (std::size_t core = 0; core < 9; ++core) {
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

INSTANTIATE_TEST_SUITE_P(Kernels, Triangle, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.kernel); });

}  // namespace
}  // namespace gridloom
