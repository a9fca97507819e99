// SPDX-License-Identifier: Apache-2.0
// Schedules as C++ programs: they compile with g++ alone, run, and give right values.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "exchange/cpp_text.h"
#include "schedule/schedule.h"
#include "support/problem.h"

namespace gridloom::exchange {
namespace {

base::Result<std::string> written(const test::Problem& p, unsigned seed) {
  const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, test::randomMapping(p, seed));
  return cppText(*schedule, p.kernel, p.nest, p.hw);
}

/// What g++ and the program say; "ok\n" if the values are right.
std::string compiledAndRun(const std::string& text) {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string file = (folder / ("cpp" + std::to_string(getpid()))).string();
  std::ofstream(file + ".cpp") << text;
  const std::string command = "(g++ -std=c++20 -pthread -Wall -Wextra -Werror " + file +
                              ".cpp -o " + file + " && timeout 60 " + file + ") > " + file +
                              ".out 2>&1";
  const int status = std::system(command.c_str());
  std::ifstream in(file + ".out");
  std::string said((std::istreambuf_iterator<char>(in)), {});
  for (const char* ending : {"", ".cpp", ".out"}) std::filesystem::remove(file + ending);
  return status == 0 ? said : said + "(failed)";
}

/// The first of the random mappings that has the form, compiled and run.
void expectRightValues(const test::Problem& p) {
  if (std::system("g++ --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "g++ is not installed";
  for (unsigned seed = 0; seed < 60; ++seed) {
    const auto text = written(p, seed);
    if (!text) continue;
    EXPECT_EQ(compiledAndRun(*text), "ok\n") << p.kernel.name << " " << seed;
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
