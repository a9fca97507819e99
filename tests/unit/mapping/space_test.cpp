// SPDX-License-Identifier: Apache-2.0
#include "mapping/space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "support/problem.h"

namespace gridloom::mapping {
namespace {

using test::makeProblem;
using test::smallMesh;

Axes axesOf(const test::Problem& p, const Constraints& constraints = {}) {
  return makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, p.compute.vectorLanes,
                  constraints);
}

TEST(Space, BlocksArePowersOfTheIntrinsicTheExtentAndEvenShares) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 20}, {"N", 32}, {"K", 6}});
  const Axes axes = axesOf(p);
  EXPECT_EQ(axes.tileSizes[0], (std::vector<std::int64_t>{4, 8, 12, 16, 20}))
      << "12 = 20 / 2 rounded up to 4";
  EXPECT_EQ(axes.tileSizes[1], (std::vector<std::int64_t>{4, 8, 16, 32}));
  EXPECT_EQ(axes.tileSizes[2], (std::vector<std::int64_t>{4, 6}));
}

TEST(Space, BlocksDoNotDependOnTheOrderInWhichLoopsAreDeclared) {
  const auto sizesOf = [](const std::string& declared, const std::string& statements) {
    const auto p = makeProblem(smallMesh(2, 2), "kernel k(S = 3, D = 10) { tensor X[S, D]: f32 "
                                                "tensor Y[S, D + D]: f32\n" +
                                                    declared + "\n" + statements + " }\n");
    std::map<std::string, std::vector<std::int64_t>> sizes;
    const Axes axes = axesOf(p);
    for (std::size_t l = 0; l < p.kernel.loops.size(); ++l)
      sizes[p.kernel.loops[l].name] = axes.tileSizes[l];
    return sizes;
  };
  const std::string s = "for s in 0..S ", d = "for d in 0..D ";
  const std::string halves = "Y[s, d] = 2 * X[s, d] + 1\n Y[s, d + D] = exp(X[s, d])";
  EXPECT_EQ(sizesOf(s + d, halves).at("s").front(), 1) << "d is the innermost loop";
  EXPECT_EQ(sizesOf(d + s, halves), sizesOf(s + d, halves));
  const std::string sums = "Y[s, 2 * d + 1] = X[s, d]\n Y[s, 2 * d] = max(q) X[s, q] * d";
  EXPECT_EQ(sizesOf("for q in 0..D " + d + s, sums), sizesOf(s + d + "for q in 0..D", sums));
}

// Sizes that only one of the loops has would leave none for all of them.
TEST(Space, LoopsWithOneTileSizeShareTheirChoices) {
  const auto sizesOf = [](int n) {
    const auto p = makeProblem(smallMesh(2, 2), "cholesky", {{"N", n}});
    const Axes axes = axesOf(p);
    EXPECT_FALSE(p.nest.ties.empty());
    for (const auto& tied : p.nest.ties) {
      for (const LoopId loop : tied)
        EXPECT_EQ(axes.tileSizes[loop.index()], axes.tileSizes[tied.front().index()]) << n;
    }
    return axes.tileSizes[p.nest.ties.front().front().index()];
  };
  EXPECT_EQ(sizesOf(40).front(), 4) << "as a unit works on: 10 tiles for 4 cores";
  EXPECT_EQ(sizesOf(9).front(), 2) << "half of that: 3 tiles were too few for 4 cores";
  EXPECT_EQ(sizesOf(3).front(), 1);
}

TEST(Space, EveryAssignmentOfLoopsToDimensionsWithBothTilingOrders) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  // none, i, j, k on each dimension: 16; each of the loops on both has two orders.
  EXPECT_EQ(axesOf(p).spaces.size(), 16u + 3);
}

// A mesh of two cores along each of many dimensions.
std::string cube(int dims) {
  std::string text = "%fpu = df.mat { shape = [4, 4, 4], throughput = 128 flop/cycle }\n"
                     "%sfpu = df.vec { shape = [4], throughput = 4 elem/cycle }\n";
  std::string names, map;
  for (int d = 0; d < dims; ++d) {
    const std::string comma = d == 0 ? "" : ", ";
    text += "%x" + std::to_string(d) + " = df.spatial_dim 2\n";
    names += comma + "%x" + std::to_string(d);
    map += comma + "d" + std::to_string(d);
  }
  text += "%cores = df.core { scaleout = (" + names + "), scalein = (%fpu, %sfpu, [1, 1]) }\n";
  text +=
      "%l1 = df.memory { scaleout = (" + names + "), size = 65536 B, bandwidth = 64 B/cycle }\n";
  text += "%m = df.mux %cores, %l1 { map = affine_map<(" + map + ") -> (" + map + ")> }\n";
  for (int d = 0; d < dims; ++d) {
    for (const char* step : {"+", "-"}) {
      std::string to = map;
      const std::string own = "d" + std::to_string(d);
      const auto at = to.find(own + ",") != std::string::npos ? to.find(own + ",") : to.rfind(own);
      to.replace(at, own.size(), own + " " + step + " 1");
      text += "%n" + std::to_string(2 * d + (*step == '+' ? 0 : 1)) +
              " = df.interconnects %l1, %l1 { map = affine_map<(" + map + ") -> (" + to +
              ")>, bandwidth = 16 B/cycle }\n";
    }
  }
  return text +
         "%c = df.spatial_dim 1\n"
         "%dram = df.memory { scaleout = (%c), size = 1 GiB, bandwidth = 12 B/cycle, kind = "
         "global }\n"
         "%to_dram = df.interconnects %l1, %dram { map = affine_map<(" +
         map + ") -> (0)>, bandwidth = 16 B/cycle }\n";
}

TEST(Space, OrdersOfDimensionsAreThoseOfDimensionsWithTheSameLoop) {
  const auto p = makeProblem(cube(3), "vector_add", {{"N", 64}});
  // Each dimension carries i or nothing; k dimensions with i have k! orders.
  EXPECT_EQ(axesOf(p).spaces.size(), 1u + 3 * 1 + 3 * 2 + 6);
  for (const SpaceChoice& choice : axesOf(p).spaces) {
    EXPECT_TRUE(isPlacement(p.kernel, p.nest, p.hw, choice));
  }
}

TEST(Space, MeshesOfManyDimensionsHaveTooManyPlacementsUntilTheyArePinned) {
  const auto p = makeProblem(cube(8), "vector_add", {{"N", 64}});
  EXPECT_TRUE(axesOf(p).tooManySpaces) << "8! + 8! + 20,160 + 6,720 + ... = 109,601";
  EXPECT_TRUE(axesOf(p).spaces.empty());
  Constraints pinned;
  for (int d = 0; d < 8; ++d) pinned.space[d] = d < 5 ? LoopId{} : LoopId(0);
  EXPECT_EQ(axesOf(p, pinned).spaces.size(), 6u);
  pinned.dimOrder[LoopId(0)] = {7, 5, 6};
  const Axes ordered = axesOf(p, pinned);
  ASSERT_EQ(ordered.spaces.size(), 1u);
  EXPECT_EQ(ordered.spaces.front().dimOrder, (std::vector<std::uint8_t>{0, 1, 2, 3, 4, 7, 5, 6}));
}

// The key loop of attention may be spatial, as its state has an associative combine; a running sum
// whose values are all written may not.
TEST(Space, LoopsWithStateAreDealtWhereItJoins) {
  const auto carried = [](const test::Problem& p) {
    std::set<std::string> names;
    for (const SpaceChoice& choice : axesOf(p).spaces) {
      for (const LoopId loop : choice.space) {
        if (loop.valid()) names.insert(p.kernel.loop(loop).name);
      }
    }
    return names;
  };
  EXPECT_EQ(carried(makeProblem(smallMesh(2, 2), "flash_attention",
                                {{"H", 4}, {"SQ", 16}, {"SK", 16}, {"D", 8}})),
            (std::set<std::string>{"h", "i", "j"}));
  EXPECT_EQ(carried(makeProblem(smallMesh(2, 2), "kernel scan(M = 8, N = 8) {\n"
                                                 "  tensor A[M, N]: f32\n  tensor Y[M]: f32\n"
                                                 "  local m[M, N]: f32 = 0\n"
                                                 "  m[i, j] = m[i, j - 1] + A[i, j]\n"
                                                 "  Y[i] = sum(j) m[i, j]\n}\n")),
            (std::set<std::string>{"i"}));
}

TEST(Space, LoopsInSharesHaveTheBlockOfEachNumberOfCores) {
  const auto p = makeProblem(smallMesh(2, 3), "softmax", {{"M", 4}, {"N", 100}});
  EXPECT_EQ(axesOf(p).tileSizes[1], (std::vector<std::int64_t>{17, 34, 50, 100}));
}

TEST(Space, WholeLoopsHaveOneBlock) {
  const auto p = makeProblem(smallMesh(2, 2), "flash_attention");
  ASSERT_FALSE(p.nest.whole.empty());
  for (const auto& whole : p.nest.whole) {
    EXPECT_EQ(axesOf(p).tileSizes[whole.loop.index()],
              std::vector<std::int64_t>{p.kernel.loop(whole.loop).extent});
  }
}

TEST(Space, TransfersStandInsideALoopTheyDependOn) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  Mapping m;
  m.tileSize = {8, 8, 8};
  m.space = {LoopId(0), LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0), LoopId(1), LoopId(2)};
  std::set<int> levels;
  for (const InputMovement& move : inputOptions(p.nest, 0, m, p.hw, {})) levels.insert(move.level);
  EXPECT_EQ(levels, (std::set<int>{0, 1, 3})) << "A[i, k] directly inside j would repeat itself";
  for (const InputMovement& move : inputOptions(p.nest, 0, m, p.hw, {})) {
    EXPECT_EQ(move.along & ~DimMask{2}, 0u) << "A is shared along y only";
    EXPECT_TRUE(move.level > 0 || move.buffers == 1) << "a single load needs no second buffer";
  }
}

TEST(Space, EveryPointPassesTheCheckOfForeignMappings) {
  const auto p = makeProblem(smallMesh(2, 3), "gemm", {{"M", 40}, {"N", 28}, {"K", 36}});
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Mapping m = test::randomMapping(p, seed);
    if (m.inputs.empty()) continue;
    ++checked;
    EXPECT_EQ(render(checkMapping(p.kernel, p.nest, p.hw, m)), "");
  }
  EXPECT_GT(checked, 400);
}

TEST(Space, AForeignOrderOrPlacementIsLegalExactlyWhenItIsListed) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  const std::vector<LoopId> loops{LoopId(), LoopId(0), LoopId(1), LoopId(2)};
  const Axes axes = axesOf(p);
  for (const LoopId x : loops) {
    for (const LoopId y : loops) {
      for (const std::vector<std::uint8_t>& dims : {std::vector<std::uint8_t>{0, 1}, {1, 0}}) {
        const bool listed = std::ranges::any_of(axes.spaces, [&](const SpaceChoice& c) {
          return c.space == std::vector{x, y} && c.dimOrder == dims;
        });
        EXPECT_EQ(isPlacement(p.kernel, p.nest, p.hw, {{x, y}, dims}), listed);
      }
    }
  }
  Tiling tiling;
  tiling.loops = {{64, 32, 2, 1, 2}, {64, 64, 1, 1, 1}, {64, 16, 4, 1, 4}};
  const auto orders = ordersOf(p.nest, tiling, {});
  for (const LoopId outer : loops) {
    for (const LoopId inner : loops) {
      const std::vector order{outer, inner};
      EXPECT_EQ(isOrder(p.nest, tiling, order), std::ranges::find(orders, order) != orders.end());
    }
  }
  EXPECT_FALSE(isOrder(p.nest, tiling, {LoopId(0)}));
  EXPECT_FALSE(isOrder(p.nest, tiling, {LoopId(0), LoopId(2), LoopId(9)}));
}

// Twelve loops that may all be ordered in time: listing their orders would take minutes.
TEST(Space, AForeignMappingOfManyLoopsIsCheckedAtOnce) {
  std::string shape, index;
  for (int d = 0; d < 12; ++d) {
    shape += (d == 0 ? "2" : ", 2");
    index += (d == 0 ? "" : ", ") + std::string(1, static_cast<char>('a' + d));
  }
  const auto p = makeProblem(smallMesh(2, 2), "kernel many() {\n  tensor A[" + shape +
                                                  "]: f32  tensor B[" + shape + "]: f32\n  B[" +
                                                  index + "] = A[" + index + "] + 1\n}\n");
  Mapping m;
  m.tileSize.assign(12, 1);
  m.space = {LoopId(), LoopId()};
  m.dimOrder = {0, 1};
  for (std::size_t l = 0; l < 12; ++l) m.order.push_back(LoopId::of(11 - l));
  m.inputs = {{MovementKind::Direct, 0, 0, 12, 1}};
  m.outputs = {{ReductionTopology::None, -1, 1}};
  EXPECT_EQ(render(checkMapping(p.kernel, p.nest, p.hw, m)), "");
  m.order.back() = m.order.front();
  EXPECT_NE(render(checkMapping(p.kernel, p.nest, p.hw, m)).find("temporal order"),
            std::string::npos);
}

TEST(Space, ForeignMappingsAreRefusedWithReasons) {
  const auto p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  const Mapping good = test::randomMapping(p, 7);
  ASSERT_EQ(checkMapping(p.kernel, p.nest, p.hw, good).size(), 0u);
  const auto message = [&](const Mapping& m) {
    const auto errors = checkMapping(p.kernel, p.nest, p.hw, m);
    return errors.empty() ? std::string() : errors.front().message;
  };
  Mapping m = good;
  m.tileSize[0] = 0;
  EXPECT_EQ(message(m), "tile size 0 of loop i is not between 1 and 64");
  m = good;
  m.inputs.pop_back();
  EXPECT_EQ(message(m), "the mapping has 1 input movements, 2 wanted");
  m = good;
  m.dimOrder = {0, 0};
  EXPECT_EQ(message(m), "the tiling order does not name every mesh dimension once");
  m = good;
  m.space = {LoopId(9), LoopId()};
  EXPECT_EQ(message(m), "the mapping names a loop the kernel does not have");
  m = good;
  m.inputs[0].along = 4;
  m.inputs[0].kind = MovementKind::Multicast;
  EXPECT_EQ(message(m), "the movement of A is not possible in this mapping");
}

}  // namespace
}  // namespace gridloom::mapping
