// SPDX-License-Identifier: Apache-2.0
//
// Directives in the words of T2S-Tensor (Srivastava et al., 2019, Section III).
#include <gtest/gtest.h>

#include <set>

#include "mapping/constraints.h"
#include "mapping/operand_flow.h"
#include "mapping/space.h"
#include "support/problem.h"
#include "syntax/directive_parser.h"

namespace gridloom::mapping {
namespace {

using test::makeProblem;
using test::smallMesh;

struct DataflowDirectives : testing::Test {
  test::Problem p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});

  base::Result<Constraints> read(const std::string& text) const {
    auto parsed = syntax::parseDirectives(base::makeSource("t2s.sched", text));
    if (!parsed) return parsed.takeDiagnostics();
    return resolve(*parsed, p.kernel, p.nest, p.hw);
  }

  std::string errorOf(const std::string& text) const {
    const auto result = read(text);
    return result ? "" : render(result.diagnostics());
  }

  /// The mappings that a text leaves, as far as so many draws find them.
  std::set<std::string> mappingsOf(const std::string& text) const {
    const auto c = read(text);
    if (!c) throw std::runtime_error(render(c.diagnostics()));
    const Axes axes = makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, 4, *c);
    std::set<std::string> found;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const auto m = sampleMapping(p.kernel, p.nest, p.hw, axes, *c, seed);
      if (m) found.insert(printDirectives(p.kernel, p.nest, p.hw, *m));
    }
    return found;
  }

  void expectRefused(const std::string& text, const std::string& place, const std::string& reason,
                     const std::string& help) const {
    const std::string error = errorOf(text);
    EXPECT_NE(error.find("t2s.sched:" + place), std::string::npos) << text << error;
    EXPECT_NE(error.find(reason), std::string::npos) << text << error;
    EXPECT_NE(error.find(help), std::string::npos) << text << error;
  }
};

TEST_F(DataflowDirectives, T2sWordsLeaveTheMappingsOfOurs) {
  const std::string ours =
      "space(i->x) space(j->y) stream(A, y) stream(B, x) tile(i, 8) hoist(A, k) double(A) "
      "hoist(B) gather(C, y)";
  const std::string t2s =
      "unroll(i->x) unroll(j->y) forward(A, y) forward(B, x) tile(i, 8) buffer(A, k, double) "
      "buffer(B, innermost) gather(C, y)";
  const auto left = mappingsOf(ours);
  EXPECT_GT(left.size(), 3u);
  EXPECT_EQ(mappingsOf(t2s), left);
  // What is printed are our words.
  EXPECT_EQ(left.begin()->find("unroll"), std::string::npos);
  EXPECT_NE(left.begin()->find("space(i->x)"), std::string::npos);
}

TEST_F(DataflowDirectives, ALoopStandsForItsDimensions) {
  EXPECT_EQ(mappingsOf("forward(A, j) gather(C, j) tile(i, 8) space(j->y) space(i->x)"),
            mappingsOf("forward(A, y) gather(C, y) tile(i, 8) space(j->y) space(i->x)"));
  expectRefused("forward(A, j)", "1:12", "loop `j` is placed on no mesh dimension", "space(j->x)");
  expectRefused("space(j->x, y) forward(A, j)", "1:27", "loop `j` lies on several",
                "name one of them");
}

TEST_F(DataflowDirectives, ScatteringAsksForDifferentTiles) {
  const auto c = read("scatter(A, x)");
  ASSERT_TRUE(c) << render(c.diagnostics());
  const Axes axes = makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, 4, *c);
  ASSERT_FALSE(axes.spaces.empty());
  for (const SpaceChoice& choice : axes.spaces) {
    ASSERT_TRUE(choice.space[0].valid());
    EXPECT_TRUE(p.nest.inputs[0].dependsOn(choice.space[0]));
  }
  EXPECT_TRUE(read("unroll(i->x) scatter(A, i)"));
  expectRefused("unroll(j->x)\nscatter(A, x)", "2:1",
                "`x` carries loop `j`, which `A` does not depend on", "forward(A, x)");
  expectRefused("space(->x)\nscatter(A, x)", "2:1", "`x` is unused", "unroll");
  expectRefused("layout(A, local) scatter(A, x)", "1:18", "lie in local memory", "leave out");
  expectRefused("not scatter(A, x)", "1:1", "`scatter` has no opposite", "not forward(A)");
}

TEST_F(DataflowDirectives, TilesFillTheLanes) {
  const auto sizesOf = [&](const std::string& text) {
    const auto c = read(text);
    if (!c) throw std::runtime_error(render(c.diagnostics()));
    return makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, 4, *c).tileSizes[2];
  };
  EXPECT_EQ(sizesOf("vectorize(k)"), (std::vector<std::int64_t>{4, 8, 16, 32, 64}));
  EXPECT_EQ(sizesOf("vectorize(k, 4) tile(k, 6, 8, 64)"), (std::vector<std::int64_t>{8, 64}));
  EXPECT_EQ(sizesOf("tile(k, 1 to 8) vectorize(k, 4)"), (std::vector<std::int64_t>{4, 8}));
  expectRefused("vectorize(k, 16)", "1:1", "takes 4 elements of `k` at once, not 16",
                "write `vectorize(k, 4)`");
  expectRefused("tile(k, 6)\nvectorize(k)", "2:1", "fills the 4 lanes of `k`", "tile(k, 4)");
  expectRefused("vectorize(k, 4, 8)", "1:1", "one number of lanes", "vectorize(k, 16)");
  p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 2}});
  expectRefused("vectorize(k)", "1:1", "loop `k` has 2 elements, fewer than the 4 lanes", "larger");
}

TEST_F(DataflowDirectives, FunctionsOfTheirOwnNeedAMovementThatHasThem) {
  const auto c = read("isolate(A, A_loader, feeder) isolate(C, drainer, C_collector, unloader)");
  ASSERT_TRUE(c) << render(c.diagnostics());
  Mapping m;
  m.tileSize = {8, 8, 8};
  m.space = {LoopId(0), LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0), LoopId(1), LoopId(2)};
  for (const InputMovement& a : inputOptions(p.nest, 0, m, p.hw, *c))
    EXPECT_NE(a.kind, MovementKind::Direct);
  for (const OutputMovement& out : outputOptions(p.nest, 0, m, p.hw, *c)) EXPECT_GE(out.gather, 0);
  expectRefused("space(i->x) space(i->y) stream(B, i)", "1:35", "loop `i` lies on several",
                "name one of them");
  expectRefused("direct(A)\nisolate(A, feeder)", "2:1", "nobody feeds it", "forward(A, x)");
  expectRefused("layout(A, local) isolate(A, loader)", "1:18", "its layout is local",
                "leave the layout out");
  expectRefused("gather(C) isolate(C, collector)", "1:11", "every core stores its own",
                "gather(C, y)");
  expectRefused("isolate(A, drainer)", "1:12", "`drainer` is no function of an input",
                "`loader`, `feeder`");
  expectRefused("isolate(C, B_drainer)", "1:12", "no function of an output", "`unloader`");
}

TEST_F(DataflowDirectives, NobodyFeedsTilesThatTheirMakersKeepOrSend) {
  p = makeProblem(smallMesh(2, 2), "trsm", {{"N", 128}, {"R", 128}});
  expectRefused("stationary(X@2) isolate(X@2, feeder)", "1:17", "nobody feeds `X@2`",
                "leave `stationary` out");
  expectRefused("forwarded(X@2) isolate(X@2, feeder)", "1:16", "nobody feeds `X@2`",
                "leave `forwarded` out");
  expectRefused("forwarded(X@2) isolate(X@2, loader)", "1:16", "nobody loads `X@2`",
                "leave `forwarded` out");
}

TEST_F(DataflowDirectives, ABufferAtALoopIsNoneOfResults) {
  expectRefused("buffer(C, k)", "1:11", "have their buffer where their sum begins", "double(C)");
  expectRefused("buffer(A, k, twice)", "1:14", "`single` or `double`", "buffer(A, k, double)");
  // A memory goes before a loop of the same name.
  expectRefused("buffer(A, mem)", "1:11", "no shared buffer `mem`", "");
}

TEST_F(DataflowDirectives, FlowsFollowFromTheMovement) {
  Mapping m;
  m.space = {LoopId(0), LoopId(1)};
  const kernel::Operand& a = p.nest.inputs[0];
  EXPECT_EQ(flowAlong(a, {MovementKind::Stream, 2, 1}, m, 0), OperandFlow::Scattered);
  EXPECT_EQ(flowAlong(a, {MovementKind::Stream, 2, 1}, m, 1), OperandFlow::Forwarded);
  EXPECT_EQ(flowAlong(a, {MovementKind::Multicast, 2, 1}, m, 1), OperandFlow::Copied);
  EXPECT_EQ(flowAlong(a, {MovementKind::Rotate, 2, 1}, m, 1), OperandFlow::Rotated);
  EXPECT_EQ(flowAlong(a, {MovementKind::Direct}, m, 1), OperandFlow::Repeated);
}

}  // namespace
}  // namespace gridloom::mapping
