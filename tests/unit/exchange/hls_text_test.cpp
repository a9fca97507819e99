// SPDX-License-Identifier: Apache-2.0
// Systolic mappings as HLS programs: they compile with g++ alone, run, and give right values.
#include "exchange/hls_text.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "exchange/hls_runtime.h"
#include "run_program.h"
#include "service/mapping_input.h"
#include "service/workspace.h"
#include "support/problem.h"
#include "texts/presets.h"

namespace gridloom::exchange {
namespace {

using Sets = std::vector<std::pair<std::string, std::int64_t>>;

base::Result<std::string> systolic(const std::string& mesh, const std::string& kernel,
                                   const Sets& set, const std::string& directives) {
  const auto hw = *service::openHardware(base::makeSource("mesh.hw", mesh));
  service::KernelOptions options;
  options.set = set;
  const auto of = *service::openKernel(*texts::loadKernelText(kernel), options);
  base::Progress progress;
  const auto mapping =
      service::openMapping(base::makeSource("a.sched", directives), hw, of, "", progress);
  if (!mapping) return mapping.diagnostics();
  return hlsText(*mapping, of->kernel, *of->nest, hw->topology);
}

void expectRight(const std::string& mesh, const std::string& kernel, const Sets& set,
                 const std::string& directives) {
  if (!test::hasCompiler()) GTEST_SKIP() << "g++ is not installed";
  const auto text = systolic(mesh, kernel, set, directives);
  ASSERT_TRUE(text) << text.diagnostics()[0].message;
  EXPECT_EQ(test::compiledAndRun(*text), "values right\n") << kernel;
}

void expectRefused(const std::string& kernel, const Sets& set, const std::string& directives,
                   const std::string& reason) {
  const auto text = systolic(test::smallMesh(2, 2), kernel, set, directives);
  ASSERT_FALSE(text);
  EXPECT_NE(text.diagnostics()[0].message.find(reason), std::string::npos)
      << text.diagnostics()[0].message;
  EXPECT_FALSE(text.diagnostics()[0].hint.empty());
}

constexpr const char* kStationaryC =
    "space(j->x)\nspace(i->y)\nstream(A, x)\nstream(B, y)\ntile(i, 2)\ntile(j, 2)\ntile(k, 4)\n";

TEST(HlsText, AMatrixProductGivesRightValuesOnSeveralArrays) {
  const Sets set{{"M", 13}, {"N", 10}, {"K", 9}};
  expectRight(test::smallMesh(2, 3), "gemm", set, kStationaryC);
  expectRight(test::smallMesh(4, 2), "gemm", set, kStationaryC);
}

TEST(HlsText, StationaryWeightsPassPartialSumsOn) {
  expectRight(test::smallMesh(3, 2), "gemm", {{"M", 12}, {"N", 7}, {"K", 8}},
              "space(j->x)\nspace(k->y)\nstream(A, x)\ndirect(B)\nreduce(C, chain)\n"
              "tile(j, 1)\ntile(k, 2)\ntile(i, 4)\n");
}

TEST(HlsText, TensorKernelsGiveRightValues) {
  const std::string mesh = test::smallMesh(3, 2);
  expectRight(mesh, "mttkrp", {{"I", 6}, {"J", 5}, {"K", 4}, {"L", 3}},
              "space(j->x)\nspace(i->y)\nstream(A, x)\nstream(B, y)\nstream(C, y)\n"
              "tile(i, 1)\ntile(j, 1)\n");
  expectRight(mesh, "ttm", {{"I", 3}, {"J", 5}, {"K", 6}, {"L", 4}},
              "space(k->x)\nspace(j->y)\nstream(A, x)\nstream(B, y)\ntile(j, 2)\ntile(k, 2)\n");
  expectRight(mesh, "ttmc", {{"I", 3}, {"J", 5}, {"K", 6}, {"L", 4}, {"M", 3}},
              "space(k->x)\nspace(j->y)\nstream(A, x)\nstream(B, x)\nstream(C, y)\n"
              "tile(j, 1)\ntile(k, 1)\n");
}

TEST(HlsText, AConvolutionGivesRightValues) {
  expectRight(test::smallMesh(2, 2), "conv2d", {{"N", 2}, {"C", 3}, {"H", 6}, {"W", 7}, {"F", 4}},
              "space(f->x)\nspace(q->y)\nstream(I, x)\nstream(K, y)\ntile(f, 2)\ntile(q, 2)\n");
}

TEST(HlsText, WhatIsNotSystolicIsNamed) {
  const Sets set{{"M", 8}, {"N", 8}, {"K", 8}};
  expectRefused("gemm", set, "space(j->x)\nspace(i->y)\nstream(A, x)\ndirect(B)\n",
                "`B` does not travel from neighbour to neighbour: `stream(B, y)` makes it");
  expectRefused("gemm", set, "space(j->x)\nspace(k->y)\nstream(A, x)\nreduce(C, tree)\n",
                "partial results of `C` do not go from neighbour to neighbour");
  expectRefused("softmax", {{"M", 8}, {"N", 8}}, "", "places of the array run one");
  expectRefused("vector_add", {{"N", 64}}, "", "loop `i` is unrolled along two dimensions");
}

TEST(HlsText, TheHeaderHasAtMostSixtyLinesOfCode) {
  std::istringstream lines(kHlsRuntime);
  int code = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find_first_not_of(' ');
    if (at != std::string::npos && line.compare(at, 2, "//") != 0) ++code;
  }
  EXPECT_LE(code, 60);
}

}  // namespace
}  // namespace gridloom::exchange
