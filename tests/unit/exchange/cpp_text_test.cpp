// SPDX-License-Identifier: Apache-2.0
// Schedules as C++ programs: they compile with g++ alone, run, and give right values.
#include <gtest/gtest.h>

#include <string>

#include "exchange/cpp_text.h"
#include "run_program.h"
#include "schedule/schedule.h"
#include "support/problem.h"

namespace gridloom::exchange {
namespace {

base::Result<std::string> written(const test::Problem& p, unsigned seed) {
  const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, test::randomMapping(p, seed));
  return cppText(*schedule, p.kernel, p.nest, p.hw);
}

/// The first of the random mappings that has the form, compiled and run.
void expectRightValues(const test::Problem& p) {
  if (!test::hasCompiler()) GTEST_SKIP() << "g++ is not installed";
  for (unsigned seed = 0; seed < 60; ++seed) {
    const auto text = written(p, seed);
    if (!text) continue;
    EXPECT_EQ(test::compiledAndRun(*text), "values right\n") << p.kernel.name << " " << seed;
    return;
  }
  FAIL() << "no random mapping of " << p.kernel.name << " has the form";
}

TEST(CppText, AMatrixProductGivesRightValues) {
  expectRightValues(
      test::makeProblem(test::smallMesh(4, 2), "gemm", {{"M", 40}, {"N", 24}, {"K", 32}}));
}

TEST(CppText, AnElementwiseKernelGivesRightValues) {
  expectRightValues(test::makeProblem(test::smallMesh(2, 2), "vector_add", {{"N", 64}}));
}

TEST(CppText, ASoftmaxGivesRightValues) {
  expectRightValues(test::makeProblem(test::smallMesh(2, 2), "softmax", {{"M", 16}, {"N", 16}}));
}

TEST(CppText, WhatHasNoFormIsNamed) {
  const auto text =
      written(test::makeProblem(test::smallMesh(2, 2), "jacobi2d", {{"T", 2}, {"N", 8}}), 1);
  ASSERT_FALSE(text);
  EXPECT_NE(text.diagnostics()[0].message.find("no form as a C++ program: "), std::string::npos);
}

}  // namespace
}  // namespace gridloom::exchange
