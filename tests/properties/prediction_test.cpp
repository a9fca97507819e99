// SPDX-License-Identifier: Apache-2.0
// Prediction against simulation where a tile's way has several steps: streams from core to core,
// memories on the way, DMA channels that transfers share.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cost/compute.h"
#include "cost/model.h"
#include "schedule/schedule.h"
#include "search/search.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::prediction_property {
namespace {

using kernel::LoopId;
using mapping::Mapping;
using mapping::MovementKind;
using mapping::TensorLayout;
using test::makeProblem;
using test::Problem;

double predicted(const Problem& p, const Mapping& m) {
  return cost::estimate(p.kernel, p.nest, p.hw, p.compute, m).cycles;
}

double simulated(const Problem& p, const Mapping& m) {
  const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, m);
  EXPECT_TRUE(schedule);
  base::Progress progress;
  const auto s = simulate::simulate(test::verified(*schedule, p), {}, progress);
  EXPECT_TRUE(s) << base::render(s.diagnostics());
  return s ? s->cycles : 0;
}

// One tile of the result per core; the inputs live in the cores at the edges and go from neighbour
// to neighbour.
Mapping systolic(std::int64_t rows, std::int64_t columns, std::uint8_t buffers, bool loops) {
  Mapping m;
  m.tileSize = {rows, columns, 32};
  m.space = {LoopId(1), LoopId(0)};
  m.dimOrder = {0, 1};
  if (loops) m.order = {LoopId(2)};
  const auto level = static_cast<std::uint8_t>(loops ? 1 : 0);
  const auto slots = static_cast<std::uint8_t>(loops ? buffers : 1);
  m.inputs = {{MovementKind::Stream, 1, 0, level, slots, {}, TensorLayout::Local},
              {MovementKind::Stream, 2, 1, level, slots, {}, TensorLayout::Local}};
  m.outputs = {{mapping::ReductionTopology::None, -1, 1, TensorLayout::Local}};
  return m;
}

// With as many tiles as buffers, the longer of both ways counts; from then on their sum.
TEST(Prediction, StreamsRippleThroughTheMeshOneAfterTheOther) {
  const auto mesh = test::smallMesh(12, 9);
  for (const std::uint8_t buffers : {std::uint8_t{1}, std::uint8_t{2}}) {
    for (const std::int64_t steps : {1, 2, 3, 4, 9}) {
      const Problem p = makeProblem(mesh, "gemm", {{"M", 72}, {"N", 48}, {"K", 32 * steps}});
      const Mapping m = systolic(8, 4, buffers, steps > 1);
      const double s = simulated(p, m);
      EXPECT_NEAR(predicted(p, m), s, 0.02 * s) << int{buffers} << " buffers, " << steps;
    }
  }
}

// Rows of cores share a link from memory, and each sends on what it loads before it loads again.
// Loads that start together share the link fairly, so they end together: whether the rows meet at a
// multicast of every iteration, or only where they sum their partial results.
TEST(Prediction, LoadsThatAreSentOnContendEveryTime) {
  const Problem p = makeProblem("wormhole_4x8", "ttmc");
  Mapping m;  // loops i, j, k, l, m
  m.tileSize = {128, 2, 32, 32, 32};
  m.space = {LoopId(1), LoopId(4)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0), LoopId(1), LoopId(4), LoopId(3)};
  m.outputs = {{mapping::ReductionTopology::Chain, -1, 2}};
  for (const std::uint8_t level : {std::uint8_t{4}, std::uint8_t{0}}) {
    const auto buffers = static_cast<std::uint8_t>(level > 0 ? 2 : 1);
    m.inputs = {{MovementKind::Multicast, 1, 0, 4, 2},
                {MovementKind::Multicast, 2, 1, level, buffers},
                {MovementKind::Multicast, 1, 0, 0, 1}};
    const double s = simulated(p, m);
    EXPECT_NEAR(predicted(p, m), s, 0.05 * s) << int{level};
  }
}

// A single wave whose inputs pass one DMA channel: their first tiles arrive one after the other.
// That of an epilogue input may arrive while the core computes.
TEST(Prediction, FirstTilesTakeTurnsAtADmaChannel) {
  for (const char* kernel : {"gemm", "gemm_bias_relu"}) {
    for (const int channels : {1, 2, 8}) {
      const std::string mesh = test::withDma(test::smallMesh(2, 2), channels, channels);
      const Problem p = makeProblem(mesh, kernel, {{"M", 16}, {"N", 16}, {"K", 16}});
      Mapping m;
      m.space.assign(p.hw.dims().size(), LoopId());
      m.dimOrder = {0, 1};
      m.tileSize.assign(p.nest.extents.begin(), p.nest.extents.end());
      m.inputs.assign(p.nest.inputs.size(), {MovementKind::Direct, 0, 0, 0, 1});
      m.outputs.assign(1, {mapping::ReductionTopology::None, -1, 1});
      const double s = simulated(p, m);
      EXPECT_NEAR(predicted(p, m), s, 0.05 * s) << kernel << ' ' << channels;
    }
  }
}

// Tiles as large as the kernel, on one core, each loaded once.
Mapping singleWave(const Problem& p) {
  Mapping m;
  m.space.assign(p.hw.dims().size(), LoopId());
  m.dimOrder = {0, 1};
  m.tileSize.assign(p.nest.extents.begin(), p.nest.extents.end());
  m.inputs.assign(p.nest.inputs.size(), {MovementKind::Direct, 0, 0, 0, 1});
  m.outputs.assign(p.nest.outputs.size(), {mapping::ReductionTopology::None, -1, 1});
  return m;
}

// What other DMA channels load at the same time shares the link, which the first tiles' turns leave
// out: up to 6%.
TEST(Prediction, AnEpilogueWaitsForItsInputs) {
  const struct {
    const char* kernel;
    test::Settings sizes;
  } cases[] = {{"gemm_bias_relu", {{"M", 1}, {"N", 1}, {"K", 8}}},
               {"polybench/syrk", {{"M", 1}, {"N", 9}}},
               {"llm/cross_entropy", {{"T", 1}, {"V", 17}}}};
  for (const auto& [kernel, sizes] : cases) {
    for (const int channels : {1, 2, 8}) {
      const std::string mesh = test::withDma(test::smallMesh(2, 2), channels, channels);
      const Problem p = makeProblem(mesh, kernel, sizes);
      const Mapping m = singleWave(p);
      const double s = simulated(p, m);
      EXPECT_NEAR(predicted(p, m), s, 0.06 * s) << kernel << ' ' << channels;
    }
  }
}

// One core loads faster or slower than it computes; with an epilogue that is short or long.
TEST(Prediction, TheEndOfAScopeIsHiddenBehindAsManyLoadsAsThereAreBuffers) {
  for (const char* elements : {"4", "0.5"}) {
    for (const std::int64_t rows : {8, 16, 64}) {
      for (const std::int64_t block : {8, 64}) {
        std::string mesh = test::smallMesh(1, 1, 1);
        mesh.replace(mesh.find("= 4 elem"), 3, std::string("= ") + elements);
        const Problem p = makeProblem(mesh, "gemm_bias_relu", {{"M", rows}, {"N", 8}, {"K", 256}});
        Mapping m = singleWave(p);
        m.tileSize = {8, 8, block};
        m.order = {LoopId(0), LoopId(2)};
        if (rows == 8) m.order = {LoopId(2)};
        const auto level = static_cast<std::uint8_t>(m.order.size());
        m.inputs[0] = m.inputs[1] = {MovementKind::Direct, 0, 0, level, 2};
        m.outputs[0].buffers = rows > 8 ? 2 : 1;
        const double s = simulated(p, m);
        EXPECT_NEAR(predicted(p, m), s, 0.05 * s) << elements << ' ' << rows << ' ' << block;
      }
    }
  }
}

// A line of cores shares the queries and sums up their results: the core at its end releases a
// query last, a chain after the one at its beginning.
TEST(Prediction, SharedTilesWaitForTheSumsOfTheCoresThatShareThem) {
  for (const int cores : {2, 4, 8}) {
    for (const std::int64_t tiles : {4, 16}) {
      const Problem p = makeProblem(test::smallMesh(cores, 1), "flash_attention",
                                    {{"H", 1}, {"SQ", 8 * tiles}, {"SK", 8 * cores}, {"D", 16}});
      Mapping m;
      m.tileSize = {1, 8, 8, 16};
      m.space = {LoopId(2), LoopId()};
      m.dimOrder = {0, 1};
      m.order = {LoopId(1)};
      m.inputs = {{MovementKind::Multicast, 1, 0, 1, 2},
                  {MovementKind::Direct, 0, 0, 0, 1},
                  {MovementKind::Direct, 0, 0, 0, 1}};
      m.outputs = {{mapping::ReductionTopology::Chain, -1, 2}};
      const double s = simulated(p, m);
      EXPECT_NEAR(predicted(p, m), s, 0.11 * s) << cores << ' ' << tiles;
    }
  }
}

// Long transfers that interleave keep cores together: all store the last tiles at one moment.
TEST(Prediction, LastTilesOfSeveralOutputsShareTheWayToMemory) {
  const Problem p = makeProblem("wormhole_n150", "mha");
  Mapping m;  // loops h, i, d, e
  m.tileSize = {2, 128, 64, 256};
  m.space = {LoopId(0), LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(1), LoopId(3)};
  m.inputs.assign(4, {MovementKind::Multicast, 2, 1, 2, 2});
  m.inputs[0] = {MovementKind::Multicast, 1, 0, 2, 2};
  m.outputs.assign(3, {mapping::ReductionTopology::None, -1, 2});
  const double s = simulated(p, m);
  EXPECT_NEAR(predicted(p, m), s, 0.03 * s);
}

// Below a diagonal, later tiles are more work; the last one may be an edge tile, and then another
// core has most.
TEST(Prediction, OneOfTheCoresWithTheLastTilesIsTheBusiest) {
  const auto mesh = test::smallMesh(1, 5);
  int lastWhole = 0;
  for (const std::int64_t length : {144, 151, 160, 172, 197}) {
    const Problem p = makeProblem(mesh, "causal_attention", {{"H", 1}, {"S", length}, {"D", 16}});
    mapping::Constraints constraints;
    for (std::size_t l = 0; l < p.kernel.loops.size(); ++l) {
      const bool query = p.kernel.loops[l].name == "i";
      if (query) constraints.space[1] = LoopId::of(l);
      if (query || p.kernel.loops[l].name == "j") constraints.tileSizes[LoopId::of(l)] = {{16, 16}};
    }
    const auto axes = mapping::makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape,
                                        p.compute.vectorLanes, constraints);
    const auto m = mapping::sampleMapping(p.kernel, p.nest, p.hw, axes, constraints, 1);
    ASSERT_TRUE(m);
    const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, *m);
    ASSERT_TRUE(schedule);
    base::Progress progress;
    const auto s = simulate::simulate(test::verified(*schedule, p), {}, progress);
    ASSERT_TRUE(s);
    double busiest = 0;
    std::size_t at = 0;
    for (std::size_t core = 0; core < s->coreStates.size(); ++core) {
      const double compute =
          s->coreStates[core][static_cast<std::size_t>(simulate::State::Compute)];
      if (compute > busiest) at = core;
      busiest = std::max(busiest, compute);
    }
    const auto tiling = mapping::tilingOf(*m, p.kernel, p.hw);
    EXPECT_NEAR(cost::computeTime(p.nest, tiling, p.compute).total(), busiest, 1e-6 * busiest)
        << length << ", core " << at;
    const std::int64_t tiles = (length + 15) / 16;
    lastWhole += static_cast<std::int64_t>(at) == (tiles - 2) % 5 ? 1 : 0;
  }
  EXPECT_GT(lastWhole, 0) << "the case in question";
}

struct Error {
  double mean = 0;
  int mappings = 0;
};

// Geometric mean of the error over random mappings of which `wanted` is true.
template <class Wanted>
Error errorOver(const Problem& p, const mapping::Constraints& constraints, const Wanted& wanted) {
  const auto axes = mapping::makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape,
                                      p.compute.vectorLanes, constraints);
  Error error;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto m = mapping::sampleMapping(p.kernel, p.nest, p.hw, axes, constraints, seed);
    if (!m || !wanted(*m)) continue;
    error.mean += std::abs(std::log(predicted(p, *m) / simulated(p, *m)));
    ++error.mappings;
  }
  error.mean = std::exp(error.mean / std::max(error.mappings, 1)) - 1;
  return error;
}

bool anyUsesSharedBuffer(const Mapping& m) {
  return std::ranges::any_of(m.inputs, &mapping::InputMovement::usesSharedBuffer) ||
         std::ranges::any_of(m.outputs, &mapping::OutputMovement::usesSharedBuffer);
}

TEST(Prediction, MemoriesOnTheWayAreNearTheirSimulation) {
  const Problem phoenix =
      makeProblem("npu_phoenix_4x4", "gemm", {{"M", 128}, {"N", 96}, {"K", 128}});
  const Problem mesh = makeProblem(test::meshWithSharedBuffer(4, 4, 1 << 18, 1 << 16), "gemm",
                                   {{"M", 128}, {"N", 96}, {"K", 128}});
  for (const Problem* p : {&phoenix, &mesh}) {
    const Error error = errorOver(*p, {}, anyUsesSharedBuffer);
    EXPECT_GT(error.mappings, 20);
    EXPECT_LT(error.mean, 0.12);
  }
}

// Sums of two vectors read twice what they write; side by side, only the reads take time.
TEST(Prediction, DuplexMemoriesReadAndWriteSideBySide) {
  const auto mesh = test::smallMesh(1, 1, 1);
  const Problem half = makeProblem(mesh, "vector_add", {{"N", 65536}});
  const Problem full = makeProblem(test::withDuplex(mesh), "vector_add", {{"N", 65536}});
  Mapping m;
  m.tileSize = {2048};
  m.space = {{}, {}};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0)};
  m.inputs.assign(2, {MovementKind::Direct, 0, 0, 1, 2});
  m.outputs = {{mapping::ReductionTopology::None, -1, 2}};
  for (const Problem* p : {&half, &full}) {
    EXPECT_NEAR(predicted(*p, m), simulated(*p, m), 0.03 * simulated(*p, m));
  }
  EXPECT_NEAR(predicted(half, m) / predicted(full, m), 1.5, 0.05);
  const Problem gemm =
      makeProblem(test::withDuplex(test::meshWithSharedBuffer(4, 4, 1 << 18, 1 << 16)), "gemm",
                  {{"M", 128}, {"N", 96}, {"K", 128}});
  EXPECT_LT(errorOver(gemm, {}, [](const Mapping&) { return true; }).mean, 0.12);
}

// Through channels of 2 B/cycle two loads take as long as one, while the memory has 12.
TEST(Prediction, TransfersAreNoFasterThanTheirDmaChannels) {
  const auto mesh = test::smallMesh(1, 1, 1);
  const Problem fast = makeProblem(mesh, "vector_add", {{"N", 65536}});
  const Problem slow = makeProblem(test::withDmaRate(mesh, 2), "vector_add", {{"N", 65536}});
  Mapping m;
  m.tileSize = {2048};
  m.space = {{}, {}};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0)};
  m.inputs.assign(2, {MovementKind::Direct, 0, 0, 1, 2});
  m.outputs = {{mapping::ReductionTopology::None, -1, 2}};
  for (const Problem* p : {&fast, &slow}) {
    EXPECT_NEAR(predicted(*p, m), simulated(*p, m), 0.03 * simulated(*p, m));
  }
  // 2048 cycles and those before the first byte, against 1024 for all three tiles.
  EXPECT_NEAR(predicted(slow, m) / predicted(fast, m), (2048 + 53) / 1024.0, 0.06);
  for (const std::string& text : {test::smallMesh(4, 4), test::meshWithSharedBuffer(4, 4),
                                  test::meshWithTwoSharedBuffers(4, 4)}) {
    const Problem gemm =
        makeProblem(test::withDmaRate(text, 3), "gemm", {{"M", 128}, {"N", 96}, {"K", 128}});
    EXPECT_LT(errorOver(gemm, {}, [](const Mapping&) { return true; }).mean, 0.12);
  }
}

// With one channel into a core the loads of both inputs follow each other, set-up and latency
// included.
TEST(Prediction, LoadsThroughOneChannelFollowEachOther) {
  const auto mesh = test::smallMesh(1, 1, 1);
  const Problem free = makeProblem(mesh, "gemm", {{"M", 8}, {"N", 8}, {"K", 320}});
  const Problem one =
      makeProblem(test::withDma(mesh, 1, 1), "gemm", {{"M", 8}, {"N", 8}, {"K", 320}});
  Mapping m;
  m.tileSize = {8, 8, 8};
  m.space = {LoopId(), LoopId()};
  m.dimOrder = {0, 1};
  m.order = {LoopId(2)};
  m.inputs = {{MovementKind::Direct, 0, 0, 1, 2}, {MovementKind::Direct, 0, 0, 1, 2}};
  m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
  EXPECT_NEAR(predicted(free, m), simulated(free, m), 0.03 * simulated(free, m));
  EXPECT_NEAR(predicted(one, m), simulated(one, m), 0.03 * simulated(one, m));
  EXPECT_GT(predicted(one, m), 1.8 * predicted(free, m));
  const auto terms = cost::estimate(one.kernel, one.nest, one.hw, one.compute, m).terms;
  EXPECT_TRUE(std::ranges::any_of(terms, [](const auto& t) { return t.name == "dma channels"; }));
}

// A core that joins results of two dimensions has one slot for them: the second comes when the
// first is joined.
TEST(Prediction, PartialResultsOfTwoDimensionsFollowEachOther) {
  const Problem p = makeProblem(test::smallMesh(4, 4), "gemm", {{"M", 256}, {"N", 16}, {"K", 64}});
  Mapping m;
  m.tileSize = {16, 16, 4};
  m.space = {LoopId(2), LoopId(2)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0)};
  m.inputs = {{MovementKind::Direct, 0, 0, 1, 2}, {MovementKind::Direct, 0, 0, 0, 1}};
  m.outputs = {{mapping::ReductionTopology::Chain, -1, 1}};
  const double s = simulated(p, m);
  EXPECT_NEAR(predicted(p, m), s, 0.03 * s);
}

// A stencil with edge tiles: what they bring, and compute, is less.
TEST(Prediction, WaitingEdgeTilesAreSmaller) {
  const Problem p = makeProblem("wormhole_1x8", "jacobi2d", {{"T", 6}, {"N", 140}});
  const Error error = errorOver(p, {}, [](const Mapping& m) { return m.tileSize[1] >= 32; });
  EXPECT_GT(error.mappings, 10);
  EXPECT_LT(error.mean, 0.2);
}

// Six tiles on five cores: the second wave gathers none, while the first one gathers four.
TEST(Prediction, AGatherTakesTheTilesThereAre) {
  const Problem p = makeProblem(test::smallMesh(5, 1), "gemm", {{"M", 48}, {"N", 16}, {"K", 16}});
  Mapping m;
  m.tileSize = {8, 16, 16};
  m.space = {LoopId(0), LoopId()};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0)};
  m.inputs = {{MovementKind::Direct, 0, 0, 1, 1}, {MovementKind::Direct, 0, 0, 0, 1}};
  m.outputs = {{mapping::ReductionTopology::None, 0, 1}};
  const double s = simulated(p, m);
  EXPECT_NEAR(predicted(p, m), s, 0.1 * s);
}

// The roots of all rows end together and store what they gather through one channel.
TEST(Prediction, RootsThatGatherShareTheWayToMemory) {
  const Problem p =
      makeProblem("arria10_systolic_10x8", "gemm", {{"M", 512}, {"N", 64}, {"K", 64}});
  Mapping m;
  m.tileSize = {16, 64, 32};
  m.space = {LoopId(0), LoopId(0)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(2)};
  m.inputs = {{MovementKind::Direct, 0, 0, 1, 2}, {MovementKind::Multicast, 3, 0, 1, 2}};
  m.outputs = {{mapping::ReductionTopology::None, 0, 1}};
  const double s = simulated(p, m);
  EXPECT_NEAR(predicted(p, m), s, 0.1 * s);
}

// A tensor of one page lies in one channel, which all cores ask for it.
TEST(Prediction, SmallTensorsLieInFewChannels) {
  const Problem p =
      makeProblem(test::smallMesh(8, 8, 4), "gemm_bias_relu", {{"M", 256}, {"N", 16}, {"K", 8}});
  Mapping m;
  m.tileSize = {4, 16, 8};
  m.space = {LoopId(0), LoopId(0)};
  m.dimOrder = {0, 1};
  m.inputs = {{MovementKind::Direct, 0, 0, 0, 1},
              {MovementKind::Direct, 0, 0, 0, 1},
              {MovementKind::Direct, 0, 0, 0, 1}};
  m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
  const double s = simulated(p, m);
  EXPECT_NEAR(predicted(p, m), s, 0.15 * s);
}

// Tiles of one packet are served in the order of their requests: those of an outer loop, one per
// core, hold up the rows that each column of cores gets together.
TEST(Prediction, TheTilesOfAllCoresHoldUpTheMulticastsOfOneLine) {
  const Problem p =
      makeProblem("arria10_systolic_10x8", "gemm", {{"M", 1600}, {"N", 512}, {"K", 1024}});
  Mapping m;
  m.tileSize = {1, 8, 1024};
  m.space = {LoopId(0), LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(1), LoopId(0), LoopId(2)};
  m.inputs = {{MovementKind::Multicast, 2, 1, 2, 2}, {MovementKind::Direct, 0, 0, 1, 2}};
  m.outputs = {{mapping::ReductionTopology::None, -1, 2}};
  const double s = simulated(p, m);
  EXPECT_NEAR(predicted(p, m), s, 0.04 * s);
}

// A long load of an outer loop holds the channel that the tiles of inner loops need. Without what
// compute waits for it, the second one would be predicted 14% too fast.
TEST(Prediction, ALongLoadHoldsUpTheTilesOfInnerLoops) {
  const Problem p = makeProblem(test::withDma(test::smallMesh(1, 1, 1), 1, 1), "mttkrp",
                                {{"I", 64}, {"J", 32}, {"K", 32}, {"L", 32}});
  Mapping m;  // loops i, j, k, l
  m.space.assign(p.hw.dims().size(), LoopId());
  m.dimOrder = {0, 1};
  m.order = {LoopId(0), LoopId(2), LoopId(3), LoopId(1)};
  m.inputs = {{MovementKind::Direct, 0, 0, 3, 2},
              {MovementKind::Direct, 0, 0, 4, 2},
              {MovementKind::Direct, 0, 0, 4, 2}};
  m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
  for (const auto& tile :
       {std::vector<std::int64_t>{16, 8, 8, 16}, {64, 8, 8, 8}, {32, 16, 8, 16}}) {
    m.tileSize = tile;
    const double s = simulated(p, m);
    EXPECT_NEAR(predicted(p, m), s, 0.12 * s);
  }
}

// A multicast's load takes turns at the memory with the tiles that its cores load inside, and is sent
// when it is there. By what the others leave idle it would be predicted 12% too fast.
TEST(Prediction, ALoadToSendTakesTurnsWithTheTilesOfInnerLoops) {
  const Problem p = makeProblem("npu_strix_4x8", "trsm", {{"N", 1024}});
  Mapping m;  // loops i, r, j; inputs B, L, X@2
  m.tileSize = {64, 16, 64};
  m.space = {LoopId(1), LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0), LoopId(2), LoopId(1)};
  m.inputs = {{MovementKind::Direct, 0, 0, 3, 1},
              {MovementKind::Multicast, 3, 0, 2, 2},
              {MovementKind::Direct, 0, 0, 3, 1}};
  m.outputs = {{mapping::ReductionTopology::None, -1, 2}};
  const double s = simulated(p, m);
  EXPECT_NEAR(predicted(p, m), s, 0.06 * s);
}

void expectTheSameAsExhaustion(const Problem& p) {
  base::Progress progress;
  search::Options options;
  options.top = 50;
  const auto pruned = search::topK(p.kernel, p.nest, p.hw, {}, options, progress);
  options.exhaustive = true;
  options.trustBounds = false;
  const auto whole = search::topK(p.kernel, p.nest, p.hw, {}, options, progress);
  ASSERT_TRUE(pruned && whole);
  ASSERT_EQ(pruned->top.size(), whole->top.size());
  for (std::size_t n = 0; n < whole->top.size(); ++n) {
    EXPECT_EQ(pruned->top[n].mapping, whole->top[n].mapping);
    EXPECT_EQ(pruned->top[n].estimate.cycles, whole->top[n].estimate.cycles);
  }
}

// Tiles of matrices of 128 columns in f16, which are two or four rounds of the stripes.
TEST(Prediction, RowsInFewStripesAreNearTheirSimulation) {
  const std::string meshes[] = {test::smallMesh(3, 2, 1), test::meshWithSharedBuffer(4, 4)};
  for (const std::string& mesh : meshes) {
    const test::Settings sizes = {{"M", 64}, {"N", 128}, {"K", 128}};
    const Problem even = makeProblem(mesh, "gemm", sizes);
    const Problem striped = makeProblem(test::withStripes(mesh, 2, 32), "gemm", sizes);
    const auto any = [](const Mapping&) { return true; };
    const Error before = errorOver(even, {}, any), error = errorOver(striped, {}, any);
    EXPECT_GT(error.mappings, 20);
    EXPECT_LT(error.mean, before.mean + 0.05);
  }
}

TEST(Prediction, RowsInOneOfTwoStripesHaveHalfOfTheMemory) {
  const auto problem = [](const std::string& mesh, std::int64_t width) {
    return makeProblem(mesh, "gemm", {{"M", 64}, {"N", 16}, {"K", width}});
  };
  Mapping m;  // loops i, j, k: rows of 16 of K are 32 bytes
  m.tileSize = {16, 16, 16};
  m.space = {LoopId(0), LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0), LoopId(2)};
  m.inputs = {{MovementKind::Direct, 0, 0, 2, 2}, {MovementKind::Direct, 0, 0, 2, 2}};
  m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
  const std::string mesh = test::smallMesh(1, 1, 1), stripes = test::withStripes(mesh, 2, 32);
  const Problem even = problem(mesh, 128), striped = problem(stripes, 128);
  EXPECT_GT(simulated(striped, m), 1.2 * simulated(even, m));
  // They are not more bytes.
  const auto bytes = [&](const Problem& p) {
    return cost::estimate(p.kernel, p.nest, p.hw, p.compute, m).traffic;
  };
  EXPECT_EQ(bytes(striped).moved(), bytes(even).moved());
  EXPECT_EQ(bytes(striped).localWrite, bytes(even).localWrite);
  // 288 bytes from row to row: every second one begins in the other part.
  EXPECT_EQ(simulated(problem(stripes, 144), m), simulated(problem(mesh, 144), m));
}

TEST(Prediction, TheSearchFindsWhatExhaustionFindsWithStripes) {
  const Problem p =
      makeProblem(test::withStripes(test::meshWithSharedBuffer(2, 2, 2048, 4096), 2, 4), "gemm",
                  {{"M", 16}, {"N", 8}, {"K", 8}});
  expectTheSameAsExhaustion(p);
}

TEST(Prediction, FewChannelsAreNearTheirSimulation) {
  const Problem p = makeProblem(test::withDma(test::smallMesh(3, 2), 1, 1), "gemm_bias_relu",
                                {{"M", 96}, {"N", 64}, {"K", 96}});
  const Error error = errorOver(p, {}, [](const Mapping&) { return true; });
  EXPECT_GT(error.mappings, 20);
  EXPECT_LT(error.mean, 0.1);
}

TEST(Prediction, TheSearchFindsWhatExhaustionFindsWithFewChannels) {
  expectTheSameAsExhaustion(
      makeProblem(test::withDma(test::meshWithSharedBuffer(2, 2, 2048, 4096), 1, 1), "gemm",
                  {{"M", 16}, {"N", 8}, {"K", 8}}));
}

}  // namespace
}  // namespace gridloom::prediction_property
