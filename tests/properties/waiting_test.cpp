// SPDX-License-Identifier: Apache-2.0
//
// The time of tiles that wait for each other: by hand for chains, and against the simulator for
// random mappings.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cost/compute.h"
#include "cost/dependence_critical_path.h"
#include "cost/evaluator.h"
#include "cost/model.h"
#include "schedule/schedule.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"
#include "timing/op_cycles.h"

namespace gridloom::cost::waiting_property {
namespace {

using mapping::Mapping;
using mapping::MovementKind;
using test::Problem;

// Tiles of 4 elements of a running sum, dealt to the two cores of a line.
Mapping runningSum(const Problem& p, bool dealt) {
  Mapping m;
  m.tileSize = {4};
  m.space = {dealt ? kernel::LoopId::of(0) : kernel::LoopId{}, kernel::LoopId{}};
  m.dimOrder = {0, 1};
  m.order = {kernel::LoopId::of(0)};
  for (const kernel::Operand& input : p.nest.inputs) {
    const bool own = input.produced && !dealt;
    m.inputs.push_back({own              ? MovementKind::Stationary
                        : input.produced ? MovementKind::Forwarded
                                         : MovementKind::Direct,
                        0, 0, static_cast<std::uint8_t>(own ? 0 : 1), 1});
  }
  m.outputs.assign(p.nest.outputs.size(), {});
  return m;
}

double walked(const Problem& p, const Mapping& m, const WalkMovements& movements) {
  const mapping::Tiling tiling = tilingOf(m, p.kernel, p.hw);
  const double compute = computeTime(p.nest, tiling, p.compute).total();
  return DependenceCriticalPath(p.nest, m, tiling, p.compute).cycles(movements, compute);
}

double simulated(const Problem& p, const Mapping& m) {
  const auto lowered = schedule::lower(p.kernel, p.nest, p.hw, m);
  EXPECT_TRUE(lowered);
  base::Progress progress;
  const auto s = simulate::simulate(test::verified(*lowered, p), {}, progress);
  EXPECT_TRUE(s.ok()) << render(s.diagnostics());
  return s ? s->cycles : 0;
}

double tileCycles(const Problem& p) {
  double cycles = 0;
  for (const kernel::TileOp& op : p.nest.ops) {
    cycles += timing::opCycles(op, std::vector<std::int64_t>{4}, p.compute);
  }
  return cycles;
}

kernel::LoopId loopNamed(const Problem& p, const std::string& name) {
  const auto at = std::ranges::find(p.kernel.loops, name, &kernel::Loop::name);
  return kernel::LoopId::of(static_cast<std::size_t>(at - p.kernel.loops.begin()));
}

void tile(const Problem& p, mapping::Constraints& constraints,
          std::initializer_list<std::pair<const char*, std::int64_t>> sizes) {
  for (const auto& [name, size] : sizes) {
    constraints.tileSizes[loopNamed(p, name)] = {{size, size}};
  }
}

// Tiles that other cores make go over the network, others stay.
void forward(const Problem& p, mapping::Constraints& constraints) {
  for (std::size_t i = 0; i < p.nest.inputs.size(); ++i) {
    const kernel::Operand& window = p.nest.inputs[i];
    if (!window.produced) continue;
    const bool isOwn = std::ranges::all_of(window.dims, [&](const kernel::RegionDim& dim) {
      const auto at = static_cast<std::size_t>(&dim - window.dims.data());
      return dim.index.dependsOn(window.makers[at].index());
    });
    constraints.inputs[static_cast<int>(i)].kind =
        isOwn ? MovementKind::Stationary : MovementKind::Forwarded;
  }
}

// Mean logarithm of predicted to simulated cycles, of random mappings.
double meanError(const Problem& p, const mapping::Constraints& constraints) {
  const auto axes = mapping::makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape,
                                      p.compute.vectorLanes, constraints);
  double logs = 0;
  constexpr std::uint64_t kMappings = 8;
  for (std::uint64_t seed = 0; seed < kMappings; ++seed) {
    const auto m = mapping::sampleMapping(p.kernel, p.nest, p.hw, axes, constraints, seed);
    if (!m) {
      ADD_FAILURE() << "no mapping";
      return 0;
    }
    const double predicted = estimate(p.kernel, p.nest, p.hw, p.compute, *m).cycles;
    logs += std::abs(std::log(predicted / simulated(p, *m)));
  }
  return logs / kMappings;
}

// Nothing but the carry takes time: tile after tile is computed and passed on.
TEST(DependenceCriticalPath, AChainIsAsLongAsItsTiles) {
  const Problem p = test::makeProblem(test::smallMesh(2, 1), "prefix_sum", {{"N", 32}});
  const double tile = tileCycles(p);
  WalkMovements movements;
  for (const kernel::Operand& input : p.nest.inputs) {
    movements.inputs.push_back({1, input.produced, false, false, input.produced ? 7.0 : 0.0});
  }
  movements.store = 5;
  // The last tile's store ends it; seven carries go before. A single output buffer hides nothing: a
  // core's own store is over before the other core's tile is.
  EXPECT_DOUBLE_EQ(walked(p, runningSum(p, true), movements), 8 * tile + 7 * 7 + 5);
  for (WalkMovements::Input& input : movements.inputs) input.stored = input.moves;
  EXPECT_DOUBLE_EQ(walked(p, runningSum(p, true), movements), 8 * tile + 7 * (7 + 5) + 5);
  for (WalkMovements::Input& input : movements.inputs) input.queue = input.moves ? 3 : 0;
  EXPECT_DOUBLE_EQ(walked(p, runningSum(p, true), movements), 8 * tile + 7 * (7 + 5 + 3) + 5);
}

// Too many tiles to walk: with the same cost each, they are told exactly all the same.
TEST(DependenceCriticalPath, WhatIsCutOffGrowsOn) {
  const Problem p = test::makeProblem(test::smallMesh(2, 1), "prefix_sum", {{"N", 400000}});
  const double tile = tileCycles(p);
  WalkMovements movements;
  movements.inputs.assign(p.nest.inputs.size(), {});
  movements.store = 3;
  const double tiles = 100000;
  EXPECT_NEAR(walked(p, runningSum(p, false), movements), tiles * (tile + 3), 0.01 * tiles * tile);
}

// The first tiles fill the line; what follows repeats, however much is cut off.
TEST(DependenceCriticalPath, WhatIsCutOffOfALineRepeats) {
  const Problem p = test::makeProblem(test::smallMesh(2, 1), "prefix_sum", {{"N", 400000}});
  WalkMovements movements;
  for (const kernel::Operand& input : p.nest.inputs) {
    movements.inputs.push_back({1, true, false, false, input.produced ? 7.0 : 20000.0});
  }
  // Each core loads a tile while the other one waits for its own.
  const double waves = 50000;
  EXPECT_NEAR(walked(p, runningSum(p, true), movements), waves * (20000 + tileCycles(p)),
              0.001 * waves * 20000);
}

// A wavefront of many rows of many tiles: both loops are cut, and waiting grows with each of them and
// with their product.
TEST(DependenceCriticalPath, WhatIsCutOffOfAWavefrontGrowsWithBothLoops) {
  const Problem p = test::makeProblem(
      test::smallMesh(40, 1), "kernel wave(M = 400, N = 240) {\n  tensor A[M, N]: f32\n"
                              "  tensor X[M, N]: f32\n  local x[M, N]: f32 = 0\n"
                              "  x[i, j] = 0.5 * x[i - 1, j] + 0.25 * x[i, j - 1] + A[i, j]\n"
                              "  X[i, j] = x[i, j]\n}\n");
  mapping::Constraints constraints;
  for (std::size_t l = 0; l < p.kernel.loops.size(); ++l) {
    const auto loop = kernel::LoopId::of(l);
    const bool rows = p.kernel.loops[l].name == "i";
    if (rows) constraints.space[0] = loop;
    constraints.tileSizes[loop] = {{rows ? 1 : 4, rows ? 1 : 4}};
  }
  EXPECT_LT(meanError(p, constraints), 0.25);
}

// Shortest paths: step k reads row k and column k of the step before it. Where k is far down the
// rows, a step waits for most of the one before it: the first steps tell little of the later ones.
TEST(DependenceCriticalPath, WhatIsCutOffOfCrossedLoopsIsOfTheWholeRange) {
  const Problem p = test::makeProblem(test::smallMesh(4, 2),
                                      "kernel paths(N = 96) {\n  tensor D[N, N]: f32\n"
                                      "  tensor d[N + 1, N, N]: f32\n  d[0, i, j] = D[i, j]\n"
                                      "  d[k + 1, i, j] = min(d[k, i, j], d[k, i, k] + d[k, k, j])"
                                      "  where k < N\n}\n");
  mapping::Constraints constraints;
  for (std::size_t l = 0; l < p.kernel.loops.size(); ++l) {
    const auto loop = kernel::LoopId::of(l);
    const std::string& name = p.kernel.loops[l].name;
    if (name == "k") constraints.space[0] = loop;
    if (name == "i") constraints.space[1] = loop;
    const std::int64_t tileSize = name == "k" ? 1 : name == "i" ? 2 : 96;
    constraints.tileSizes[loop] = {{tileSize, tileSize}};
  }
  EXPECT_LT(meanError(p, constraints), 0.1);
}

// Every core takes the vector of the step before from all cores: each of them sends its part to all,
// and none sends the whole vector as often as there are cores.
TEST(DependenceCriticalPath, AllCoresSendTheirPartsOfAVector) {
  const Problem p = test::makeProblem(
      "wormhole_4x8", "kernel power(N = 512, T = 12) {\n  tensor A[N, N]: f32\n"
                      "  tensor u[T, N]: f32\n  u[0, i] = A[0, i]\n"
                      "  u[t, i] = sum(j) A[i, j] * u[t - 1, j]  where t >= 1\n}\n");
  mapping::Constraints constraints;
  tile(p, constraints, {{"t", 1}, {"i", 16}, {"j", 512}});
  constraints.space = {{0, loopNamed(p, "i")}, {1, loopNamed(p, "i")}};
  forward(p, constraints);
  EXPECT_LT(meanError(p, constraints), 0.12);
}

// The core that makes the next pivot row takes none, and is ahead of the others.
TEST(DependenceCriticalPath, WhatACoreMakesItselfDoesNotMove) {
  const Problem p = test::makeProblem(
      "wormhole_4x8",
      "kernel eliminate(N = 96) {\n  tensor A[N, N]: f32\n  tensor a[N + 1, N, N]: f32\n"
      "  a[0, i, j] = A[i, j]\n"
      "  a[k + 1, i, j] = a[k, i, j] - a[k, i, k] * a[k, k, j] / a[k, k, k]  where k < N\n}\n");
  mapping::Constraints constraints;
  tile(p, constraints, {{"k", 1}, {"i", 12}, {"j", 32}});
  constraints.space = {{0, loopNamed(p, "i")}, {1, loopNamed(p, "j")}};
  forward(p, constraints);
  for (auto& [at, input] : constraints.inputs) {
    if (input.kind == MovementKind::Forwarded) input.buffers = 2;
  }
  constraints.outputs[0].buffers = 2;  // with one, stores decide
  EXPECT_LT(meanError(p, constraints), 0.1);
}

// The last core of a line sends to the first one, from end to end.
TEST(DependenceCriticalPath, AChainGoesBackToItsFirstCore) {
  const Problem p = test::makeProblem(test::smallMesh(8, 1), "prefix_sum", {{"N", 4096}});
  const Mapping m = runningSum(p, true);
  const double cycles = simulated(p, m);
  EXPECT_NEAR(estimate(p.kernel, p.nest, p.hw, p.compute, m).cycles, cycles, 0.02 * cycles);
}

// Back to back, a store is set up while the bytes of other cores move: the period is shorter than
// the store, which the last tile waits for in full.
TEST(DependenceCriticalPath, StoresAreSetUpWhileOthersMove) {
  const Problem p = test::makeProblem(test::smallMesh(2, 1), "prefix_sum", {{"N", 32}});
  const double tile = tileCycles(p), store = 100 * tile, period = 90 * tile;
  WalkMovements movements;
  movements.inputs.assign(p.nest.inputs.size(), {});
  movements.store = store;
  movements.storePeriod = period;
  movements.storesBeside = true;
  EXPECT_DOUBLE_EQ(walked(p, runningSum(p, false), movements), tile + store + 7 * period);
}

// A factorisation is walked to its end while it has some thousand tiles: what waits for the columns
// before it follows no simple law.
TEST(DependenceCriticalPath, AFactorisationOfManyTilesIsWalked) {
  const Problem p = test::makeProblem("wormhole_8x8", "cholesky", {{"N", 1024}});
  const mapping::LoopId j(0), k(1), i(2);
  Mapping m;
  m.tileSize = {32, 32, 32};
  m.space = {j, i};
  m.dimOrder = {0, 1};
  m.order = {j, i, k};
  for (const kernel::Operand& input : p.nest.inputs) {
    m.inputs.push_back(
        {input.produced ? MovementKind::Forwarded : MovementKind::Direct, 0, 0, 3, 2});
  }
  m.outputs = {{mapping::ReductionTopology::None, -1, 2}};
  const double cycles = simulated(p, m);
  EXPECT_NEAR(estimate(p.kernel, p.nest, p.hw, p.compute, m).cycles, cycles, 0.06 * cycles);
}

// Mappings that differ in their movements share a walk, and are predicted as without.
TEST(DependenceCriticalPath, SharedWalksPredictTheSame) {
  const Problem p = test::makeProblem(test::smallMesh(2, 2), "jacobi2d", {{"T", 3}, {"N", 64}});
  const Evaluator evaluator(p.kernel, p.nest, p.hw, p.compute);
  RecentWalks walks;
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Mapping m = test::randomMapping(p, seed);
    if (m.inputs.empty()) continue;
    for (const bool doubled : {true, false}) {
      for (mapping::InputMovement& input : m.inputs) input.buffers = doubled ? 2 : 1;
      EXPECT_EQ(evaluator.estimate(m, &walks).cycles, evaluator.estimate(m).cycles);
      ++count;
    }
  }
  EXPECT_GT(count, 20);
}

// Tiles of one packet, stored over shared links: the links are busy all the time.
TEST(DependenceCriticalPath, CoresThatStoreSmallTilesFillTheLinks) {
  const Problem p = test::makeProblem("dojo_d1", "jacobi2d", {{"T", 4}, {"N", 1024}});
  const auto loop = [&](std::string_view name) {
    const auto& loops = p.kernel.loops;
    return kernel::LoopId::of(static_cast<std::size_t>(
        std::ranges::find(loops, name, &kernel::Loop::name) - loops.begin()));
  };
  Mapping m;
  m.tileSize.resize(p.kernel.loops.size());
  m.tileSize[loop("t").index()] = 1;
  m.tileSize[loop("i").index()] = 16;
  m.tileSize[loop("j").index()] = 64;
  m.space = {loop("i"), loop("j")};
  m.dimOrder = {0, 1};
  m.order = {loop("t"), loop("i"), loop("j")};
  for (const kernel::Operand& input : p.nest.inputs) {
    const MovementKind kind = input.produced ? MovementKind::Forwarded : MovementKind::Direct;
    m.inputs.push_back({kind, 0, 0, 2, 2});
  }
  m.outputs = {{mapping::ReductionTopology::None, -1, 2}};
  const double cycles = simulated(p, m);
  EXPECT_NEAR(estimate(p.kernel, p.nest, p.hw, p.compute, m).cycles, cycles, 0.06 * cycles);
}

bool loadsMadeTiles(const Problem& p, const Mapping& m) {
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    if (p.nest.inputs[i].produced && m.inputs[i].kind == MovementKind::Direct) return true;
  }
  return false;
}

// Cores that wait for one tile of the output load it from the same channels, one after the other.
TEST(DependenceCriticalPath, CoresThatWaitForAStoredTileTakeTurns) {
  const Problem p = test::makeProblem("wormhole_8x8", "cholesky", {{"N", 512}});
  double errors = 0;
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    const Mapping m = test::randomMapping(p, seed);
    if (!loadsMadeTiles(p, m) || m.tileSize[0] < 32) continue;
    errors += std::abs(estimate(p.kernel, p.nest, p.hw, p.compute, m).cycles / simulated(p, m) - 1);
    ++count;
  }
  ASSERT_GT(count, 10);
  EXPECT_LT(errors / count, 0.018);
}

TEST(DependenceCriticalPath, PredictsRandomMappings) {
  struct Case {
    const char* kernel;
    test::Settings settings;
  };
  const Case cases[] = {{"trsm", {{"N", 256}, {"R", 128}}},
                        {"cholesky", {{"N", 256}}},
                        {"jacobi2d", {{"T", 6}, {"N", 128}}},
                        {"prefix_sum", {{"N", 16384}}}};
  for (const Case& c : cases) {
    const Problem p = test::makeProblem("wormhole_4x8", c.kernel, c.settings);
    double squares = 0;
    int count = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const Mapping m = test::randomMapping(p, seed);
      if (m.inputs.empty()) continue;
      const double cycles = simulated(p, m);
      const Estimate e = estimate(p.kernel, p.nest, p.hw, p.compute, m);
      double sum = 0;
      for (const Term& term : e.terms) sum += term.cycles;
      EXPECT_NEAR(sum, e.cycles, 1e-6 * e.cycles);
      squares += std::pow(std::log(e.cycles / cycles), 2);
      ++count;
    }
    ASSERT_GT(count, 3) << c.kernel;
    EXPECT_LT(std::exp(std::sqrt(squares / count)) - 1, 0.3) << c.kernel;
  }
}

}  // namespace
}  // namespace gridloom::cost::waiting_property
