// SPDX-License-Identifier: Apache-2.0
// For other tools: loop nests as MLIR, the programs of cores as JSON, the graph of tokens.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "exchange/loop_nest_mlir.h"
#include "exchange/programs_json.h"
#include "exchange/token_graph.h"
#include "schedule/schedule.h"
#include "support/problem.h"
#include "unit/exchange/mlir_opt.h"
#include "unit/exchange/schema_check.h"

namespace gridloom::exchange {
namespace {

schedule::Schedule lowered(const test::Problem& p, const mapping::Mapping& mapping) {
  return *schedule::lower(p.kernel, p.nest, p.hw, mapping);
}

std::vector<test::Problem> problems() {
  const std::string mesh = test::smallMesh(4, 2);
  std::vector<test::Problem> all;
  all.push_back(test::makeProblem(mesh, "gemm", {{"M", 40}, {"N", 24}, {"K", 32}}));
  all.push_back(test::makeProblem(test::meshWithSharedBuffer(4, 2), "gemm",
                                  {{"M", 32}, {"N", 32}, {"K", 32}}));
  all.push_back(
      test::makeProblem(mesh, "conv2d", {{"N", 1}, {"C", 4}, {"H", 8}, {"W", 8}, {"F", 4}}));
  all.push_back(test::makeProblem(test::meshWithTwoSharedBuffers(4, 2), "mlp",
                                  {{"M", 16}, {"D", 16}, {"E", 16}}));
  all.push_back(test::makeProblem(mesh, "softmax", {{"M", 16}, {"N", 16}}));
  all.push_back(test::makeProblem(mesh, "flash_attention", {{"H", 2}, {"SQ", 32}, {"D", 16}}));
  return all;
}

TEST(LoopNestMlir, MlirOptAcceptsRandomMappings) {
  if (!test::hasMlirOpt()) {
    GTEST_SKIP() << "mlir-opt (mlir-19-tools) is not installed";
  }
  std::vector<test::Problem> all = problems();
  all.push_back(test::makeProblem(test::smallMesh(3, 2), "jacobi2d", {{"T", 4}, {"N", 11}}));
  all.push_back(test::makeProblem(test::smallMesh(2, 2), "layernorm", {{"M", 8}, {"N", 24}}));
  for (const test::Problem& p : all) {
    for (unsigned seed = 0; seed < 8; ++seed) {
      const mapping::Mapping mapping = test::randomMapping(p, seed);
      if (mapping.inputs.empty()) continue;
      const std::string text = loopNestMlir(p.kernel, p.nest, p.hw, mapping);
      EXPECT_EQ(test::mlirFindings(text), "") << p.kernel.name << " " << seed << "\n" << text;
      EXPECT_NE(text.find("\"df.store\"(%"), std::string::npos) << text;
    }
  }
}

TEST(ProgramsJson, FollowsItsSchemaAndCoversEveryActiveCore) {
  for (const test::Problem& p : problems()) {
    for (unsigned seed = 0; seed < 4; ++seed) {
      const schedule::Schedule schedule = lowered(p, test::randomMapping(p, seed));
      const auto json = nlohmann::json::parse(programsJson(schedule, p.kernel, p.nest, p.hw));
      ASSERT_EQ(test::schemaFindings(json, "programs.json"), std::vector<std::string>{});
      ASSERT_EQ(json["programs"].size(), schedule.programs.size());
      for (std::size_t i = 0; i < schedule.programs.size(); ++i) {
        std::int64_t cores = 0;
        for (const auto& box : json["programs"][i]["cores"]) {
          std::int64_t size = 1;
          for (std::size_t d = 0; d < box["first"].size(); ++d) {
            size *= box["last"][d].get<std::int64_t>() - box["first"][d].get<std::int64_t>() + 1;
          }
          cores += size;
        }
        EXPECT_EQ(cores, schedule.programs[i].cores);
      }
    }
  }
}

TEST(TokenGraph, HasAnEdgeForEveryBufferAndChannel) {
  const test::Problem p = problems().front();
  const schedule::Schedule schedule = lowered(p, test::randomMapping(p, 3));
  const std::string graph = tokenGraph(schedule, p.kernel, p.nest);
  EXPECT_EQ(graph.rfind("digraph \"gemm\" {", 0), 0u) << graph;
  for (const schedule::Channel& channel : schedule.channels) {
    EXPECT_NE(graph.find("\"" + channel.name + "\""), std::string::npos) << channel.name;
  }
  EXPECT_NE(graph.find("style=dashed"), std::string::npos);
}

}  // namespace
}  // namespace gridloom::exchange
