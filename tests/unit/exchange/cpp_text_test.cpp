// SPDX-License-Identifier: Apache-2.0
// Schedules as C++ programs: they compile with g++ alone, run, and give right values. A program per
// construct; bench/table/export_table runs the kernels of the library.
#include "exchange/cpp_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "exchange/cpp_functions.h"
#include "exchange/cpp_runtime.h"
#include "run_program.h"
#include "schedule/schedule.h"
#include "support/line_check.h"
#include "support/problem.h"
#include "syntax/directive_parser.h"
#include "unit/exchange/multicast_product.h"

namespace gridloom::exchange {
namespace {

using schedule::Buffer;
using schedule::Channel;
using schedule::Schedule;
using test::makeProblem;
using test::Problem;
using test::smallMesh;

using Has = std::function<bool(const Schedule&)>;

Has buffer(Buffer::Use use) {
  return [=](const Schedule& s) { return std::ranges::count(s.buffers, use, &Buffer::use) > 0; };
}
Has channel(Channel::Kind kind) {
  return
      [=](const Schedule& s) { return std::ranges::count(s.channels, kind, &Channel::kind) > 0; };
}
bool whatever(const Schedule&) { return true; }
void expectRightValues(const Problem& p, const Schedule& schedule) {
  const auto text = cppText(schedule, p.kernel, p.nest, p.hw);
  ASSERT_TRUE(text) << base::render(text.diagnostics());
  EXPECT_EQ(test::compiledAndRun(*text), "values right\n") << p.kernel.name;
}

/// The first of the random mappings with such a schedule, as a program, compiled and run.
void expectRightValues(const Problem& p, const Has& has = whatever, bool rings = false) {
  if (!test::hasCompiler()) GTEST_SKIP() << "g++ is not installed";
  for (unsigned seed = 0; seed < 400; ++seed) {
    mapping::Mapping mapping = test::randomMapping(p, seed);
    if (rings) mapping = withRings(p, mapping, seed);
    if (mapping.inputs.empty()) continue;
    const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, mapping);
    if (schedule && has(*schedule)) return expectRightValues(p, *schedule);
  }
  FAIL() << "no random mapping of " << p.kernel.name << " has the form";
}

TEST(CppText, AMatrixProductWithSeveralTilesInASlot) {
  const Problem p = makeProblem(smallMesh(4, 2), "gemm", {{"M", 40}, {"N", 24}, {"K", 32}});
  expectRightValues(p, [&](const Schedule& s) {
    const auto inner = s.order.begin() + s.outputLevel;
    return std::any_of(inner, s.order.end(),
                       [&](auto loop) { return p.nest.outputs[0].dependsOn(loop); });
  });
}

TEST(CppText, AnEpilogueBehindASplitReduction) {
  expectRightValues(
      makeProblem(smallMesh(2, 4), "gemm_bias_relu", {{"M", 16}, {"N", 12}, {"K", 32}}),
      buffer(Buffer::Use::Partial));
}

TEST(CppText, CarriedStateWhoseLoopIsUnrolled) {
  const Problem p =
      makeProblem(smallMesh(2, 3), "causal_attention", {{"H", 2}, {"S", 18}, {"D", 4}});
  expectRightValues(p, buffer(Buffer::Use::Partial));
}

TEST(CppText, ADomainThatLeavesTilesOut) {
  expectRightValues(makeProblem(smallMesh(2, 2), "polybench/syrk", {{"M", 10}, {"N", 14}}),
                    [](const Schedule& s) { return !s.work.always(); });
}

TEST(CppText, TilesForwardedToOtherCores) {
  expectRightValues(makeProblem(smallMesh(3, 2), "jacobi2d", {{"T", 4}, {"N", 11}}),
                    buffer(Buffer::Use::Held));
}

TEST(CppText, TilesThatTheKernelProducesItself) {
  expectRightValues(makeProblem(smallMesh(2, 2), "cholesky", {{"N", 14}}));
}

TEST(CppText, SharedBuffersAndAGather) {
  expectRightValues(
      makeProblem(test::meshWithTwoSharedBuffers(2, 3), "gemm", {{"M", 16}, {"N", 12}, {"K", 24}}),
      buffer(Buffer::Use::SharedInput));
  expectRightValues(makeProblem(smallMesh(2, 3), "gemm", {{"M", 16}, {"N", 12}, {"K", 24}}),
                    buffer(Buffer::Use::Gather));
}

TEST(CppText, OneCopyForCoresThatShareAMemory) {
  expectRightValues(makeProblem(test::withSharedMemories(smallMesh(2, 3), "y"), "gemm",
                                {{"M", 16}, {"N", 12}, {"K", 24}}),
                    channel(Channel::Kind::Share));
}

TEST(CppText, AllReducesInsideCompute) {
  expectRightValues(makeProblem(smallMesh(2, 3), "layernorm", {{"M", 9}, {"N", 26}}),
                    buffer(Buffer::Use::Contribution));
}

TEST(CppText, RowsReadThroughIndices) {
  expectRightValues(makeProblem(smallMesh(2, 2), "llm/moe_dispatch",
                                {{"X", 2}, {"C", 6}, {"T", 9}, {"K", 8}, {"N", 6}}));
}

TEST(CppText, SharesThatGoAroundARing) {
  const Problem p = makeProblem(test::smallTorus(3, 3), "gemm", {{"M", 18}, {"N", 12}, {"K", 27}});
  expectRightValues(p, channel(Channel::Kind::Ring), true);
}

TEST(CppText, TilesThatRotate) {
  if (!test::hasCompiler()) GTEST_SKIP() << "g++ is not installed";
  const Problem p = makeProblem(test::smallTorus(3, 3), "gemm", {{"M", 18}, {"N", 18}, {"K", 36}});
  const auto directives = syntax::parseDirectives(base::makeSource(
      "test.sched", "space(i->x) space(j->y) tile(i, 6) tile(j, 6) tile(k, 6)\norder(i, j, k)\n"
                    "hoist(A) hoist(B) double(A) double(B) rotate(A, y) rotate(B, x)"));
  ASSERT_TRUE(directives) << base::render(directives.diagnostics());
  const auto asked = resolve(*directives, p.kernel, p.nest, p.hw);
  ASSERT_TRUE(asked) << base::render(asked.diagnostics());
  const auto mapping = test::sampled(p, *asked, 1);
  ASSERT_TRUE(mapping);
  const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, *mapping);
  ASSERT_TRUE(schedule && channel(Channel::Kind::Rotate)(*schedule));
  expectRightValues(p, *schedule);
}

TEST(CppText, ItsLengthDoesNotGrowWithTheMesh) {
  const auto lengthOn = [](int side) {
    const Problem p =
        makeProblem(smallMesh(side, side), "gemm", {{"M", 4 * side}, {"N", 4 * side}, {"K", 24}});
    const mapping::Mapping mapping = test::multicastProduct({4, 4, 8}, 1);
    const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, mapping);
    EXPECT_TRUE(schedule);
    const auto text = cppText(*schedule, p.kernel, p.nest, p.hw);
    EXPECT_TRUE(text) << base::render(text.diagnostics());
    return text->size();
  };
  // Numbers have more digits.
  EXPECT_LT(lengthOn(32), lengthOn(4) + 200);
}

TEST(CppText, StateOfManyStepsDoesNotFillTheStack) {
  expectRightValues(makeProblem(smallMesh(2, 1), "prefix_sum", {{"N", 60'000}}));
  if (!test::hasCompiler()) GTEST_SKIP() << "g++ is not installed";
  const std::string program = std::string(kCppRuntime) + kCppValues + R"cpp(
int main() {
  constexpr long kSteps = 1'000'000;
  Lazy chain(kSteps);
  for (long n = 0; n < kSteps; ++n) {
    chain.how[std::size_t(n)] = [&chain, n] { return n == 0 ? 1 : chain.get(n - 1) + 1; };
  }
  std::puts(chain.evaluate(kSteps - 1) == kSteps ? "right" : "wrong");
}
)cpp";
  EXPECT_EQ(test::compiledAndRun(program), "right\n");
}

TEST(CppText, ElementsThatAreNotANumberAreValues) {
  if (!test::hasCompiler()) GTEST_SKIP() << "g++ is not installed";
  const std::string program = std::string(kCppRuntime) + kCppValues + R"cpp(
int main() {
  Slot slot;
  load({1, NAN, kNothing}, {0, 1, 2}, slot);
  const bool loads = slot.tile.find(1) != nullptr && slot.tile.find(2) == nullptr;
  const bool outside = slot.tile.find(-1) == nullptr;
  Lazy expected(1);
  expected.how[0] = [] { return NAN; };
  const bool equal = difference({NAN}, expected) == 0;
  const bool absent = difference({kNothing}, expected) == INFINITY;
  const bool other = difference({1}, expected) == INFINITY;
  std::puts(loads && outside && equal && absent && other ? "right" : "wrong");
}
)cpp";
  EXPECT_EQ(test::compiledAndRun(program), "right\n");
}

TEST(CppText, WhatIsTooLargeIsRefused) {
  const Problem p = makeProblem(smallMesh(2, 2), "vector_add", {{"N", 60'000'000}});
  const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, test::randomMapping(p, 1));
  ASSERT_TRUE(schedule);
  const auto text = cppText(*schedule, p.kernel, p.nest, p.hw);
  ASSERT_FALSE(text);
  EXPECT_NE(text.diagnostics()[0].message.find("180000000 elements"), std::string::npos);
  EXPECT_NE(text.diagnostics()[0].hint.find("smaller"), std::string::npos);
}

}  // namespace
}  // namespace gridloom::exchange
