// SPDX-License-Identifier: Apache-2.0
#include "cost/compute.h"
#include "cost/model.h"
#include "timing/op_cycles.h"

#include <gtest/gtest.h>

#include "cost/tile_counts.h"
#include "support/problem.h"

namespace gridloom::cost {
namespace {

using test::makeProblem;
using test::smallMesh;

TEST(Compute, MatrixWorkIsPaddedToTheIntrinsic) {
  const auto p = makeProblem(smallMesh(1, 1, 1), "gemm", {{"M", 8}, {"N", 8}, {"K", 8}});
  ASSERT_EQ(p.nest.ops.size(), 1u);
  const std::int64_t full[] = {8, 8, 8}, edge[] = {5, 8, 8};
  EXPECT_DOUBLE_EQ(timing::opCycles(p.nest.ops[0], full, p.compute), 2.0 * 8 * 8 * 8 / 128);
  EXPECT_DOUBLE_EQ(timing::opCycles(p.nest.ops[0], edge, p.compute), 2.0 * 8 * 8 * 8 / 128)
      << "5 rows fill 8";
}

TEST(Compute, IssueCostsAndTheRateOfSmallOutputs) {
  const auto p = makeProblem(smallMesh(1, 1, 1), "gemm", {{"M", 8}, {"N", 8}, {"K", 8}});
  hardware::ComputeModel c = p.compute;
  c.issuePerOutput = 0.5;
  c.matrixIssue = 7;
  c.fullRateOutput = 128;  // 64 outputs run at half the rate
  const std::int64_t extents[] = {8, 8, 8};
  EXPECT_DOUBLE_EQ(timing::opCycles(p.nest.ops[0], extents, c),
                   2.0 * 8 * 8 * 8 / 64 + 0.5 * 64 + 7);
}

// A core with one kind of unit does its products and its other work one after the other.
TEST(Compute, TheBoundOfTheOnlyUnitIsTheSumOfItsWork) {
  std::string mesh = smallMesh(1, 1, 1);
  mesh.erase(0, mesh.find('\n') + 1);
  mesh.replace(mesh.find("%fpu, "), 6, "");
  mesh.replace(mesh.find("[1, 1]"), 6, "[1]");
  const auto p =
      makeProblem(mesh, "kernel k(N = 16) {\n  tensor A[N, N]: f32\n  tensor C[N, N]: f32\n"
                        "  C[i, j] = max(0, sum(k) A[i, k] * A[k, j])\n}\n");
  const double product = timing::productRate(p.nest.ops[0], p.compute);
  EXPECT_DOUBLE_EQ(roofline(p.kernel, p.nest, p.hw, p.compute).computeCycles,
                   2.0 * 16 * 16 * 16 / product + 16.0 * 16 / 4);
}

// What a simulated core computes, tile by tile, on a machine whose units are chained.
TEST(Compute, ChainedUnitsRunSideBySideInEveryTile) {
  const std::string kernel =
      "kernel nested(I = 13, J = 10, K = 3, L = 9) {\n"
      "  tensor A[I, K, L]: f32\n  tensor B[K, J]: f32\n"
      "  tensor C[L, J]: f32\n  tensor D[I, J]: f32\n"
      "  D[i, j] = sum(k) max(B[k, j], exp(sum(l) A[i, k, l] * C[l, j]))\n}\n";
  const auto apart = makeProblem(smallMesh(2, 1), kernel);
  const auto chained = makeProblem(test::withChaining(smallMesh(2, 1)), kernel);
  const double bound =
      roofline(chained.kernel, chained.nest, chained.hw, chained.compute).computeCycles;
  int shorter = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto m = test::randomMapping(chained, seed);
    if (m.inputs.empty()) continue;
    const auto tiling = tilingOf(m, chained.kernel, chained.hw);
    double slow = 0;
    // All tiles of core 0, which has tiles 0, unroll, 2 * unroll, ... of each loop.
    std::vector<std::int64_t> extents(4);
    const auto visit = [&](const auto& self, std::size_t l) -> void {
      if (l == extents.size()) {
        timing::UnitCycles one;
        for (const auto& op : chained.nest.ops)
          one.add(timing::opTime(op, extents, chained.compute));
        slow += std::max(one.matrix, one.vector);
        return;
      }
      for (std::int64_t wave = 0; wave < tiling.loops[l].trips; ++wave) {
        extents[l] = tiling.elementsOf(kernel::LoopId::of(l), wave * tiling.loops[l].unroll);
        self(self, l + 1);
      }
    };
    visit(visit, 0);
    const double together = computeTime(chained.nest, tiling, chained.compute).total();
    EXPECT_NEAR(together, slow, 1e-9 * slow) << seed;
    EXPECT_GE(together * (1 + 1e-9), bound) << seed;
    shorter += together < computeTime(apart.nest, tiling, apart.compute).total() ? 1 : 0;
  }
  EXPECT_GT(shorter, 20);
}

TEST(Compute, VectorWorkInFrontOfProductsIsNotChained) {
  const std::string kernel = "kernel scaled() {\n  tensor A[32, 32]: f32\n"
                             "  tensor B[32, 32]: f32\n  tensor C[32, 32]: f32\n"
                             "  C[i, j] = sum(k) abs(A[i, k]) * B[k, j]\n}\n";
  const auto apart = makeProblem(smallMesh(2, 1), kernel);
  const auto chained = makeProblem(test::withChaining(smallMesh(2, 1)), kernel);
  mapping::Mapping m;
  m.tileSize = {16, 16, 16};
  m.space = {kernel::LoopId(0), kernel::LoopId()};
  m.dimOrder = {0, 1};
  const auto tiling = tilingOf(m, chained.kernel, chained.hw);
  const ComputeTime time = computeTime(chained.nest, tiling, chained.compute);
  EXPECT_GT(time.matrix, 0);
  EXPECT_GT(time.vector, 0);
  EXPECT_EQ(time.total(), computeTime(apart.nest, tiling, apart.compute).total());
}

TEST(Compute, EdgeTilesAreCountedTileByTile) {
  const auto p = makeProblem(smallMesh(2, 1), "gemm", {{"M", 20}, {"N", 14}, {"K", 10}});
  mapping::Mapping m;
  m.tileSize = {8, 8, 8};
  m.space = {kernel::LoopId(0), kernel::LoopId()};
  m.dimOrder = {0, 1};
  const auto tiling = tilingOf(m, p.kernel, p.hw);
  double slow = 0;
  for (const std::int64_t i : {8, 4}) {  // core 0: tiles 0 and 2 of 3
    for (const std::int64_t j : {8, 6}) {
      for (const std::int64_t k : {8, 2}) {
        const std::int64_t extents[] = {i, j, k};
        slow += timing::opCycles(p.nest.ops[0], extents, p.compute);
      }
    }
  }
  EXPECT_DOUBLE_EQ(computeTime(p.nest, tiling, p.compute).total(), slow);
}

TEST(Compute, EpilogueRunsOncePerOutputTile) {
  const auto p = makeProblem(smallMesh(1, 1, 1), "gemm_bias_relu", {{"M", 8}, {"N", 8}, {"K", 32}});
  mapping::Mapping whole, tiled;
  whole.tileSize = {8, 8, 32};
  tiled.tileSize = {8, 8, 8};
  for (auto* m : {&whole, &tiled}) {
    m->space = {kernel::LoopId(), kernel::LoopId()};
    m->dimOrder = {0, 1};
  }
  const auto time = [&](const mapping::Mapping& m) {
    return computeTime(p.nest, tilingOf(m, p.kernel, p.hw), p.compute);
  };
  EXPECT_GT(time(whole).vector, 0);
  EXPECT_DOUBLE_EQ(time(whole).vector, time(tiled).vector);
  EXPECT_DOUBLE_EQ(time(whole).matrix, time(tiled).matrix);
}

/// Cycles of the core at `way` of every loop, one tile after the other.
double cyclesAt(const test::Problem& p, const mapping::Tiling& tiling,
                const std::vector<std::int64_t>& way) {
  const std::size_t loops = tiling.loops.size();
  std::vector<std::int64_t> tile = way, extents(loops);
  std::vector<kernel::TileSpan> spans(loops);
  const auto inside = [&](std::size_t l) { return tile[l] < tiling.loops[l].tiles; };
  double cycles = 0;
  for (std::size_t next = 0; next < loops;) {
    bool whole = true;
    for (std::size_t l = 0; l < loops; ++l) {
      const mapping::LoopTiling& loop = tiling.loops[l];
      const std::int64_t begin = tile[l] * loop.tileSize;
      spans[l] = {begin, std::min(begin + loop.tileSize, loop.extent), tile[l], tile[l]};
      extents[l] = spans[l].end - begin;
      whole = whole && inside(l);
    }
    for (const kernel::TileOp& op : p.nest.ops) {
      if (whole && op.guard.holds(spans)) cycles += timing::opCycles(op, extents, p.compute);
    }
    for (next = 0; next < loops; ++next) {
      tile[next] += tiling.loops[next].unroll;
      if (inside(next)) break;
      tile[next] = way[next];
    }
  }
  return cycles;
}

double cyclesOfTheBusiest(const test::Problem& p, const mapping::Tiling& tiling) {
  double busiest = 0;
  std::vector<std::int64_t> way(tiling.loops.size(), 0);
  for (way[0] = 0; way[0] < tiling.loops[0].unroll; ++way[0]) {
    for (way[1] = 0; way[1] < tiling.loops[1].unroll; ++way[1])
      busiest = std::max(busiest, cyclesAt(p, tiling, way));
  }
  return busiest;
}

void expectThatOfTheBusiest(const std::string& kernel) {
  for (const std::int64_t side : {9, 10, 13, 17, 18}) {
    const auto p = makeProblem(smallMesh(4, 2), kernel, {{"N", side}});
    for (const std::int64_t tileSize : {1, 2, 3}) {
      mapping::Mapping m;
      m.tileSize.assign(p.kernel.loops.size(), tileSize);
      m.space = {kernel::LoopId(0), kernel::LoopId(1)};
      m.dimOrder = {0, 1};
      const mapping::Tiling tiling = tilingOf(m, p.kernel, p.hw);
      const double busiest = cyclesOfTheBusiest(p, tiling);
      EXPECT_NEAR(computeTime(p.nest, tiling, p.compute).total(), busiest, 1e-9 * busiest)
          << side << " points in tiles of " << tileSize << ": " << kernel;
    }
  }
}

// Bounds such as `1 <= j < N - 1` leave the first core with fewer tiles than the second. Not all
// cores are asked.
TEST(Compute, IsThatOfTheBusiestCoreWhereverItIs) {
  expectThatOfTheBusiest("jacobi2d");
  for (const std::string domain :
       {"j >= i + 1, j < N - 1", "i >= 1, j >= i + 1", "j <= i", "j <= i - 2, i < N - 1",
        "j <= i, j >= i - 3", "j >= i + 4", "j >= i - 2, i >= 2, j < N - 2"}) {
    expectThatOfTheBusiest("kernel triangle(N = 8) {\n"
                           "  tensor A[N, N]: f32\n  tensor C[N, N]: f32\n"
                           "  C[i, j] = exp(A[i, j]) where " +
                           domain + "\n}\n");
  }
}

TEST(TileCounts, GiveWhatCountingGives) {
  const auto p = makeProblem(smallMesh(2, 2), "cholesky", {{"N", 40}});
  const TileCounts counts(p.nest);
  for (int again = 0; again < 2; ++again) {
    for (const std::int64_t tileSize : {4, 5, 8}) {
      mapping::Mapping m;
      m.tileSize.assign(p.kernel.loops.size(), tileSize);
      m.space = {kernel::LoopId(0), kernel::LoopId()};
      m.dimOrder = {0, 1};
      const mapping::Tiling tiling = tilingOf(m, p.kernel, p.hw);
      std::vector<CountedTiles> tiles;
      for (const mapping::LoopTiling& loop : tiling.loops) tiles.push_back(tilesOf(loop, 0));
      for (const kernel::TileOp& op : p.nest.ops) {
        EXPECT_EQ(counts.where(op.guard, tiling, tiles), countWhere(op.guard, tiling, tiles));
      }
    }
  }
}

}  // namespace
}  // namespace gridloom::cost
