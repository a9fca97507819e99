// SPDX-License-Identifier: Apache-2.0
//
// Cycle counts derived on paper. The small mesh: launch 50; memory channel 12 B/cycle after 30
// cycles, 20 cycles to start a transfer with it; its ports 16 B/cycle and 3 cycles; links 16
// B/cycle and 2 cycles, 5 cycles of handshake and 10 of setup between cores; local memory 64
// B/cycle; 4 elements per cycle.
#include <gtest/gtest.h>

#include "unit/simulate/run.h"

namespace gridloom::simulate {
namespace {

constexpr double kEps = 1e-9;
constexpr double kTile = 128;            // bytes of 64 f16
constexpr double kServe = kTile / 12;    // at the channel
constexpr double kAdd = 64.0 / 4;        // compute of a tile
constexpr double kFirst = 50 + 20 + 30;  // launch, setup, latency: the channel's first byte leaves
constexpr double kLand = 20 + 3 + 30;    // from the start of a store to the channel
// The channel is the slowest server of the path: the tail of a load leaves it and takes 3 cycles at
// the port.
constexpr double kPort = 3;

TEST(ExactCycles, OneTileOnOneCore) {
  const test::Problem p = makeProblem(test::smallMesh(1, 1, 1), "vector_add", {{"N", 64}});
  const Simulation s = ran(p, addInTiles(1, 1));
  const double a = kFirst + kServe, b = a + kServe;  // b queues behind a
  const double computed = b + kPort + kAdd;
  EXPECT_NEAR(s.cycles, computed + kLand + kServe, kEps);
  EXPECT_NEAR(s.cycles, 204, kEps);
  EXPECT_EQ(s.traffic.dramRead, 256);
  EXPECT_EQ(s.traffic.dramWrite, 128);
  EXPECT_EQ(s.traffic.network, 0) << "ports are not hops";
}

TEST(ExactCycles, SingleBuffersAlternate) {
  const test::Problem p = makeProblem(test::smallMesh(1, 1, 1), "vector_add", {{"N", 128}});
  const Simulation s = ran(p, addInTiles(2, 1));
  const double computed1 = kFirst + 2 * kServe + kPort + kAdd;
  // The next loads start when compute releases the slots. The first store reaches the channel 3
  // cycles after them and queues behind both.
  const double stored1 = computed1 + 20 + 30 + 3 * kServe;
  const double loaded2 = computed1 + 20 + 30 + 2 * kServe + kPort;
  ASSERT_GT(stored1, loaded2) << "the only slot for results is what compute waits for";
  EXPECT_NEAR(s.cycles, stored1 + kAdd + kLand + kServe, kEps);
  EXPECT_NEAR(s.states[static_cast<std::size_t>(State::WaitStore)], stored1 - computed1, kEps);
}

// As above, but the first store uses the channel's other direction alone.
TEST(ExactCycles, DuplexChannelsReadAndWriteSideBySide) {
  const test::Problem p =
      makeProblem(test::withDuplex(test::smallMesh(1, 1, 1)), "vector_add", {{"N", 128}});
  const Simulation s = ran(p, addInTiles(2, 1));
  const double computed1 = kFirst + 2 * kServe + kPort + kAdd;
  const double stored1 = computed1 + kLand + kServe;
  const double loaded2 = computed1 + 20 + 30 + 2 * kServe + kPort;
  ASSERT_LT(stored1, loaded2);
  EXPECT_NEAR(s.cycles, loaded2 + kAdd + kLand + kServe, kEps);
  EXPECT_NEAR(channelBusy(p.hw, s, 0), 4 * kServe, kEps) << "reads are the busier direction";
}

TEST(ExactCycles, DoubleBuffersOverlap) {
  const test::Problem p = makeProblem(test::smallMesh(1, 1, 1), "vector_add", {{"N", 128}});
  const Simulation s = ran(p, addInTiles(2, 2));
  const double loadedA1 = kFirst + kServe + kPort;
  // The next loads start at once. The load of b reaches the channel just when that of a is served.
  const double servedA2 = loadedA1 + 20 + 30 + kServe;
  const double loadedB2 = servedA2 + kServe + kPort;
  const double computed2 = loadedB2 + kAdd;
  // The writer is free when the first store arrives in memory, just as compute finishes.
  const double stored1 = kFirst + 2 * kServe + kPort + kAdd + kLand + kServe;
  EXPECT_NEAR(stored1, computed2, kEps);
  EXPECT_NEAR(s.cycles, computed2 + kLand + kServe, kEps);
}

// 2 B/cycle through each DMA channel: a and b arrive in parallel, each at its channel's rate.
TEST(ExactCycles, ATransferIsNoFasterThanItsDmaChannel) {
  const test::Problem p =
      makeProblem(test::withDmaRate(test::smallMesh(1, 1, 1), 2), "vector_add", {{"N", 64}});
  const Simulation s = ran(p, addInTiles(1, 1));
  const double through = kTile / 2;
  const double b = kFirst + kServe + through;  // it queues behind a's one part
  EXPECT_NEAR(s.cycles, b + kPort + kAdd + kLand + through, kEps);
  EXPECT_NEAR(channelBusy(p.hw, s, 0), 3 * kServe, kEps) << "the channel itself stays as fast";
}

// Pages of a tile in several channels of the memory share its one DMA channel.
TEST(ExactCycles, PiecesShareADmaChannel) {
  const test::Problem p =
      makeProblem(test::withDmaRate(test::smallMesh(2, 1, 2), 2), "vector_add", {{"N", 256}});
  mapping::Mapping m = addInTiles(1, 1);
  m.tileSize = {256};
  const Simulation s = ran(p, m);
  // Two pages of 256 bytes each, one per channel, each at half of 2 B/cycle. The pages of b queue
  // behind those of a at both. The second channel is one hop further, and its half leaves local
  // memory behind the other one.
  const double through = 512 / 2.0;
  const double b = kFirst + 256 / 12.0 + through + kPort + 2;
  EXPECT_NEAR(s.cycles, b + 256 / 4.0 + kLand + 256 / 64.0 + 2 + through, kEps);
}

// c[i, j] = a[i] + b[j], a row of c on each of two cores; b is loaded once and multicast along x.
const char* const kOuter = "kernel outer(M = 2, N = 64) {\n"
                           "  tensor a[M]: f16\n  tensor b[N]: f16\n  tensor c[M, N]: f16\n"
                           "  c[i, j] = a[i] + b[j]\n}\n";

mapping::Mapping rowPerCore(mapping::InputMovement ofB) {
  mapping::Mapping m;
  m.tileSize = {1, 64};
  m.space = {mapping::LoopId(0), {}};
  m.dimOrder = {0, 1};
  m.inputs = {{mapping::MovementKind::Direct, 0, 0, 0, 1}, ofB};
  m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
  return m;
}

TEST(ExactCycles, MulticastToANeighbour) {
  const test::Problem p = makeProblem(test::smallMesh(2, 1, 1), kOuter);
  const Simulation s = ran(p, rowPerCore({mapping::MovementKind::Multicast, 1, 0, 0, 1}));
  const double loaded = kFirst + 2.0 / 12 + kServe + kPort;  // behind core 0's two bytes of a
  const double sent = loaded + 5 + 10 + kTile / 16;          // handshake, setup, first link
  const double computed0 = sent + kAdd;      // the sender uses its tile once the tile has left
  const double computed1 = sent + 2 + kAdd;  // one hop
  ASSERT_LT(computed1 + kLand, computed0 + kLand + kServe);
  EXPECT_NEAR(s.cycles, computed0 + kLand + 2 * kServe, kEps) << "stores share the channel";
  EXPECT_EQ(s.traffic.dramRead, 2 + 2 + 128);
  EXPECT_EQ(s.traffic.network, 128) << "one link carries the tile once";
  EXPECT_EQ(s.traffic.localWrite, 2 + 2 + 128 + 128);
}

TEST(ExactCycles, MulticastAtThePaceOfItsDmaChannel) {
  const test::Problem p = makeProblem(test::withDmaRate(test::smallMesh(2, 1, 1), 4), kOuter);
  const Simulation s = ran(p, rowPerCore({mapping::MovementKind::Multicast, 1, 0, 0, 1}));
  const double through = kTile / 4;
  const double loaded = kFirst + 2.0 / 12 + through + kPort;
  const double sent = loaded + 5 + 10 + through;
  const double computed1 = sent + 2 + kAdd;
  // The memory has bandwidth for both stores in parallel.
  EXPECT_NEAR(s.cycles, computed1 + kLand + through, kEps);
}

TEST(ExactCycles, StreamComputesWhileItForwards) {
  const test::Problem p = makeProblem(test::smallMesh(2, 1, 1), kOuter);
  const Simulation s = ran(p, rowPerCore({mapping::MovementKind::Stream, 1, 0, 0, 1}));
  const double loaded = kFirst + 2.0 / 12 + kServe + kPort;
  const double computed0 = loaded + kAdd;  // a stream publishes its tile on arrival
  const double computed1 = loaded + 5 + 10 + kTile / 16 + 2 + kAdd;
  ASSERT_GT(computed1 + kLand, computed0 + kLand + kServe) << "the stores do not meet";
  EXPECT_NEAR(s.cycles, computed1 + kLand + kServe, kEps);
}

TEST(ExactCycles, ChainOfTwoAddsThePartialResult) {
  // gemv y[i] = sum(k) A[i, k] x[k], k over x: one tile of 4 x 4 per core.
  const test::Problem p = makeProblem(test::smallMesh(2, 1, 1), "gemv", {{"M", 4}, {"K", 8}});
  mapping::Mapping m;
  m.tileSize.assign(2, 4);
  m.space = {mapping::LoopId(1), {}};
  m.dimOrder = {0, 1};
  m.inputs.assign(2, {mapping::MovementKind::Direct, 0, 0, 0, 1});
  m.outputs = {{mapping::ReductionTopology::Chain, -1, 1}};
  const Simulation s = ran(p, m);
  // Channel: A and x of core 0, A and x of core 1: 32, 8, 32 and 8 bytes.
  const double loaded1 = kFirst + 80.0 / 12 + kPort;
  const double product = 2 * 4 * 4 * 4 / 128.0;  // one intrinsic, n padded to 4
  const double arrived = loaded1 + product + 5 + 10 + 8.0 / 16 + 2;
  const double combined = arrived + 4.0 / 4;
  EXPECT_NEAR(s.cycles, combined + kLand + 8.0 / 12, kEps);
  EXPECT_NEAR(s.traffic.dramWrite, 8, kEps) << "only coordinate 0 stores";
}

TEST(ExactCycles, PagesGoToChannelsInTurn) {
  // 1024 bytes of each operand are 4 pages of 256: two on each of two channels.
  const test::Problem p = makeProblem(test::smallMesh(2, 1, 2), "vector_add", {{"N", 512}});
  mapping::Mapping m = addInTiles(1, 1);
  m.tileSize = {512};
  const Simulation s = ran(p, m);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(s.channelReads[c].bytes, 1024);
    EXPECT_EQ(s.channelWrites[c].bytes, 512);
    EXPECT_NEAR(s.channelReads[c].busy, 1024.0 / 12, kEps);
  }
  EXPECT_EQ(s.traffic.network, 2 * 512 + 512) << "channel 1 is one hop from core (0,0)";
}

}  // namespace
}  // namespace gridloom::simulate
