// SPDX-License-Identifier: Apache-2.0
// Schedules for other tools: AIR, the programs of cores as JSON, the graph of tokens.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "exchange/air_text.h"
#include "exchange/loop_nest_mlir.h"
#include "exchange/programs_json.h"
#include "exchange/token_graph.h"
#include "schedule/schedule.h"
#include "support/problem.h"
#include "unit/exchange/schema_check.h"

namespace gridloom::exchange {
namespace {

constexpr const char* kMlirOpt = "/usr/lib/llvm-19/bin/mlir-opt";

/// What mlir-opt says against a text; "" if it accepts it.
std::string mlirFindings(const std::string& text) {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string file = (folder / ("air" + std::to_string(getpid()) + ".mlir")).string();
  std::ofstream(file) << text;
  const std::string command =
      std::string(kMlirOpt) + " --allow-unregistered-dialect " + file + " > " + file + ".out 2>&1";
  std::string findings;
  if (std::system(command.c_str()) != 0) {
    std::ifstream out(file + ".out");
    std::getline(out, findings);
    if (findings.empty()) findings = "it failed without a word";
  }
  std::filesystem::remove(file);
  std::filesystem::remove(file + ".out");
  return findings;
}

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
  if (!std::filesystem::exists(kMlirOpt)) {
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
      EXPECT_EQ(mlirFindings(text), "") << p.kernel.name << " " << seed << "\n" << text;
      EXPECT_NE(text.find("\"df.store\"(%"), std::string::npos) << text;
    }
  }
}

TEST(AirText, MlirOptAcceptsRandomMappings) {
  if (!std::filesystem::exists(kMlirOpt)) {
    GTEST_SKIP() << "mlir-opt (mlir-19-tools) is not installed";
  }
  int written = 0;
  for (const test::Problem& p : problems()) {
    for (unsigned seed = 0; seed < 12; ++seed) {
      const auto text = airText(lowered(p, test::randomMapping(p, seed)), p.kernel, p.nest, p.hw);
      if (!text) continue;
      ++written;
      ASSERT_EQ(mlirFindings(*text), "") << p.kernel.name << " " << seed << "\n" << *text;
    }
  }
  EXPECT_GT(written, 30) << "most random mappings have a form in AIR";
}

TEST(AirText, AMulticastIsABroadcastAndLoopsCarryTheRing) {
  const test::Problem p =
      test::makeProblem("wormhole_4x8", "gemm", {{"M", 256}, {"N", 256}, {"K", 256}});
  mapping::Mapping mapping;
  mapping.tileSize = {32, 64, 64};
  mapping.space = {mapping::LoopId::of(0), mapping::LoopId::of(1)};
  mapping.dimOrder = {0, 1};
  mapping.order = {mapping::LoopId::of(2)};
  mapping.inputs.resize(2);
  mapping.outputs.resize(1);
  for (std::size_t i = 0; i < 2; ++i) {
    mapping.inputs[i].kind = mapping::MovementKind::Multicast;
    mapping.inputs[i].along = static_cast<mapping::DimMask>(i == 0 ? 2 : 1);
    mapping.inputs[i].level = 1;
    mapping.inputs[i].buffers = 2;
  }
  const auto text = airText(lowered(p, mapping), p.kernel, p.nest, p.hw);
  ASSERT_TRUE(text) << base::render(text.diagnostics());
  for (const char* part :
       {"broadcast_shape = [8, 4], buffer_resources = 2 : i64, size = [8, 1]", "\"air.launch\"",
        "\"air.segment\"", "\"air.herd\"", "\"air.channel.put\"", "\"air.channel.get\"",
        "\"air.dma_memcpy_nd\"", "iter_args(", "memref<32x64xf16, 2 : i32>", "!air.async.token"}) {
    EXPECT_NE(text->find(part), std::string::npos) << part;
  }
}

TEST(AirText, AllReducesAndSharedCopiesHaveAForm) {
  if (!std::filesystem::exists(kMlirOpt)) {
    GTEST_SKIP() << "mlir-opt (mlir-19-tools) is not installed";
  }
  const test::Problem reduces =
      test::makeProblem(test::smallMesh(2, 3), "layernorm", {{"M", 8}, {"N", 24}});
  const test::Problem shares =
      test::makeProblem(test::withSharedMemories(test::smallMesh(2, 2), "y"), "gemm",
                        {{"M", 16}, {"N", 16}, {"K", 32}});
  int parts = 0, copies = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    for (const test::Problem* p : {&reduces, &shares}) {
      const auto text =
          airText(lowered(*p, test::randomMapping(*p, seed)), p->kernel, p->nest, p->hw);
      if (!text) continue;
      EXPECT_EQ(mlirFindings(*text), "") << p->kernel.name << " " << seed;
      parts += text->find("layernorm_tile_part2") != std::string::npos ? 1 : 0;
      copies += text->find("shared_copy") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(parts, 0);
  EXPECT_GT(copies, 0);
}

TEST(AirText, WhatHasNoFormIsNamed) {
  const test::Problem p =
      test::makeProblem(test::smallMesh(2, 2), "jacobi2d", {{"T", 2}, {"N", 8}});
  const auto text = airText(lowered(p, test::randomMapping(p, 1)), p.kernel, p.nest, p.hw);
  ASSERT_FALSE(text);
  EXPECT_NE(text.diagnostics()[0].message.find("no form in AIR: "), std::string::npos);
}

TEST(AirText, AnOperandReadThroughIndicesIsRefused) {
  const test::Problem p = test::makeProblem(test::smallMesh(2, 2), "llm/index_select",
                                            {{"M", 16}, {"N", 32}, {"K", 16}});
  const auto text = airText(lowered(p, test::randomMapping(p, 1)), p.kernel, p.nest, p.hw);
  ASSERT_FALSE(text);
  EXPECT_NE(text.diagnostics()[0].message.find("`X` is read through indices"), std::string::npos);
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
