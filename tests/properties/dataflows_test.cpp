// SPDX-License-Identifier: Apache-2.0
//
// The dataflows that are built in, as recurrences (Cyclotron) and in T2S-Tensor's words, go through
// the whole line: mappings under them are legal, their schedules verify and compute the
// interpreter's values.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <tuple>

#include "schedule/process_roles.h"
#include "schedule/schedule.h"
#include "support/line_check.h"
#include "syntax/directive_parser.h"

namespace gridloom::dataflows_property {
namespace {

std::string textOf(const std::string& file) {
  std::ifstream in(std::string(GRIDLOOM_SOURCE_DIR) + "/" + file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string mesh() { return test::smallMesh(3, 3); }
std::string array(int rows, int columns) {
  std::string text = textOf("bench/studies/t2s_array.hw");
  text.replace(text.find("df.spatial_dim 8"), 16, "df.spatial_dim " + std::to_string(rows));
  return text.replace(text.find("df.spatial_dim 9"), 16,
                      "df.spatial_dim " + std::to_string(columns));
}

struct Case {
  const char* name;
  std::string hardware, kernel;
  test::Settings settings;
};

const test::Settings kProduct{{"M", 16}, {"N", 24}, {"K", 16}}, kSolve{{"N", 12}, {"R", 12}};

const Case kCases[] = {{"cyclotron_cannon", mesh(), "gemm", kProduct},
                       {"cyclotron_summa", mesh(), "gemm", kProduct},
                       {"cyclotron_pumma", mesh(), "gemm", kProduct},
                       {"cyclotron_weight_stationary", mesh(), "gemm", kProduct},
                       {"cyclotron_trsm_stream", mesh(), "trsm", kSolve},
                       {"cyclotron_trsm_broadcast", mesh(), "trsm", kSolve},
                       {"cyclotron_trsm_prefetch", mesh(), "trsm", kSolve},
                       {"t2s_gemm", array(3, 2), "gemm", {{"M", 96}, {"N", 64}, {"K", 48}}},
                       {"t2s_ttm", array(2, 3), "ttm", {{"I", 8}, {"J", 16}, {"K", 48}, {"L", 64}}},
                       {"t2s_mttkrp",
                        array(2, 3),
                        textOf("bench/studies/t2s_mttkrp.rec"),
                        {{"I", 32}, {"J", 48}, {"K", 3}, {"L", 32}}},
                       {"t2s_ttmc",
                        array(2, 3),
                        textOf("bench/studies/t2s_ttmc.rec"),
                        {{"I", 16}, {"J", 8}, {"K", 12}, {"L", 4}, {"M", 32}}}};

// The solves have tiles of 64: of 4 here.
std::string directivesOf(const Case& c) {
  std::string text = textOf(std::string("kernels/directives/") + c.name + ".sched");
  for (std::size_t at = text.find(", 64)"); at != std::string::npos; at = text.find(", 64)"))
    text.replace(at, 5, ", 4)");
  return text;
}

struct Dataflows : testing::TestWithParam<Case> {};

TEST_P(Dataflows, VerifyAndComputeRightValues) {
  const Case& c = GetParam();
  const test::Problem p = test::makeProblem(c.hardware, c.kernel, c.settings);
  const auto parsed = syntax::parseDirectives(base::makeSource("flow.sched", directivesOf(c)));
  ASSERT_TRUE(parsed) << render(parsed.diagnostics());
  ASSERT_GT(parsed->list.size(), 6U);
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

INSTANTIATE_TEST_SUITE_P(BuiltIn, Dataflows, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

// Every role that `isolate` asks for is in the schedules of the mappings that are left.
TEST(Roles, ThatAreAskedForAreInTheSchedule) {
  const std::tuple<const char*, test::Settings, const char*, const char*> asked[] = {
      {"gemm", kProduct, "A", "loader"},   {"gemm", kProduct, "A", "feeder"},
      {"gemm", kProduct, "C", "drainer"},  {"gemm", kProduct, "C", "collector"},
      {"gemm", kProduct, "C", "unloader"}, {"trsm", kSolve, "L", "loader"},
      {"trsm", kSolve, "L", "feeder"},     {"trsm", kSolve, "X@2", "loader"},
      {"trsm", kSolve, "X@2", "feeder"}};
  for (const auto& [kernel, settings, operand, role] : asked) {
    const test::Problem p = test::makeProblem(test::smallMesh(2, 2), kernel, settings);
    const bool isSolve = std::string_view(kernel) == "trsm";
    const std::string text = std::string("isolate(") + operand + ", " + role + ")" +
                             (isSolve ? " space(i->y) space(r->x) tile(i, 4) tile(r, 4)"
                                      : " space(i->y) space(j->x) tile(i, 4) tile(j, 4)");
    const auto parsed = syntax::parseDirectives(base::makeSource("roles.sched", text));
    ASSERT_TRUE(parsed) << render(parsed.diagnostics());
    const auto constraints = mapping::resolve(*parsed, p.kernel, p.nest, p.hw);
    ASSERT_TRUE(constraints) << render(constraints.diagnostics());
    int checked = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const auto mapping = test::sampled(p, *constraints, seed);
      if (!mapping) continue;
      ++checked;
      const auto counts =
          schedule::roleCounts(*schedule::lower(p.kernel, p.nest, p.hw, *mapping), p.nest);
      EXPECT_TRUE(std::ranges::any_of(counts,
                                      [&](const schedule::RoleCount& c) {
                                        return c.operand == operand &&
                                               mapping::nameOf(c.role) == role;
                                      }))
          << text << "\n"
          << mapping::describe(p.kernel, p.nest, p.hw, *mapping);
    }
    // Nobody feeds tiles of X that are forwarded or stay: maybe no mapping is left.
    EXPECT_TRUE(checked > 0 || std::string_view(operand) == "X@2") << text;
  }
}

}  // namespace
}  // namespace gridloom::dataflows_property
