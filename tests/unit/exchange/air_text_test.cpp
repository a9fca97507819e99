// SPDX-License-Identifier: Apache-2.0
// Schedules as AIR: accepted by mlir-opt, and right. The text itself is checked: a machine runs
// what mlir-opt makes of it and follows elements from global memory to the tile operations.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "exchange/air_text.h"
#include "schedule/schedule.h"
#include "schedule/verify.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"
#include "unit/exchange/air_run.h"
#include "unit/exchange/mlir_opt.h"
#include "unit/exchange/multicast_product.h"

namespace gridloom::exchange {
namespace {

schedule::Schedule airSchedule(const test::Problem& p, const mapping::Mapping& mapping) {
  return *schedule::lower(p.kernel, p.nest, p.hw, mapping);
}

/// Whether every byte that channels carry goes into local memory, and slots hold no more than their
/// tiles: a slot of several tiles, one of them smaller, is sent whole. Forwarded tiles go to the
/// core that computes them, too, which writes nothing.
bool isExact(const test::Problem& p, const mapping::Mapping& mapping) {
  for (std::size_t l = 0; l < p.kernel.loops.size(); ++l) {
    if (p.kernel.loops[l].extent % mapping.tileSize[l] != 0) return false;
  }
  for (const mapping::InputMovement& input : mapping.inputs) {
    if (input.usesSharedBuffer() || input.shared != 0) return false;
    if (input.kind == mapping::MovementKind::Forwarded) return false;
  }
  return std::ranges::none_of(mapping.outputs,
                              [](const auto& output) { return output.usesSharedBuffer(); });
}

/// How many tiles more than one herd takes.
int tilesTakenTwice(const std::string& text) {
  const auto numbers = [&](const char* pattern) {
    std::vector<long> found;
    const std::regex regex(pattern);
    for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
      found.push_back(std::stol((*at)[1]));
    }
    return found;
  };
  const auto wide = numbers("%w[0-9]+ = arith.constant ([0-9]+)");
  const auto high = numbers("%h[0-9]+ = arith.constant ([0-9]+)");
  const auto x = numbers("x_loc = ([0-9]+)"), y = numbers("y_loc = ([0-9]+)");
  std::map<std::pair<long, long>, int> taken;
  for (std::size_t herd = 0; herd < x.size(); ++herd) {
    for (long dx = 0; dx < wide.at(herd); ++dx) {
      for (long dy = 0; dy < high.at(herd); ++dy) ++taken[{x[herd] + dx, y.at(herd) + dy}];
    }
  }
  return static_cast<int>(
      std::ranges::count_if(taken, [](const auto& tile) { return tile.second > 1; }));
}

/// How many texts were written, and how many of them send shares of slots with tiles of several
/// sizes.
struct Written {
  int texts = 0;
  int unequal = 0;
};

/// Runs random mappings of a problem.
Written checkMappings(const test::Problem& p, unsigned seeds) {
  Written written;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    const mapping::Mapping mapping = test::randomOrRing(p, seed);
    if (mapping.inputs.empty()) continue;
    const auto schedule = test::verified(airSchedule(p, mapping), p);
    const auto text = airText(schedule->schedule, p.kernel, p.nest, p.hw);
    EXPECT_TRUE(text) << base::render(text.diagnostics());
    if (!text) continue;
    ++written.texts;
    written.unequal += text->find("%there") != std::string::npos ? 1 : 0;
    EXPECT_EQ(tilesTakenTwice(*text), 0) << p.kernel.name << " " << seed;
    base::Progress progress;
    const auto simulated = simulate::simulate(schedule, {}, progress);
    EXPECT_TRUE(simulated) << base::render(simulated.diagnostics());
    test::AirRun run(p, schedule->schedule);
    run.tileSizes = mapping.tileSize;
    for (const kernel::Operand& input : p.nest.inputs) {
      if (!input.gather) continue;
      for (const kernel::IndexRead& read : input.gather->access.gathers) {
        const long size = p.kernel.tensor(input.tensor).shape[read.dim];
        run.range = run.range == 0 ? size : std::min(run.range, size);
      }
    }
    const std::string wrong = run.run(*text, *simulated);
    EXPECT_EQ(wrong, "") << p.kernel.name << " " << seed;
    if (isExact(p, mapping) && !test::reachesOutside(p)) {
      EXPECT_EQ(run.got + run.loaded, simulated->traffic.localWrite)
          << p.kernel.name << " " << seed;
    }
    EXPECT_EQ(test::mlirFindings(*text), "") << p.kernel.name << " " << seed;
  }
  return written;
}

void expectRight(const std::string& mesh, const char* kernel, test::Settings sizes,
                 unsigned seeds = 10, bool unequal = false) {
  if (!test::hasMlirOpt()) GTEST_SKIP() << "mlir-opt (mlir-19-tools) is not installed";
  const Written written = checkMappings(test::makeProblem(mesh, kernel, sizes), seeds);
  EXPECT_GT(written.texts, 0);
  EXPECT_TRUE(!unequal || written.unequal > 0);
}

TEST(AirTextRuns, Products) {
  expectRight(test::smallMesh(4, 2), "gemm", {{"M", 40}, {"N", 24}, {"K", 32}});
  expectRight(test::smallMesh(3, 3), "gemm", {{"M", 42}, {"N", 27}, {"K", 30}});
}

// Herds have two dimensions; the second one is that of a herd for both of the others of the mesh.
TEST(AirTextRuns, MeshesOfThreeDimensions) {
  const std::string cube = R"(%mat = df.mat { shape = [4, 4, 4], throughput = 128 flop/cycle }
%vec = df.vec { shape = [4], throughput = 4 elem/cycle }
%x = df.spatial_dim 2
%y = df.spatial_dim 3
%z = df.spatial_dim 2
%cores = df.core { scaleout = (%x, %y, %z), scalein = (%mat, %vec, [1, 1]) }
%l1 = df.memory { scaleout = (%x, %y, %z), size = 64 KiB, bandwidth = 64 B/cycle }
%to_l1 = df.mux %cores, %l1 { map = affine_map<(d0, d1, d2) -> (d0, d1, d2)> }
%along_x = df.interconnects %l1, %l1 {
  map = affine_map<(d0, d1, d2) -> ((d0 + 1) mod 2, d1, d2)>, bandwidth = 16 B/cycle }
%along_y = df.interconnects %l1, %l1 {
  map = affine_map<(d0, d1, d2) -> (d0, (d1 + 1) mod 3, d2)>, bandwidth = 16 B/cycle }
%along_z = df.interconnects %l1, %l1 {
  map = affine_map<(d0, d1, d2) -> (d0, d1, (d2 + 1) mod 2)>, bandwidth = 16 B/cycle }
%c = df.spatial_dim 2
%dram = df.memory { scaleout = (%c), size = 1 GiB, bandwidth = 12 B/cycle, kind = global }
%to_dram = df.interconnects %l1, %dram {
  map = affine_map<(d0, d1, d2) -> (d0)>, bandwidth = 16 B/cycle }
)";
  expectRight(cube, "gemm", {{"M", 24}, {"N", 24}, {"K", 16}}, 24);
  expectRight(cube, "batched_gemm", {{"B", 4}, {"M", 12}, {"N", 12}, {"K", 8}}, 12);
  expectRight(cube, "softmax", {{"M", 24}, {"N", 16}});
}

TEST(AirTextRuns, SharedBuffers) {
  expectRight(test::meshWithSharedBuffer(4, 2), "gemm", {{"M", 32}, {"N", 32}, {"K", 32}});
  expectRight(test::meshWithTwoSharedBuffers(4, 2), "gemm_bias_relu",
              {{"M", 16}, {"N", 24}, {"K", 16}});
}

TEST(AirTextRuns, SharedMemories) {
  expectRight(test::withSharedMemories(test::smallMesh(2, 2), "y"), "gemm",
              {{"M", 16}, {"N", 16}, {"K", 32}});
}

TEST(AirTextRuns, RingsAndRotation) {
  expectRight(test::smallTorus(3, 2), "gemm", {{"M", 12}, {"N", 12}, {"K", 36}}, 24);
  expectRight(test::smallTorus(4, 1, true), "gemm", {{"M", 12}, {"N", 20}, {"K", 16}}, 12);
}

// A slot of several tiles, the last of which is smaller, goes round in shares.
TEST(AirTextRuns, RingsOfTilesOfSeveralSizes) {
  expectRight(test::smallTorus(3, 2), "gemm", {{"M", 13}, {"N", 11}, {"K", 22}}, 24, true);
  expectRight(test::smallTorus(4, 1, true), "gemm", {{"M", 14}, {"N", 21}, {"K", 19}}, 24);
  expectRight(test::smallTorus(3, 2), "conv2d", {{"N", 1}, {"C", 3}, {"P", 5}, {"Q", 7}, {"F", 5}},
              24);
}

TEST(AirTextRuns, Windows) {
  expectRight(test::smallMesh(4, 2), "conv2d", {{"N", 1}, {"C", 4}, {"P", 5}, {"Q", 6}, {"F", 4}});
}

TEST(AirTextRuns, StateAndReductions) {
  expectRight(test::smallMesh(2, 3), "layernorm", {{"M", 8}, {"N", 24}});
  expectRight(test::smallMesh(2, 2), "softmax", {{"M", 16}, {"N", 16}});
  expectRight(test::smallMesh(2, 2), "flash_attention",
              {{"H", 2}, {"SQ", 16}, {"SK", 16}, {"D", 4}});
}

TEST(AirTextRuns, Domains) {
  expectRight(test::smallMesh(2, 2), "causal_attention", {{"H", 2}, {"S", 16}, {"D", 4}}, 16);
  expectRight(test::smallMesh(3, 2), R"(kernel triangle(N = 14, K = 9) {
 tensor A[N, K]: f32 tensor B[N, K]: f32 tensor C[N, N]: f32
 C[i, j] = sum(k) A[i, k] * B[j, k] where j <= i
 C[i, j] = 0 where j > i }
)",
              {}, 16);
}

TEST(AirTextRuns, Gathers) {
  expectRight(test::smallMesh(2, 2), "llm/index_select", {{"M", 16}, {"N", 32}, {"K", 16}});
  expectRight(test::smallMesh(2, 2), R"(kernel gather_two(N = 7, M = 5, K = 6) {
 tensor E[M, 3, K]: f32 tensor a[N]: i32 tensor b[N, 2]: i8 tensor Y[N, 2]: f32
 Y[i, j] = sum(k) E[a[i], b[i, j], k] * E[0, 1, k] where k <= i }
)",
              {});
}

TEST(AirTextRuns, TilesThatOtherCoresMake) {
  expectRight(test::smallMesh(2, 2), "jacobi2d", {{"T", 2}, {"N", 8}});
  expectRight(test::smallMesh(2, 2), "trsm", {{"N", 12}, {"R", 6}}, 16);
  expectRight(test::smallMesh(2, 2), "cholesky", {{"N", 9}});
  expectRight(test::smallMesh(3, 1), "prefix_sum", {{"N", 30}}, 16);
}

TEST(AirTextRuns, TilesThatOtherCoresMakeInOrder) {
  expectRight(test::smallMesh(2, 2), "polybench/lu", {{"N", 8}});
  expectRight(test::smallMesh(4, 1), "polybench/trisolv", {{"N", 12}}, 16);
}

TEST(AirText, TilesAreForwardedOrOrderedByTokens) {
  const test::Problem p = test::makeProblem(test::smallMesh(2, 2), "trsm", {{"N", 12}, {"R", 6}});
  int tokens = 0, parts = 0;
  for (unsigned seed = 0; seed < 16; ++seed) {
    const auto text = airText(airSchedule(p, test::randomMapping(p, seed)), p.kernel, p.nest, p.hw);
    ASSERT_TRUE(text) << base::render(text.diagnostics());
    tokens += text->find("@stored_X") != std::string::npos ? 1 : 0;
    parts += text->find("@forwarded_X") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(tokens, 0);
  EXPECT_GT(parts, 0);
}

TEST(AirText, AMulticastIsABroadcastAndLoopsCarryTheRing) {
  const test::Problem p =
      test::makeProblem("wormhole_4x8", "gemm", {{"M", 256}, {"N", 256}, {"K", 256}});
  const mapping::Mapping mapping = test::multicastProduct({32, 64, 64}, 2);
  const auto text = airText(airSchedule(p, mapping), p.kernel, p.nest, p.hw);
  ASSERT_TRUE(text) << base::render(text.diagnostics());
  for (const char* part :
       {"broadcast_shape = [8, 4], buffer_resources = 2 : i64, size = [8, 1]", "\"air.launch\"",
        "\"air.segment\"", "\"air.herd\"", "\"air.channel.put\"", "\"air.channel.get\"",
        "\"air.dma_memcpy_nd\"", "iter_args(", "memref<32x64xf16, 2 : i32>", "!air.async.token"}) {
    EXPECT_NE(text->find(part), std::string::npos) << part;
  }
}

TEST(AirText, TokensOrderTheProcessesOfACore) {
  const test::Problem p =
      test::makeProblem(test::smallMesh(2, 1), "gemm", {{"M", 16}, {"N", 8}, {"K", 16}});
  mapping::Mapping mapping = test::multicastProduct({8, 8, 4}, 1);
  mapping.space[1] = {};
  for (mapping::InputMovement& input : mapping.inputs) input = {};
  for (mapping::InputMovement& input : mapping.inputs) input.level = 1;
  schedule::Schedule schedule = airSchedule(p, mapping);
  const auto plain = airText(schedule, p.kernel, p.nest, p.hw);
  schedule.tokens = {{"after", 0}, {"before", 1}};
  // The second input is loaded behind the first, and the first behind the second of the iteration
  // before.
  using schedule::Instruction, schedule::Op;
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<Instruction>& code = schedule.programs[0].processes[i].code;
    const auto load = std::ranges::find(code, Op::Load, &Instruction::op);
    ASSERT_NE(load, code.end());
    const auto other = static_cast<std::int32_t>(i);
    code.insert(load + 1, {Op::Signal, other, {}, {}});
    code.insert(std::ranges::find(code, Op::Load, &Instruction::op),
                {Op::AwaitToken, 1 - other, {}, {}});
  }
  const auto text = airText(schedule, p.kernel, p.nest, p.hw);
  ASSERT_TRUE(plain && text) << base::render(text.diagnostics());
  EXPECT_EQ(test::mlirFindings(*text), "");
  // The second load names the token of the first.
  const auto secondWaits = [](const std::string& of) {
    const std::size_t first = of.find("%loaded_"), end = of.find('\n', first);
    const std::string token = of.substr(first, of.find(' ', first) - first);
    const std::size_t second = of.find("air.dma_memcpy_nd", end);
    return of.substr(second, of.find('{', second) - second).find(token) != std::string::npos;
  };
  EXPECT_TRUE(secondWaits(*text));
  EXPECT_FALSE(secondWaits(*plain));
  const auto verified = test::verified(schedule, p);
  base::Progress progress;
  const auto simulated = simulate::simulate(verified, {}, progress);
  ASSERT_TRUE(simulated) << base::render(simulated.diagnostics());
  test::AirRun run(p, schedule);
  run.tileSizes = mapping.tileSize;
  EXPECT_EQ(run.run(*text, *simulated), "");
}

TEST(AirText, AllReducesAndSharedCopiesHaveAForm) {
  if (!test::hasMlirOpt()) GTEST_SKIP() << "mlir-opt (mlir-19-tools) is not installed";
  const test::Problem reduces =
      test::makeProblem(test::smallMesh(2, 3), "layernorm", {{"M", 8}, {"N", 24}});
  const test::Problem shares =
      test::makeProblem(test::withSharedMemories(test::smallMesh(2, 2), "y"), "gemm",
                        {{"M", 16}, {"N", 16}, {"K", 32}});
  int parts = 0, copies = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    for (const test::Problem* p : {&reduces, &shares}) {
      const auto text =
          airText(airSchedule(*p, test::randomMapping(*p, seed)), p->kernel, p->nest, p->hw);
      if (!text) continue;
      EXPECT_EQ(test::mlirFindings(*text), "") << p->kernel.name << " " << seed;
      parts += text->find("layernorm_tile_part2") != std::string::npos ? 1 : 0;
      copies += text->find("shared_copy") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(parts, 0);
  EXPECT_GT(copies, 0);
}

}  // namespace
}  // namespace gridloom::exchange
