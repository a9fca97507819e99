// SPDX-License-Identifier: Apache-2.0
//
// A ring of 4 x 4 routers: links 32 B/cycle and 9 cycles, endpoints 5 cycles away, headers of 32 B,
// 2 virtual channels of 128 B; a memory channel of 16 B/cycle after 50 cycles (writes 70) at router
// (0, 0).
#include "network/transfers.h"

#include <gtest/gtest.h>

#include <random>

#include "network/traffic_programs.h"
#include "network/transfer_events.h"
#include "syntax/hardware_parser.h"

namespace gridloom::network {
namespace {

using Step = TransferStep;

std::string ring(const std::string& switching, const std::string& memory) {
  std::string text =
      std::string() + R"(%unit = df.vec { shape = [1], throughput = 1 elem/cycle }
%x = df.spatial_dim 4
%y = df.spatial_dim 4
%cores = df.core { scaleout = (%x, %y), scalein = (%unit, [1]), read_issue = 20 cycle, write_issue = 10 cycle, completion = 7 cycle, grid = (%x, %y), at = affine_map<(d0, d1) -> (d0, d1)> }
%l1 = df.memory { scaleout = (%x, %y), size = 64 KiB, bandwidth = 64 B/cycle }
%mux = df.mux %cores, %l1 { map = affine_map<(d0, d1) -> (d0, d1)> }
%one = df.spatial_dim 1
%dram = df.memory { scaleout = (%one), size = 1 GiB, bandwidth = )" +
      memory +
      R"( B/cycle, latency = 50 cycle, write_latency = 70 cycle, at = [(0, 0)], kind = global }
%port = df.interconnects %cores, %dram { bandwidth = 32 B/cycle, latency = 10 cycle }
)";
  for (const std::string to : {"(d0 + 1) mod 4, d1", "d0, (d1 + 1) mod 4"}) {
    text +=
        "%n" + std::to_string(text.size()) +
        " = df.interconnects %cores, %cores { map = affine_map<(d0, d1) -> (" + to +
        ")>, bandwidth = 32 B/cycle, latency = 9 cycle, packet = 1024 B, header = 32 B, endpoint "
        "= 5 cycle" +
        switching + " }\n";
  }
  return text;
}

const std::string kWormhole = ", virtual_channels = 2, buffer = 128 B";

hardware::Topology machine(const std::string& switching = kWormhole,
                           const std::string& memory = "16") {
  const auto spec =
      syntax::parseHardware(base::makeSource("ring.hw", ring(switching, memory)), "ring");
  EXPECT_TRUE(spec.ok()) << base::render(spec.diagnostics());
  auto hw = hardware::makeTopology(*spec);
  EXPECT_TRUE(hw.ok()) << base::render(hw.diagnostics());
  return *std::move(hw);
}

Step transfer(Step::Kind kind, int x, int y, std::int64_t bytes, std::int32_t channel = -1) {
  Step step;
  step.kind = kind;
  step.peer = x * 4 + y;
  step.bytes = bytes;
  step.channel = channel;
  return step;
}

Step wait(std::uint8_t what = Step::Reads | Step::Writes) {
  Step step;
  step.kind = Step::Kind::Wait;
  step.waitsFor = what;
  return step;
}

TransferProcessor processor(int x, int y, std::vector<Step> steps) {
  return {"p", hardware::NodeId(x * 4 + y), std::move(steps)};
}

TransferResult ran(const hardware::Topology& hw, TransferProgram program,
                   IssueOrder issue = IssueOrder::Free) {
  TransferOptions options;
  options.issue = issue;
  base::Progress progress;
  auto result = simulateTransfers(program, hw, options, progress);
  EXPECT_TRUE(result.ok()) << base::render(result.diagnostics());
  EXPECT_TRUE(result->complete);
  return *std::move(result);
}

TransferResult ranOne(const hardware::Topology& hw, std::vector<Step> steps) {
  return ran(hw, {{processor(1, 1, std::move(steps))}, {}, 0});
}

constexpr double kEps = 1e-3;
constexpr double kRing = 4 * 9 + 4 * 5;  // once around a dimension, four endpoint hops

TEST(Transfers, AWriteTakesItsWayAndItsAcknowledgementTheRestOfTheRing) {
  const auto hw = machine();
  const auto result = ranOne(hw, {transfer(Step::Kind::Write, 3, 1, 64), wait()});
  // 96 bytes with the header: 3 cycles.
  EXPECT_NEAR(result.end, 10 + kRing + 3 + 7, kEps);
  EXPECT_NEAR(result.meanLatency, 10 + 2 * 9 + 2 * 5 + 3, kEps);
  EXPECT_EQ(result.transfers, 1);
  EXPECT_EQ(result.bytes, 64);
}

TEST(Transfers, AReadOfMemoryWaitsForTheChannel) {
  const auto hw = machine();
  const auto result = ranOne(hw, {transfer(Step::Kind::Read, 0, 0, 64, 0), wait(Step::Reads)});
  // Both dimensions once around; the last of 64 bytes leaves the channel after 4 cycles.
  EXPECT_NEAR(result.end, 20 + 2 * 4 * 9 + 4 * 5 + 50 + 4 + 7, kEps);
  EXPECT_NEAR(result.channelBusy[0], 4, kEps);
}

TEST(Transfers, AWriteToMemoryIsAcknowledgedAfterItsLatency) {
  const auto hw = machine();
  const auto result = ranOne(hw, {transfer(Step::Kind::Write, 0, 0, 64, 0), wait()});
  EXPECT_NEAR(result.end, 10 + 2 * 4 * 9 + 4 * 5 + 4 + 70 + 7, kEps);
}

TEST(Transfers, LargeTransfersGoInPackets) {
  const auto hw = machine();
  const auto result = ranOne(hw, {transfer(Step::Kind::Write, 2, 1, 4096), wait()});
  // Four packets of 33 flits in sequence.
  EXPECT_NEAR(result.end, 10 + kRing + 4 * 33 + 7, 20);
  EXPECT_GE(result.end, 10 + kRing + 4 * 33 + 7 - kEps);
  double busy = 0;
  for (const double link : result.linkBusy) busy += link;
  EXPECT_NEAR(busy, 4 * 33, kEps) << "one hop";
}

TEST(Transfers, TwoStreamsShareALink) {
  const auto hw = machine();
  std::vector<Step> steps(32, transfer(Step::Kind::Write, 3, 1, 1024));
  steps.push_back(wait());
  const double alone = ran(hw, {{processor(2, 1, steps)}, {}, 0}).end;
  const auto both = ran(hw, {{processor(2, 1, steps), processor(1, 1, steps)}, {}, 0});
  EXPECT_GE(both.end, 64 * 33);
  EXPECT_LT(alone, 33 * 33 + 200);
  // Their packets interleave: neither waits for the end of the other.
  EXPECT_NEAR(both.processors[0].end, both.processors[1].end, 100);
}

TEST(Transfers, WhatIsBlockedHoldsWhatIsBehindIt) {
  // Two processors of one core: one writes to a slow memory, the other elsewhere.
  std::vector<Step> toMemory(16, transfer(Step::Kind::Write, 0, 0, 1024, 0));
  std::vector<Step> beside(16, transfer(Step::Kind::Write, 3, 1, 1024));
  toMemory.push_back(wait());
  beside.push_back(wait());
  const TransferProgram program{{processor(2, 0, toMemory), processor(2, 0, beside)}, {}, 0};
  const double blocked = ran(machine(kWormhole, "4"), program).processors[1].end;
  const double queued = ran(machine("", "4"), program).processors[1].end;
  EXPECT_NEAR(queued, 32 * 33, 150) << "both over one link";
  EXPECT_GT(blocked, 13 * 256) << "the memory takes 256 cycles per packet";
}

TEST(Transfers, PacedProcessorsKeepTheirWorkAndSimulateTheirWaits) {
  const auto hw = machine();
  Step read = transfer(Step::Kind::Read, 2, 1, 64);
  read.work = 300;
  Step barrier = wait(Step::Reads);
  barrier.work = 1000;  // after its end
  const auto result = ran(hw, {{processor(1, 1, {read, barrier, read})}, {}, 0}, IssueOrder::Paced);
  EXPECT_NEAR(result.end, 300 + 7 - 7 + 1000, 10);
}

TEST(Transfers, RecordedProcessorsStartWhenRecorded) {
  const auto hw = machine();
  Step a = transfer(Step::Kind::Write, 2, 1, 64), b = a;
  a.start = 5;
  b.start = 500;
  const auto result = ran(hw, {{processor(1, 1, {a, b})}, {}, 0}, IssueOrder::Recorded);
  EXPECT_NEAR(result.processors[0].start, 5, kEps);
  EXPECT_NEAR(result.processors[0].end, 500, kEps);
  EXPECT_GT(result.drained, 500);
}

TEST(Transfers, AFlushWaitsForDeparturesOnly) {
  const auto hw = machine();
  const Step write = transfer(Step::Kind::Write, 0, 1, 1024);
  const double flushed = ranOne(hw, {write, wait(Step::Departures)}).end;
  const double arrived = ranOne(hw, {write, wait(Step::Writes)}).end;
  EXPECT_LT(flushed, arrived);
  EXPECT_GE(flushed, 10 + 33);
}

TEST(Transfers, ASignalWakesItsWaiter) {
  const auto hw = machine();
  Step signal = transfer(Step::Kind::Signal, 3, 3, 4);
  signal.signal = 0;
  signal.start = 400;
  Step await;
  await.kind = Step::Kind::Await;
  await.signal = 0;
  const auto result =
      ran(hw, {{processor(1, 1, {signal}), processor(3, 3, {await})}, {}, 1}, IssueOrder::Paced);
  EXPECT_NEAR(result.processors[1].end, 400 + 10 + 4 * 9 + 2 * 5 + 36.0 / 32 + 7, kEps);
  EXPECT_NEAR(result.processors[1].waited, result.processors[1].end, kEps);
}

TEST(Transfers, AMulticastLoadsEveryLinkOfItsTreeOnce) {
  const auto hw = machine();
  Step cast = transfer(Step::Kind::Multicast, 0, 0, 992);
  cast.peer = 0;
  const TransferArea area{{2, 1}, {3, 2}, false};
  const auto result = ran(hw, {{processor(1, 1, {cast, wait()})}, {area}, 0});
  double busy = 0;
  for (const double link : result.linkBusy) busy += link;
  // Two links along x; from each of its two columns one along y.
  EXPECT_NEAR(busy, 4 * 32, kEps);
  EXPECT_EQ(result.bytes, 992);
}

TEST(Transfers, NothingIsLostUnderRandomTraffic) {
  for (const std::string& switching : {kWormhole, std::string()}) {
    const auto hw = machine(switching);
    for (unsigned seed = 0; seed < 20; ++seed) {
      std::mt19937 random(seed);
      const auto pick = [&](unsigned n) { return static_cast<int>(random() % n); };
      TransferProgram program;
      std::int64_t bytes = 0;
      for (int p = 0; p < 16; ++p) {
        std::vector<Step> steps;
        for (int i = 0; i < 60; ++i) {
          const auto kind = pick(2) == 0 ? Step::Kind::Read : Step::Kind::Write;
          const bool memory = pick(4) == 0;
          steps.push_back(memory ? transfer(kind, 0, 0, 1 + pick(3000), 0)
                                 : transfer(kind, pick(4), pick(4), 1 + pick(3000)));
          bytes += steps.back().bytes;
          if (pick(8) == 0) steps.push_back(wait());
        }
        program.processors.push_back(processor(p / 4, p % 4, std::move(steps)));
      }
      const auto result = ran(hw, program);
      EXPECT_EQ(result.bytes, bytes);
      for (const double link : result.linkBusy) EXPECT_LE(link, result.drained + 1e-6);
      EXPECT_LE(result.channelBusy[0], result.drained);
      EXPECT_EQ(ran(hw, program).drained, result.drained) << "the same every time";
    }
  }
}

TEST(Transfers, WaitingForASignalThatNeverComesIsSaid) {
  const auto hw = machine();
  Step await;
  await.kind = Step::Kind::Await;
  await.signal = 0;
  base::Progress progress;
  const auto result =
      simulateTransfers({{processor(1, 1, {await})}, {}, 1}, hw, {IssueOrder::Paced}, progress);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.diagnostics()[0].message.find("never end"), std::string::npos);
}

TEST(TransferEvents, ComeInTheOrderOfTimeThenOfMaking) {
  std::mt19937 random(3);
  TransferEvents events;
  std::vector<std::pair<Ticks, std::int32_t>> made;
  Ticks now = 0;
  for (std::int32_t i = 0; i < 20000; ++i) {
    const Ticks far = random() % 50 == 0 ? Ticks{1} << 40 : kTicksPerCycle * 300;
    const Ticks time = now + static_cast<Ticks>(random()) % far;
    events.push(time, TransferEventKind::Head, i);
    made.emplace_back(time, i);
    if (random() % 3 != 0) continue;
    const auto least = std::min_element(made.begin(), made.end());
    const TransferEvent event = events.pop();
    ASSERT_EQ(std::pair(event.time, event.who()), *least);
    now = event.time;
    made.erase(least);
  }
  std::sort(made.begin(), made.end());
  for (const auto& [time, who] : made) {
    ASSERT_EQ(events.nextTime(), time);
    ASSERT_EQ(events.pop().who(), who);
  }
  EXPECT_TRUE(events.empty());
}

TEST(TrafficPrograms, ABurstMovesAllItsBytesAndWaitsForThem) {
  const auto hw = machine();
  const Burst burst{true, 0, 64, 5};
  const auto program = burstOf(burst, routerAt(hw, 1, 1), channelRouters(hw).at(0), 0);
  EXPECT_EQ(channelRouters(hw).at(0), routerAt(hw, 0, 0));
  ASSERT_EQ(program.steps.size(), 6U);
  EXPECT_EQ(program.steps.back().kind, Step::Kind::Wait);
  const auto result = ran(hw, {{program}, {}, 0});
  EXPECT_EQ(result.bytes, 5 * 64);
  EXPECT_NEAR(result.channelBusy[0], 5 * 4, kEps);
}

TEST(TrafficPrograms, StreamsTakeTheChannelsInTurnAndPlacesByChance) {
  const auto hw = machine();
  std::mt19937 random(1), same(1);
  const DramStreams streams{false, 0, 1, 3, false};
  const auto first = dramStreams(hw, streams, random);
  const auto again = dramStreams(hw, streams, same);
  const auto other = dramStreams(hw, streams, random);
  ASSERT_EQ(first.processors.size(), 3U);
  bool moved = false;
  for (std::size_t p = 0; p < 3; ++p) {
    EXPECT_EQ(first.processors[p].node, again.processors[p].node);
    moved = moved || first.processors[p].node != other.processors[p].node;
    EXPECT_EQ(first.processors[p].steps.front().channel, 0);
  }
  EXPECT_TRUE(moved) << "each call has places of its own";
  // A writer stands before the channel's router, in its row.
  const auto beside = dramStreams(hw, {false, 0, 1, 1, true}, random);
  EXPECT_EQ(beside.processors[0].node, routerAt(hw, 3, 0));
}

TEST(TrafficPrograms, RandomPacketsComeAtTheirRate) {
  const auto hw = machine();
  const auto program = randomPackets(hw, 0.25, false, 4000);
  ASSERT_EQ(program.processors.size(), 16U);
  std::size_t packets = 0;
  for (const TransferProcessor& processor : program.processors) {
    packets += processor.steps.size();
    for (const Step& step : processor.steps) EXPECT_LT(step.start, 4000);
  }
  EXPECT_NEAR(static_cast<double>(packets), 0.25 * 4000 * 16, 400);
  EXPECT_EQ(program.processors[0].steps.at(0).peer, 5) << "the next router along both dimensions";
}

}  // namespace
}  // namespace gridloom::network
