// SPDX-License-Identifier: Apache-2.0
//
// Transfers that share a DMA channel, and tokens between processes: counts derived on paper, on the
// mesh of exact_cycles_test.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "schedule/engines.h"
#include "simulate/dma_engines.h"
#include "unit/simulate/run.h"

namespace gridloom::simulate {
namespace {

using schedule::DmaConstraint;
using schedule::Instruction;
using schedule::Op;
using schedule::Schedule;

constexpr double kTileServe = 128.0 / 12;  // a tile at the channel
constexpr double kLoad = 20 + 30 + kTileServe + 3;
constexpr double kTileAdd = 64.0 / 4;
constexpr double kStore = 20 + 3 + 30 + kTileServe;
constexpr double kSide =
    50 + 20 + 30 + 2 * kTileServe + 3 + kTileAdd + kStore;         // b queues behind a
constexpr double kTurns = 50 + kLoad + kLoad + kTileAdd + kStore;  // b starts after a is loaded

struct Dma : testing::Test {
  static test::Problem problem(const std::string& mesh) {
    return makeProblem(mesh, "vector_add", {{"N", 64}});
  }
  test::Problem free = problem(test::smallMesh(1, 1, 1));
  test::Problem one = problem(test::withDma(test::smallMesh(1, 1, 1), 1, 1));
  test::Problem two = problem(test::withDma(test::smallMesh(1, 1, 1), 2, 1));
  Schedule plain = lowered(free, addInTiles(1, 1));

  Schedule bound(DmaConstraint::Kind kind) const {
    Schedule s = plain;
    s.dmaConstraints = {{kind, {{false, true, 0}, {false, true, 1}}}};
    return s;
  }
  static std::string found(const Schedule& s, const test::Problem& p) {
    return test::findings(s, p);
  }
};

TEST_F(Dma, TransfersOfOneChannelTakeTurns) {
  EXPECT_NEAR(run(free, plain)->cycles, kSide, 1e-9);
  EXPECT_NEAR(run(two, plain)->cycles, kSide, 1e-9);
  EXPECT_NEAR(run(one, plain)->cycles, kTurns, 1e-9);
  EXPECT_EQ(found(plain, two), "");
  EXPECT_NE(found(plain, one)
                .find("moves tiles into l1 in 2 processes: mover a and mover b share a "
                      "DMA channel and take turns"),
            std::string::npos)
      << found(plain, one);
}

TEST_F(Dma, AffinityIsAChannelForAll) {
  EXPECT_NEAR(run(free, bound(DmaConstraint::Kind::Affinity))->cycles, kTurns, 1e-9);
  EXPECT_NEAR(run(two, bound(DmaConstraint::Kind::Affinity))->cycles, kTurns, 1e-9);
  EXPECT_EQ(found(bound(DmaConstraint::Kind::Affinity), two), "");
}

TEST_F(Dma, ConcurrencyIsAChannelForEach) {
  EXPECT_NEAR(run(two, bound(DmaConstraint::Kind::Concurrency))->cycles, kSide, 1e-9);
  EXPECT_EQ(found(bound(DmaConstraint::Kind::Concurrency), two), "");
  const std::string refused = found(bound(DmaConstraint::Kind::Concurrency), one);
  EXPECT_NE(refused.find("needs 2 DMA channels into l1, there are 1"), std::string::npos)
      << refused;
}

TEST_F(Dma, BothTogetherContradict) {
  Schedule s = bound(DmaConstraint::Kind::Affinity);
  s.dmaConstraints.push_back(bound(DmaConstraint::Kind::Concurrency).dmaConstraints.front());
  EXPECT_NE(found(s, free).find("cannot share them with others"), std::string::npos);
}

TEST_F(Dma, BondsOfProcessesThatAreNotThere) {
  Schedule s = plain;
  s.dmaConstraints = {{DmaConstraint::Kind::Affinity, {{true, true, 0}, {false, true, 1}}}};
  EXPECT_NE(found(s, free).find("no program has a writer a"), std::string::npos) << found(s, free);
}

// A token makes b load after a: the same as taking turns.
TEST_F(Dma, TokensOrderTransfersOfTwoProcesses) {
  Schedule s = plain;
  s.tokens = {{"loaded", 0}};
  auto& processes = s.programs.front().processes;
  const auto at = [](std::vector<Instruction>& code, Op op) {
    return std::ranges::find(code, op, &Instruction::op);
  };
  auto& first = processes[0].code;
  auto& second = processes[1].code;
  first.insert(at(first, Op::Load) + 1, {Op::Signal, 0, {}, {}});
  second.insert(at(second, Op::Load), {Op::AwaitToken, 0, {}, {}});
  EXPECT_EQ(found(s, free), "");
  EXPECT_NEAR(run(free, s)->cycles, kTurns, 1e-9);

  s.tokens.front().atStart = 1;
  EXPECT_EQ(found(s, free), "") << "one is there at the start, and one is left";
  EXPECT_NEAR(run(free, s)->cycles, kSide, 1e-9);
}

/// Channels that several processes share, one holder each, compared with a list in order of
/// arrival.
TEST(DmaChannels, ServeInTheOrderOfComing) {
  const test::Problem p = makeProblem(test::withDma(test::smallMesh(2, 2), 1, 1), "gemm",
                                      {{"M", 16}, {"N", 16}, {"K", 16}});
  const schedule::VerifiedSchedule s = test::verified(lowered(p, directGemm()), p);
  const schedule::Wiring& wiring = s->wiring;
  DmaEngines engines(*s);
  ASSERT_TRUE(engines.any());
  // On each core the movers of A and B share the inbound channel. The only writer has the outbound
  // one.
  for (std::int32_t core = 0; core < 4; ++core) {
    const std::int32_t a = wiring.firstProcess(core), b = a + 1;
    ASSERT_GE(engines.of(a, false, false), 0);
    EXPECT_EQ(engines.of(a, false, false), engines.of(b, false, false));
    for (std::int32_t other = a; other < a + 4; ++other) {
      EXPECT_EQ(engines.of(other, true, false), -1);
    }
  }
  const std::int32_t one = engines.of(wiring.firstProcess(0), false, false);
  const std::int32_t two = engines.of(wiring.firstProcess(1), false, false);
  std::vector<std::int32_t> again;
  EXPECT_TRUE(engines.take(10, std::vector{one, -1}));
  EXPECT_FALSE(engines.take(11, std::vector{two, one})) << "all or none";
  EXPECT_TRUE(engines.take(12, std::vector{two}));
  EXPECT_FALSE(engines.take(13, std::vector{one}));
  engines.give(-1, again);
  EXPECT_TRUE(again.empty());
  engines.give(one, again);
  EXPECT_EQ(again, (std::vector<std::int32_t>{11, 13}));
}

TEST(DmaChannels, ProcessesAreDealtToChannels) {
  const test::Problem p =
      makeProblem(test::smallMesh(1, 1, 1), "mttkrp", {{"I", 8}, {"J", 8}, {"K", 8}, {"L", 8}});
  const mapping::Mapping m = test::randomMapping(p, 3);
  Schedule s = lowered(p, m);
  const schedule::Program& program = s.programs.front();
  const auto plan = [&](std::int64_t limit) {
    return planChannels(s, program, schedule::Direction::In, limit);
  };
  const auto channels = [&](std::int64_t limit) {
    std::vector<int> of = plan(limit).channelOf;
    std::erase(of, -1);
    return of;
  };
  EXPECT_EQ(plan(0).flows, 3);
  EXPECT_EQ(channels(0), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(channels(2), (std::vector<int>{0, 1, 1})) << "A has more bytes than B and C together";
  EXPECT_EQ(channels(1), (std::vector<int>{0, 0, 0}));
  s.dmaConstraints = {{DmaConstraint::Kind::Concurrency, {{false, true, 1}, {true, false, 0}}}};
  EXPECT_EQ(channels(2), (std::vector<int>{1, 0, 1}));
  EXPECT_FALSE(plan(1).feasible);
  s.dmaConstraints = {{DmaConstraint::Kind::Affinity, {{false, true, 1}, {false, true, 2}}}};
  EXPECT_EQ(channels(0), (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(channels(2), (std::vector<int>{0, 1, 1}));
  s.dmaConstraints = {{DmaConstraint::Kind::Affinity, {{false, true, 0}, {false, true, 2}}}};
  EXPECT_EQ(channels(2), (std::vector<int>{0, 1, 0}));
}

}  // namespace
}  // namespace gridloom::simulate
