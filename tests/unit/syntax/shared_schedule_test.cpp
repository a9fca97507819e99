// SPDX-License-Identifier: Apache-2.0
//
// Schedules, written by hand, in which cores read one copy of a tile: errors are found and located.
#include <gtest/gtest.h>

#include "schedule/verify.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"
#include "syntax/schedule_binder.h"
#include "syntax/schedule_parser.h"

namespace gridloom::syntax {
namespace {

constexpr const char* kShared = R"(// two cores of one memory share the rows of A
launch gemm(M = 8, N = 8, K = 16) on pair {
  loop i = 8 by 8
  loop j = 8 by 4 on x
  loop k = 16 by 4
  order k
  segment x = 2, y = 1 {
    buffer A: input A per k, 2 slots of 64 B
    buffer B: input B per k, 1 slot of 32 B
    buffer C: output C, 1 slot of 64 B
    channel s: share to A along x, depth 2
    herd keeper at (0, 0) {
      mover A { for k { acquire A claim s load A send A to s publish A } }
      mover B { for k { acquire B load B publish B } }
      compute { acquire C for k { wait A wait B compute release A release B } publish C }
      writer C { wait C store C release C }
    }
    herd reader at (1, 0) {
      mover A { for k { acquire A ready s receive s publish A } }
      mover B { for k { acquire B load B publish B } }
      compute { acquire C for k { wait A wait B compute release A release B } publish C }
      writer C { wait C store C release C }
    }
  }
}
)";

struct SharedSchedule : testing::Test {
  test::Problem p = test::makeProblem(test::withSharedMemories(test::smallMesh(2, 1), "x"), "gemm",
                                      {{"M", 8}, {"N", 8}, {"K", 16}});
  std::string text = kShared;

  void put(const std::string& in, const std::string& out) {
    const auto at = text.find(in);
    ASSERT_NE(at, std::string::npos) << in;
    text.replace(at, in.size(), out);
  }
  base::Result<BoundSchedule> read() const {
    auto parsed = parseSchedule(base::makeSource("t.prog", text));
    if (!parsed) return parsed.takeDiagnostics();
    return bindSchedule(*parsed, p.kernel, p.nest, p.hw);
  }
  std::string findings() const {
    const auto bound = read();
    if (!bound) return base::render(bound.diagnostics());
    return test::findings(bound->schedule, p, &bound->places);
  }
  void expect(const std::string& words, const std::string& place = "t.prog:") const {
    EXPECT_NE(findings().find(words), std::string::npos) << findings();
    EXPECT_NE(findings().find(place), std::string::npos) << findings();
  }
};

TEST_F(SharedSchedule, IsReadAndCountsItsSlotsOnce) {
  const auto bound = read();
  ASSERT_TRUE(bound) << base::render(bound.diagnostics());
  EXPECT_EQ(findings(), "");
  EXPECT_EQ(bound->schedule.mapping.inputs[0].shared, 1U);
  EXPECT_EQ(bound->schedule.mapping.inputs[0].kind, mapping::MovementKind::Direct);
  EXPECT_EQ(bound->schedule.localBytes, 2 * 64 + 2 * (32 + 64));
}

// Four tiles through two slots: from the third on, each overwrites one that the reader may still
// need.
TEST_F(SharedSchedule, ALoadThatNobodyClaimedOverwritesWhatAReaderReads) {
  put("acquire A claim s load A", "acquire A load A");
  expect("core (1,0) may still read the tile in that slot, which would be overwritten; `claim s` "
         "before it",
         "t.prog:13:");
}

TEST_F(SharedSchedule, TheFirstTileOfEverySlotNeedsNoClaim) {
  put("2 slots of 64 B", "4 slots of 64 B");
  put("depth 2", "depth 4");
  put("acquire A claim s load A", "acquire A load A");
  EXPECT_EQ(findings(), "");
}

TEST_F(SharedSchedule, AClaimBehindTheLoadIsTooLate) {
  put("claim s load A", "load A claim s");
  expect("the tile in that slot would be overwritten", "t.prog:13:");
}

TEST_F(SharedSchedule, ASlotIsClaimedOnce) {
  put("claim s load A", "claim s claim s load A");
  expect("the tile of the slot it claimed before was not sent", "t.prog:13:");
}

TEST_F(SharedSchedule, AReaderWaitsForTheTile) {
  put("ready s receive s publish A", "ready s publish A");
  expect("nothing was written to that slot", "t.prog:19:");
}

TEST_F(SharedSchedule, TheKeeperTellsWhenTheTileIsThere) {
  put("load A send A to s publish A", "load A publish A");
  expect("the tile of the slot it claimed before was not sent", "t.prog:13:");
}

TEST_F(SharedSchedule, WhatIsNotThereYetIsNotShared) {
  put("load A send A to s", "send A to s load A");
  expect("nothing was written to that slot", "t.prog:13:");
}

TEST_F(SharedSchedule, AReaderReleasesItsTile) {
  const auto reader = text.find("herd reader");
  text.replace(text.find("release A release B", reader), 19, "release B");
  expect("it holds a slot of that buffer already", "t.prog:21:");
}

TEST_F(SharedSchedule, OnlySharedSlotsAreClaimed) {
  put("buffer A: input A per k, 2 slots of 64 B", "buffer A: input A per k, 1 slot of 64 B");
  put("channel s: share to A along x, depth 2", "channel s: multicast to A along x, depth 1");
  expect("only slots that cores share are claimed", "t.prog:13:");
}

TEST_F(SharedSchedule, CoresWithMemoriesOfTheirOwnShareNone) {
  p = test::makeProblem(test::smallMesh(2, 1), "gemm", {{"M", 8}, {"N", 8}, {"K", 16}});
  expect("the movement of A is not possible in this mapping");
}

// The simulator also stops a program that skips the claim.
TEST_F(SharedSchedule, TheSimulatorStopsAtAnOverwrittenTile) {
  const auto sound = read();
  ASSERT_TRUE(sound);
  base::Progress progress;
  EXPECT_TRUE(simulate::simulate(test::verified(sound->schedule, p), {}, progress));
  put("acquire A claim s load A", "acquire A load A");
  const auto broken = read();
  ASSERT_TRUE(broken);
  const auto unproved = test::verified(broken->schedule, p, {.maxSteps = 0});
  const auto stopped = simulate::simulate(unproved, {}, progress);
  ASSERT_FALSE(stopped);
  EXPECT_NE(base::render(stopped.diagnostics()).find("`claim s` before it"), std::string::npos);
}

}  // namespace
}  // namespace gridloom::syntax
