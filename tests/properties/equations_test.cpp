// SPDX-License-Identifier: Apache-2.0
//
// The dataflow recurrences that are built in go through the whole line: mappings under them are
// legal, their schedules verify and compute the interpreter's values.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/line_check.h"
#include "syntax/directive_parser.h"

namespace gridloom {
namespace {

struct Case {
  const char* name;
  const char* kernel;
  test::Settings settings;
  int tile;  ///< of every loop of the file with tiles of 64
};

const Case kCases[] = {
    {"cyclotron_cannon", "gemm", {{"M", 16}, {"N", 24}, {"K", 16}}, 0},
    {"cyclotron_summa", "gemm", {{"M", 16}, {"N", 24}, {"K", 16}}, 0},
    {"cyclotron_pumma", "gemm", {{"M", 16}, {"N", 24}, {"K", 16}}, 0},
    {"cyclotron_weight_stationary", "gemm", {{"M", 16}, {"N", 24}, {"K", 16}}, 0},
    {"cyclotron_trsm_stream", "trsm", {{"N", 12}, {"R", 12}}, 4},
    {"cyclotron_trsm_broadcast", "trsm", {{"N", 12}, {"R", 12}}, 4},
    {"cyclotron_trsm_prefetch", "trsm", {{"N", 12}, {"R", 12}}, 4}};

std::string textOf(const Case& c) {
  std::ifstream in(std::string(GRIDLOOM_SOURCE_DIR) + "/kernels/directives/" + c.name + ".sched");
  std::ostringstream read;
  read << in.rdbuf();
  std::string text = read.str();
  for (std::size_t at = text.find(", 64)"); at != std::string::npos; at = text.find(", 64)"))
    text.replace(at, 5, ", " + std::to_string(c.tile) + ")");
  return text;
}

struct Dataflows : testing::TestWithParam<Case> {};

TEST_P(Dataflows, VerifyAndComputeRightValues) {
  const Case& c = GetParam();
  const test::Problem p = test::makeProblem(test::smallMesh(3, 3), c.kernel, c.settings);
  const auto parsed = syntax::parseDirectives(base::makeSource("flow.sched", textOf(c)));
  ASSERT_TRUE(parsed) << render(parsed.diagnostics());
  const auto constraints = mapping::resolve(*parsed, p.kernel, p.nest, p.hw);
  ASSERT_TRUE(constraints) << render(constraints.diagnostics());
  const test::LineCheck check(p);
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto mapping = test::sampled(p, *constraints, seed);
    if (!mapping) continue;
    EXPECT_TRUE(check.run(*mapping)) << mapping::describe(p.kernel, p.nest, p.hw, *mapping);
    ++checked;
  }
  EXPECT_GT(checked, 0);
}

INSTANTIATE_TEST_SUITE_P(Cyclotron, Dataflows, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace gridloom
