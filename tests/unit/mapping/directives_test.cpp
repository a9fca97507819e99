// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "mapping/all_reduce.h"
#include "mapping/constraints.h"
#include "mapping/space.h"
#include "support/problem.h"
#include "syntax/directive_parser.h"

namespace gridloom::mapping {
namespace {

using test::makeProblem;
using test::smallMesh;

struct Directed : testing::Test {
  test::Problem p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});

  base::Result<Constraints> read(const std::string& text) const {
    auto parsed = syntax::parseDirectives(base::makeSource("test.sched", text));
    if (!parsed) return parsed.takeDiagnostics();
    return resolve(*parsed, p.kernel, p.nest, p.hw);
  }

  /// Printed directives of many mappings narrow every axis to what the mapping has.
  void expectRoundTrips() const;

  std::string errorOf(const std::string& text) const {
    const auto result = read(text);
    return result ? "" : result.diagnostics().front().message;
  }
};

TEST_F(Directed, PinsShortenTheAxes) {
  const auto c =
      read("space(i->x)\nspace(->y)\ntile(i, 16, 8)\norder(j, i, k)\nprefetch(B)\ndouble(A)\n");
  ASSERT_TRUE(c) << render(c.diagnostics());
  const Axes axes = makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, 4, *c);
  EXPECT_EQ(axes.tileSizes[0], (std::vector<std::int64_t>{8, 16}));
  ASSERT_EQ(axes.spaces.size(), 1u);
  EXPECT_EQ(axes.spaces[0].space, (std::vector<LoopId>{LoopId(0), LoopId()}));
}

TEST_F(Directed, ReductionsAreDealtToDimensionsUnlessThereIsAReason) {
  const auto c = read("space(k->y, x)\ncombine(C, tree)\n");
  ASSERT_TRUE(c) << render(c.diagnostics());
  const Axes axes = makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, 4, *c);
  ASSERT_EQ(axes.spaces.size(), 1u);
  EXPECT_EQ(axes.spaces[0].dimOrder, (std::vector<std::uint8_t>{1, 0}));
  p = makeProblem(smallMesh(2, 2), "flash_attention", {{"H", 2}, {"SQ", 8}, {"SK", 8}, {"D", 4}});
  EXPECT_TRUE(read("space(i->y)\nspace(j->x)\ncombine(O, chain)\n"));
  p = makeProblem(smallMesh(2, 2), "kernel decay(N = 8, J = 8) {\n"
                                   "  tensor A[N, J]: f32\n  tensor Y[N]: f32\n"
                                   "  local x[N, J]: f32 = 0\n"
                                   "  x[i, j] = x[i, j - 1] * 0.5 + A[i, j]\n"
                                   "  Y[i] = x[i, J - 1]\n}\n");
  const auto state = read("space(i->y)\nspace(j->x)\n");
  ASSERT_FALSE(state);
  EXPECT_NE(render(state.diagnostics()).find("test.sched:2:7"), std::string::npos)
      << render(state.diagnostics());
  EXPECT_NE(
      state.diagnostics().front().message.find("carries state from one iteration to the next, and "
                                               "its shares have no associative combine: what "
                                               "older `x` is multiplied by"),
      std::string::npos)
      << render(state.diagnostics());
  p = makeProblem(smallMesh(2, 2), "flash_attention", {{"H", 2}, {"SQ", 8}, {"SK", 8}, {"D", 4}});
  EXPECT_NE(errorOf("space(d->x)\n")
                .find("d is reduced by `s` and free in `o`; nor dealt in shares: "
                      "tiles of j follow each other beside it"),
            std::string::npos)
      << errorOf("space(d->x)\n");
}

TEST_F(Directed, AllReducesAreJoinedAsAsked) {
  p = makeProblem(smallMesh(2, 2), "softmax", {{"M", 8}, {"N", 8}});
  const auto c = read("space(j->x)\ncombine(m, chain)\nnot reduce(l, chain)\n");
  ASSERT_TRUE(c) << render(c.diagnostics());
  Mapping m;
  m.space = {LoopId(1), LoopId{}};
  EXPECT_EQ(allReduceOptions(p.nest, 0, m, *c), std::vector{ReductionTopology::Chain});
  EXPECT_EQ(allReduceOptions(p.nest, 1, m, *c), std::vector{ReductionTopology::Tree});
  m.space = {LoopId(0), LoopId{}};
  EXPECT_EQ(allReduceOptions(p.nest, 0, m, *c), std::vector<ReductionTopology>{});
  EXPECT_EQ(allReduceOptions(p.nest, 1, m, *c), std::vector{ReductionTopology::None});
  EXPECT_NE(errorOf("reduce(m, chain)\nnot reduce(m, chain)\n").find("excludes what another"),
            std::string::npos);
  EXPECT_NE(errorOf("reduce(e, chain)\n").find("`e` is not an output of kernel"),
            std::string::npos);
}

TEST_F(Directed, PrintedDirectivesPinExactlyTheirMapping) { expectRoundTrips(); }

void Directed::expectRoundTrips() const {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Mapping m = test::randomOrRing(p, seed);
    if (m.inputs.empty()) continue;
    const std::string text = printDirectives(p.kernel, p.nest, p.hw, m);
    const auto c = read(text);
    ASSERT_TRUE(c) << text << render(c.diagnostics());
    const Axes axes = makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, 4, *c);
    ASSERT_EQ(axes.spaces.size(), 1u) << text;
    EXPECT_EQ(axes.spaces[0].space, m.space);
    EXPECT_EQ(axes.spaces[0].dimOrder, m.dimOrder) << text;
    const auto orders = ordersOf(p.nest, tilingOf(m, p.kernel, p.hw), *c);
    ASSERT_EQ(orders.size(), 1u) << text;
    EXPECT_EQ(orders[0], m.order);
    for (std::size_t i = 0; i < m.inputs.size(); ++i) {
      EXPECT_EQ(inputOptions(p.nest, i, m, p.hw, *c), std::vector{m.inputs[i]}) << text;
    }
    for (std::size_t i = 0; i < m.outputs.size(); ++i) {
      EXPECT_EQ(outputOptions(p.nest, i, m, p.hw, *c), std::vector{m.outputs[i]}) << text;
    }
    ++checked;
  }
  EXPECT_GT(checked, 150);
}

struct DirectedWindows : Directed {
  DirectedWindows() {
    p = makeProblem(smallMesh(2, 2), "kernel both(N = 64) {\n"
                                     "  tensor A[N, N]: f16   tensor B[N, N]: f16\n"
                                     "  B[i, j] = A[i, j] + A[j, i]\n}\n");
  }
};

TEST_F(DirectedWindows, TwoWindowsOfOneTensorArePinnedApart) {
  ASSERT_EQ(p.nest.inputs.size(), 2u);
  const auto c = read("double(A)\nsingle(A@2)\n");
  ASSERT_TRUE(c) << render(c.diagnostics());
  EXPECT_EQ(c->inputs.at(0).buffers, 2);
  EXPECT_EQ(c->inputs.at(1).buffers, 1);
  expectRoundTrips();
}

TEST_F(Directed, ErrorsNameWhatIsThere) {
  EXPECT_EQ(errorOf("space(q->x)\n"), "kernel `gemm` has no loop `q`");
  EXPECT_EQ(errorOf("space(i->z)\n"), "hardware `test` has no dimension `z`");
  EXPECT_EQ(errorOf("tile(i, 65)\n"),
            "tile size 65 of loop `i` is not between 1 and its extent 64");
  EXPECT_EQ(errorOf("multicast(C, x)\n"), "`C` is not an input of kernel `gemm`");
  EXPECT_EQ(
      errorOf("reduce(C, heap)\n"),
      "partial results are reduced by `chain`, `tree`, `reduce_scatter` or `none`, got `heap`");
}

TEST(DirectedDependent, TensorsThatAreReadBackLieByPage) {
  const auto p = makeProblem(smallMesh(2, 2), "trsm", {{"N", 32}, {"R", 32}});
  const auto errorOf = [&](const std::string& text) {
    auto parsed = syntax::parseDirectives(base::makeSource("test.sched", text));
    const auto result = resolve(*parsed, p.kernel, p.nest, p.hw);
    return result ? "" : result.diagnostics().front().message;
  };
  EXPECT_EQ(errorOf("layout(X, nearest)\n"), "the kernel reads `X` back while it makes it");
  EXPECT_EQ(errorOf("layout(X, page)\n"), "");
  EXPECT_EQ(errorOf("layout(B, nearest)\n"), "");
}

TEST_F(Directed, ContradictionsAreLocated) {
  EXPECT_EQ(errorOf("space(i->x)\nspace(j->x)\n"),
            "dimension `x` is already given to another loop");
  EXPECT_EQ(errorOf("double(A)\nsingle(A)\n"),
            "contradicts an earlier directive about the buffers of `A`");
  EXPECT_EQ(errorOf("prefetch(A)\nhoist(A, k)\n"), "contradicts an earlier prefetch of `A`");
  for (const char* both :
       {"tile(i, 8)\nnot tile(i, 4 to 16)\n", "space(i->x)\nnot space(i->x)\n",
        "order(i, j, k)\nnot order(i, k)\n", "multicast(A, y)\nnot multicast(A)\n",
        "hoist(A, k)\nnot hoist(A, k, i)\n", "prefetch(B)\nnot prefetch(B)\n",
        "double(C)\nnot double(C)\n", "reduce(C, tree)\nnot reduce(C, tree)\n"}) {
    const auto result = read(both);
    ASSERT_FALSE(result) << both;
    const base::Diagnostic& d = result.diagnostics().front();
    EXPECT_EQ(d.message, "excludes what another directive asks for") << both;
    EXPECT_EQ(d.source->lineColumn(d.span.begin).line, 2u) << both;
  }
  const auto result = read("tile(i, 8)\ntile(i, 16)\n");
  ASSERT_FALSE(result);
  const base::Diagnostic& d = result.diagnostics().front();
  EXPECT_EQ(d.source->lineColumn(d.span.begin).line, 2u);
}

}  // namespace
}  // namespace gridloom::mapping
