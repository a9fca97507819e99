// SPDX-License-Identifier: Apache-2.0
//
// Kernels whose outputs depend on each other: dependences between tiles against all pairs of
// elements, and mappings that read too early are refused, and do not get by when they are simulated
// all the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernel/interpreter.h"
#include "mapping/dependences.h"
#include "mapping/known_dependences.h"
#include "schedule/schedule.h"
#include "schedule/verify.h"
#include "simulate/simulation.h"
#include "support/line_check.h"
#include "support/problem.h"

namespace gridloom::mapping::dependent_property {
namespace {

using test::Problem;

LoopId loopNamed(const Problem& p, const std::string& name) {
  for (std::size_t l = 0; l < p.kernel.loops.size(); ++l) {
    if (p.kernel.loops[l].name == name) return LoopId::of(l);
  }
  return {};
}

Mapping oneCore(const Problem& p, const std::map<std::string, std::int64_t>& tileSizes,
                const std::vector<std::string>& order) {
  Mapping m;
  for (const kernel::Loop& loop : p.kernel.loops) {
    const auto tileSize = tileSizes.find(loop.name);
    m.tileSize.push_back(tileSize == tileSizes.end() ? loop.extent : tileSize->second);
  }
  m.space.assign(p.hw.dims().size(), LoopId{});
  for (std::size_t d = 0; d < p.hw.dims().size(); ++d) {
    m.dimOrder.push_back(static_cast<std::uint8_t>(d));
  }
  for (const std::string& name : order) m.order.push_back(loopNamed(p, name));
  for (std::size_t i = 0; i < p.nest.inputs.size(); ++i) {
    m.inputs.push_back({MovementKind::Direct, 0, 0, static_cast<std::uint8_t>(order.size()), 1});
  }
  m.outputs.assign(p.nest.outputs.size(), {});
  return m;
}

std::string firstError(const Problem& p, const Mapping& m) {
  const auto errors = checkMapping(p.kernel, p.nest, p.hw, m);
  return errors.empty() ? "" : errors.front().message;
}

// What comes of a mapping that is lowered although it is refused: a schedule that does not verify,
// or other values.
bool fails(const Problem& p, const Mapping& m) {
  auto lowered = schedule::lower(p.kernel, p.nest, p.hw, m);
  if (!lowered) return true;
  const auto verified = schedule::verify(*std::move(lowered), p.kernel, p.nest, p.hw);
  if (!verified) return true;
  const kernel::TensorValues inputs = kernel::sampleInputs(p.kernel, 3);
  simulate::Options options;
  options.values = true;
  options.inputs = &inputs;
  base::Progress progress;
  const auto s = simulate::simulate(*verified, options, progress);
  if (!s) return true;
  const auto expected = kernel::interpret(p.kernel, inputs);
  for (const auto& [name, tensor] : s->outputs) {
    const std::vector<double>& want = expected->at(name).data;
    for (std::size_t e = 0; e < want.size(); ++e) {
      if (!(std::abs(tensor.data[e] - want[e]) <= 1e-9 * std::max(1.0, std::abs(want[e])))) {
        return true;
      }
    }
  }
  return false;
}

// Whether verification alone refuses a mapping that is lowered although it is wrong.
bool isUnverified(const Problem& p, const Mapping& m) {
  const auto lowered = schedule::lower(p.kernel, p.nest, p.hw, m);
  return !lowered || !schedule::verify(*lowered, p.kernel, p.nest, p.hw).ok();
}

// The signs of all pairs of elements of trsm: X[i] needs X[j] for j < i.
TEST(Dependences, SignsOfATriangularSolveAreThoseOfItsElements) {
  const Problem p = test::makeProblem(test::smallMesh(2, 2), "trsm", {{"N", 12}, {"R", 4}});
  const std::size_t i = loopNamed(p, "i").index(), j = loopNamed(p, "j").index();
  for (const std::int64_t size : {1, 2, 3, 5, 12}) {
    std::vector<std::int64_t> tileSize;
    for (const kernel::Loop& loop : p.kernel.loops) {
      tileSize.push_back(loop.extent == 12 ? size : loop.extent);
    }
    std::set<std::vector<int>> wanted;
    const auto sign = [](std::int64_t d) { return d > 0 ? 1 : d < 0 ? -1 : 0; };
    for (std::int64_t x = 0; x < 12; ++x) {
      for (std::int64_t y = 0; y < x; ++y) {
        if (y / size == x / size) continue;
        std::vector<int> v(tileSize.size(), 0);
        v[i] = sign(x / size - y / size);
        v[j] = 0;  // the maker's sum ended in the tile that the reader stands at
        wanted.insert(v);
      }
    }
    SignCombinations known;
    const TileDependences found = tileDependences(p.nest, tileSize, known);
    std::set<std::vector<int>> got;
    for (const TileSigns& signs : found) got.insert(signs.vectors.begin(), signs.vectors.end());
    EXPECT_EQ(got, wanted) << "block " << size;
  }
}

TEST(Dependences, ASolveIsOrderedAlongItsRows) {
  const Problem p = test::makeProblem(test::smallMesh(2, 2), "trsm", {{"N", 12}, {"R", 4}});
  Mapping m = oneCore(p, {{"i", 3}, {"j", 3}}, {"i", "j"});
  EXPECT_EQ(firstError(p, m), "");
  EXPECT_FALSE(fails(p, m));
  // With the sum outside, rows are only written when all of them are done.
  m = oneCore(p, {{"i", 3}, {"j", 3}}, {"j", "i"});
  EXPECT_NE(
      firstError(p, m).find(
          "X@2 is read before it is made (violated dependence): a tile needs one of an earlier i"),
      std::string::npos)
      << firstError(p, m);
  EXPECT_TRUE(fails(p, m));
  for (InputMovement& movement : m.inputs) {
    const bool produced =
        p.nest.inputs[static_cast<std::size_t>(&movement - m.inputs.data())].produced;
    if (produced) movement = {MovementKind::Stationary, 0, 0, 0, 1};
  }
  EXPECT_EQ(firstError(p, m), "");
  EXPECT_FALSE(fails(p, m));
}

// Whole rows are read along another loop than the one they are made along.
TEST(Dependences, OfRowsAreThoseOfTheTilesThatMakeThem) {
  const Problem p = test::makeProblem(
      test::smallMesh(4, 1), "kernel rows(N = 32, T = 5) {\n  tensor A[N, N]: f32\n"
                             "  tensor u[T, N]: f32\n  u[0, i] = A[0, i]\n"
                             "  u[t, i] = sum(j) A[i, j] * u[t - 1, j]  where t >= 1\n}\n");
  const LoopId i = loopNamed(p, "i"), t = loopNamed(p, "t");
  KnownDependences known(p.nest);
  SignCombinations signs;
  for (const std::int64_t size : {32, 16, 8}) {
    std::vector<std::int64_t> tileSize = p.nest.extents;
    tileSize[i.index()] = size;
    tileSize[t.index()] = 1;
    EXPECT_EQ(known[known.kindOf(tileSize)], tileDependences(p.nest, tileSize, signs)) << size;
  }
}

TEST(Dependences, KeptTilesStayInOneCore) {
  const Problem p = test::makeProblem(test::smallMesh(2, 2), "trsm", {{"N", 12}, {"R", 4}});
  Mapping m = oneCore(p, {{"i", 3}, {"j", 3}}, {"i", "j"});
  m.space[0] = loopNamed(p, "i");
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    if (p.nest.inputs[i].produced) m.inputs[i] = {MovementKind::Stationary, 0, 0, 0, 1};
  }
  EXPECT_NE(firstError(p, m).find("is stationary, but other cores read it"), std::string::npos)
      << firstError(p, m);
  EXPECT_TRUE(fails(p, m));
}

// What is known of dependences may be wrong, so verification asks for itself which core made what a
// stationary window reads.
TEST(Dependences, WhatVerifiesReadsOnlyWhatItsCoreMade) {
  const auto on4 = [](const std::string& name, test::Settings sizes) {
    return test::makeProblem(test::smallMesh(2, 2), name, sizes);
  };
  const std::vector<Problem> problems{
      on4("trsm", {{"N", 12}, {"R", 4}}), on4("jacobi2d", {{"N", 10}, {"T", 3}}),
      on4("cholesky", {{"N", 12}}), on4("polybench/lu", {{"N", 12}}),
      on4("polybench/floyd_warshall", {{"N", 8}})};
  int refused = 0, kept = 0;
  for (const Problem& p : problems) {
    SCOPED_TRACE(p.kernel.name);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Mapping legal = test::randomMapping(p, seed);
      for (std::size_t i = 0; i < legal.inputs.size(); ++i) {
        if (!p.nest.inputs[i].produced) continue;
        Mapping m = legal;
        m.inputs[i] = {MovementKind::Stationary, 0, 0, 0, 1};
        const std::string error = firstError(p, m);
        if (error.find("is stationary, but other cores read it") != std::string::npos) {
          ++refused;
          EXPECT_TRUE(isUnverified(p, m)) << seed << '\n' << error;
        } else if (error.empty()) {
          ++kept;
          EXPECT_FALSE(fails(p, m)) << seed;
        }
      }
    }
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(kept, 5);
}

TEST(Dependences, SweepsOfAStencilFollowEachOther) {
  const Problem p = test::makeProblem(test::smallMesh(2, 2), "jacobi2d", {{"T", 3}, {"N", 8}});
  Mapping m = oneCore(p, {{"t", 1}, {"i", 4}}, {"t", "i"});
  EXPECT_EQ(firstError(p, m), "");
  EXPECT_FALSE(fails(p, m));
  m = oneCore(p, {{"t", 1}, {"i", 4}}, {"i", "t"});
  EXPECT_NE(firstError(p, m).find("a later i"), std::string::npos) << firstError(p, m);
  EXPECT_TRUE(fails(p, m));
  m = oneCore(p, {{"t", 2}, {"i", 4}}, {"t", "i"});
  EXPECT_NE(firstError(p, m).find("neighbours of the same step"), std::string::npos)
      << firstError(p, m);
  EXPECT_TRUE(fails(p, m));
}

TEST(Dependences, LoopsOfOneDimensionAreTiledAlike) {
  const Problem p = test::makeProblem(test::smallMesh(2, 2), "cholesky", {{"N", 12}});
  const Mapping m = oneCore(p, {{"i", 3}, {"j", 4}, {"k", 3}}, {"i", "j", "k"});
  EXPECT_EQ(firstError(p, m), "loops that index one dimension of an output differ in tile size");
}

// Tiles of two outputs that wait for each other: a last tile of one element, windows that are loaded
// outside the loop in which the other output's tiles lose their room.
TEST(Dependences, EveryMappingOfAFactorisationRuns) {
  const Problem edge = test::makeProblem(test::smallMesh(3, 3), "polybench/lu", {{"N", 17}});
  const test::LineCheck line(edge);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    ASSERT_TRUE(line.run(test::randomMapping(edge, seed))) << "seed " << seed;
  }
  const Problem p = test::makeProblem("wormhole_4x8", "polybench/lu", {{"N", 64}});
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto lowered = schedule::lower(p.kernel, p.nest, p.hw, test::randomMapping(p, seed));
    ASSERT_TRUE(lowered);
    const auto verified = schedule::verify(*lowered, p.kernel, p.nest, p.hw);
    ASSERT_TRUE(verified.ok()) << "seed " << seed << '\n' << render(verified.diagnostics());
  }
}

// Where a sum ends at the smaller of two loops, no loop of tiles ends it everywhere.
TEST(Dependences, ASumThatTwoLoopsEndHasRightValues) {
  const Problem p =
      test::makeProblem(test::smallMesh(2, 2),
                        "kernel factors(N = 12) {\n  tensor A[N, N]: f32\n  tensor L[N, N]: f32\n"
                        "  L[i, j] = A[i, j] - sum(k) L[i, k] * L[k, j] where k < j, k < i\n}\n");
  const test::LineCheck line(p);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ASSERT_TRUE(line.run(test::randomMapping(p, seed))) << "seed " << seed;
  }
}

// Both ends of the step before, in windows of their own.
TEST(Dependences, EveryMappingOfARingInTimeRuns) {
  const Problem ring =
      test::makeProblem(test::smallMesh(3, 2),
                        "kernel ring(T = 5, N = 19) {\n  tensor A[N]: f32\n  tensor W[N]: f32\n"
                        "  tensor u[T, N]: f32\n  u[t, i] = A[i] where t == 0\n"
                        "  u[t, i] = u[t - 1, i - 1] + u[t - 1, i + 1] * W[0] + W[N - 1]"
                        " where t >= 1, i >= 1, i < N - 1\n"
                        "  u[t, i] = u[t - 1, N - 1] - u[t - 1, 1] where t >= 1, i == 0\n"
                        "  u[t, i] = u[t - 1, N - 2] - u[t - 1, 0] where t >= 1, i == N - 1\n}\n");
  const auto windowsOf = [&](kernel::TensorId tensor) {
    return std::ranges::count(ring.nest.inputs, tensor, &kernel::Operand::tensor);
  };
  ASSERT_EQ(windowsOf(ring.nest.outputs.front().tensor), 3);
  const test::LineCheck line(ring);
  int run = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const Mapping mapping = test::randomMapping(ring, seed);
    if (mapping.inputs.empty()) continue;
    ASSERT_TRUE(line.run(mapping)) << "seed " << seed;
    ++run;
  }
  EXPECT_GT(run, 40);
}

}  // namespace
}  // namespace gridloom::mapping::dependent_property
