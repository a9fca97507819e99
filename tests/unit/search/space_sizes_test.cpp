// SPDX-License-Identifier: Apache-2.0
#include "search/space_sizes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/problem.h"
#include "syntax/directive_parser.h"

namespace gridloom::search {
namespace {

struct SizesOf : testing::Test {
  test::Problem p =
      test::makeProblem(test::smallMesh(2, 4), "gemm", {{"M", 64}, {"N", 64}, {"K", 32}});

  base::Result<SpaceSizes> sizes(const std::string& text) const {
    const auto parsed = syntax::parseDirectives(base::makeSource("test.sched", text));
    if (!parsed) return parsed.diagnostics();
    const auto constraints = mapping::resolve(*parsed, p.kernel, p.nest, p.hw);
    if (!constraints) return constraints.diagnostics();
    return spaceSizes(p.kernel, p.nest, p.hw, *constraints, "", base::Progress());
  }

  std::int64_t points(const std::string& text) const {
    const auto result = sizes(text);
    EXPECT_TRUE(result) << text << render(result.diagnostics());
    return result ? result->points : -1;
  }
};

// A directive and its exclusion partition the space: no point is in both, none in neither.
TEST_F(SizesOf, ADirectiveAndItsExclusionAddUpToTheWhole) {
  const std::int64_t whole = points("");
  for (const char* directive :
       {"space(i->x)", "space(->y)", "space(i->x, y)", "tile(i, 16)", "tile(k, 4 to 16)",
        "tile(j, 8, 32 to 64)", "prefetch(A)", "multicast(A, x)", "two_stage(B, x, y)",
        "stream(B, y)", "direct(A)", "reduce(C, tree)", "gather(C, x)", "gather(C)"}) {
    const std::int64_t with = points(directive);
    EXPECT_GT(with, 0) << directive;
    EXPECT_LT(with, whole) << directive;
    EXPECT_EQ(with + points("not " + std::string(directive)), whole) << directive;
  }
}

TEST_F(SizesOf, ExclusionsOfSeveralAxesMultiply) {
  const std::string tileSizes = "tile(i, 16) tile(j, 16) tile(k, 16) space(i->x) space(j->y) "
                                "layout(A, page) layout(B, page) ";
  // A and B: direct, or shared along one dimension by one of two movements; each hoisted out of
  // loops it does not depend on.
  const std::int64_t all = points(tileSizes + "order(i, j, k)");
  EXPECT_EQ(points(tileSizes + "order(i, j, k) not stream(A)") * 3, all * 2);
  EXPECT_EQ(points(tileSizes + "order(i, j, k) not stream(A) not stream(B)") * 9, all * 4);
}

TEST_F(SizesOf, AnOrderMayNameSomeOfTheLoops) {
  const std::string tileSizes = "tile(i, 16) tile(j, 8) tile(k, 8) space(->x) space(->y) ";
  const auto ordered = sizes(tileSizes + "order(k, i)");
  ASSERT_TRUE(ordered);
  const auto axis = std::ranges::find(ordered->axes, "order", &AxisChoices::axis);
  ASSERT_NE(axis, ordered->axes.end());
  EXPECT_EQ(axis->choices, (std::vector<std::string>{"j k i", "k i j", "k j i"}));
}

TEST_F(SizesOf, AnAxisWithoutChoicesIsLocated) {
  const auto messageAt = [&](const std::string& text) {
    const auto result = sizes(text);
    return result ? "" : render(result.diagnostics());
  };
  EXPECT_NE(
      messageAt("tile(i, 64)\ntile(j, 5 to 7)\n")
          .find("test.sched:2:1: error: the directives exclude every mapping: no tile size of "
                "loop `j` is left"),
      std::string::npos);
  EXPECT_NE(messageAt("not space(->x)\nnot space(i->x)\nnot space(j->x)\nnot space(k->x)\n")
                .find("test.sched:4:1: error: the directives exclude every mapping: no placement"),
            std::string::npos);
  EXPECT_NE(messageAt("space(i->x, y)\nnot direct(A)\n")
                .find("test.sched:2:1: error: the directives exclude every mapping: no movement of "
                      "`A` is left"),
            std::string::npos);
}

TEST_F(SizesOf, WhyAMovementIsNotLeftFollowsFromWhatWasAskedFor) {
  const auto hint = [&](const std::string& text) {
    const auto result = sizes(text);
    return result ? "" : result.diagnostics().front().hint;
  };
  const auto expect = [&](const std::string& text, const std::string& words) {
    EXPECT_NE(hint(text).find(words), std::string::npos) << text << "\n" << hint(text);
    for (const char* other :
         {"an operand is shared", "stands directly inside", "reduced over cores only"}) {
      if (words == other) continue;
      EXPECT_EQ(hint(text).find(other), std::string::npos) << text;
    }
  };
  expect("space(i->x, y)\nbroadcast(A, x)\n", "an operand is shared");
  expect("space(i->x, y)\nnot space(k->x)\ncombine(C, tree)\n", "reduced over cores only");
  expect("space(i->x, y)\nnot direct(A)\n", "loosen what `not` and `isolate` exclude");
}

}  // namespace
}  // namespace gridloom::search
