// SPDX-License-Identifier: Apache-2.0
//
// The parts of the token machine, each by itself.
#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/copy_readers.h"
#include "schedule/output_tiles.h"
#include "schedule/slot_rings.h"
#include "schedule/slot_rules.h"
#include "schedule/token_machine.h"
#include "schedule/verify.h"
#include "support/verified.h"

namespace gridloom::schedule {
namespace {

Buffer bufferOf(Buffer::Use use, int slots) {
  Buffer buffer;
  buffer.use = use;
  buffer.operand = 0;
  buffer.slots = slots;
  return buffer;
}

Code codeOf(Op op, std::int32_t buffer = 0) {
  Code code;
  code.op = op;
  code.buffer = buffer;
  return code;
}

Instruction on(Op op, std::int32_t buffer) { return {op, 0, BufferId(buffer), {}}; }

TEST(Ring, IsSmallBecauseAWaferHasMillions) { EXPECT_LE(sizeof(Ring), 20U); }

struct Rings : testing::Test {
  Schedule schedule = [] {
    Schedule s;
    s.buffers = {bufferOf(Buffer::Use::Input, 2)};
    return s;
  }();
  SlotRings rings{schedule, 1};
  void SetUp() override { rings.setReaders(0, 0, 1); }
  void fill() {
    rings.acquire(0, 0);
    rings.publish(0, 0);
  }
};

TEST_F(Rings, SlotsAreFilledAndReadInTurn) {
  EXPECT_EQ(rings.free(0, 0), 2);
  for (std::int32_t turn = 0; turn < 5; ++turn) {
    ASSERT_TRUE(rings.awaitFree(0, 0, 7));
    fill();
    EXPECT_EQ(rings.slotToFill(0, 0), turn % 2);
    EXPECT_EQ(rings.slotToRead(0, 0), turn % 2);
    ASSERT_TRUE(rings.awaitFull(0, 0, 0, 8));
    EXPECT_TRUE(rings.release(0, 0, 0));
    EXPECT_EQ(rings.takeWaiting(0, 0), -1);
  }
  EXPECT_TRUE(rings.at(0, 0).isEmpty());
}

TEST_F(Rings, TheCallThatEndsAWaitHandsOutWhoWaits) {
  EXPECT_FALSE(rings.awaitFull(0, 0, 0, 8));
  rings.acquire(0, 0);
  EXPECT_EQ(rings.publish(0, 0)[0], 8);
  rings.acquire(0, 0);
  EXPECT_EQ(rings.publish(0, 0)[0], -1) << "handed out once";
  EXPECT_FALSE(rings.awaitFree(0, 0, 7));
  EXPECT_TRUE(rings.release(0, 0, 0));
  EXPECT_EQ(rings.takeWaiting(0, 0), 7);
}

TEST_F(Rings, ASlotIsFreeWhenBothReadersReleasedIt) {
  rings.setReaders(0, 0, 2);
  fill();
  fill();
  EXPECT_FALSE(rings.awaitFree(0, 0, 7));
  EXPECT_FALSE(rings.release(0, 0, 1)) << "the other one still reads it";
  EXPECT_EQ(rings.takeWaiting(0, 0), -1);
  EXPECT_TRUE(rings.release(0, 0, 0));
  EXPECT_EQ(rings.takeWaiting(0, 0), 7);
}

TEST_F(Rings, TurnsOfTheRingAreNoState) {
  const SlotRings before = rings;
  std::vector<std::int64_t> words, later;
  rings.appendState(words);
  fill();
  EXPECT_FALSE(rings == before);
  rings.release(0, 0, 0);
  rings.appendState(later);
  EXPECT_TRUE(rings == before);
  EXPECT_EQ(words, later);
}

struct Rules : testing::Test {
  Schedule schedule = [] {
    Schedule s;
    s.buffers = {bufferOf(Buffer::Use::Input, 1), bufferOf(Buffer::Use::Output, 1)};
    s.outputs.resize(1);
    return s;
  }();
  SlotRules rules{schedule};
  HeldSlots slots;

  std::string objectionTo(Op op, std::int32_t buffer = 0) const {
    const char* what = rules.objection(slots, codeOf(op, buffer));
    return what == nullptr ? "" : what;
  }
  void apply(Op op, std::int32_t buffer = 0) {
    ASSERT_EQ(objectionTo(op, buffer), "");
    rules.apply(slots, codeOf(op, buffer));
  }
};

TEST_F(Rules, ATileIsLoadedOnceAndPublished) {
  EXPECT_EQ(objectionTo(Op::Load), "it does not hold a slot of that buffer");
  apply(Op::Acquire);
  EXPECT_EQ(objectionTo(Op::Acquire), "it holds a slot of that buffer already");
  EXPECT_EQ(objectionTo(Op::Publish), "nothing was written to that slot");
  apply(Op::Load);
  EXPECT_EQ(objectionTo(Op::Load), "the tile in that slot would be overwritten");
  apply(Op::Publish);
  EXPECT_FALSE(slots.holds(0));
}

TEST_F(Rules, AResultIsNotLost) {
  apply(Op::Acquire, 1);
  EXPECT_EQ(objectionTo(Op::Store, 1), "nothing was written to that slot");
  Code compute = codeOf(Op::Compute, -1);
  rules.apply(slots, compute);
  apply(Op::Publish, 1);
  apply(Op::WaitFull, 1);
  EXPECT_NE(objectionTo(Op::Release, 1).find("would be lost"), std::string::npos);
  apply(Op::Store, 1);
  apply(Op::Release, 1);
  EXPECT_EQ(slots.held(), 0U);
}

TEST_F(Rules, OnlyPartialResultsOfATileWithoutWorkAreNeutral) {
  rules.skipCompute(slots);
  EXPECT_EQ(slots.filled, 0U);
  schedule.work.parts = {{{{kernel::LoopId(0), kernel::LoopId(), 16}}, {}}};
  schedule.outputs[0].isReduced = true;
  SlotRules(schedule).skipCompute(slots);
  EXPECT_EQ(slots.filled, 0U) << "no slot is held";
  apply(Op::Acquire, 1);
  SlotRules(schedule).skipCompute(slots);
  EXPECT_EQ(slots.filled, 2U);
}

TEST(CopyReaders, AnOwnerClaimsASlotBeforeItFillsItAgain) {
  Schedule schedule;
  schedule.buffers = {bufferOf(Buffer::Use::Input, 2), bufferOf(Buffer::Use::Output, 1)};
  Channel share;
  share.kind = Channel::Kind::Share;
  share.target = BufferId(0);
  schedule.channels = {share};
  CopyReaders copies(schedule, 3);
  EXPECT_EQ(copies.channelOf(0), 0);
  EXPECT_EQ(copies.channelOf(1), -1);
  const std::vector<std::int32_t> readers{0, 1};
  const auto all = [](std::int32_t) { return true; };
  for (int slot = 0; slot < 2; ++slot) {
    EXPECT_EQ(copies.occupant(0, readers), -1);
    EXPECT_TRUE(copies.fill(0, 0)) << "each slot may be filled once without a claim";
    copies.share(0, 0, readers, all);
  }
  EXPECT_FALSE(copies.fill(0, 0));
  EXPECT_EQ(copies.occupant(0, readers), 0);
  EXPECT_TRUE(copies.release(0, 0));
  EXPECT_EQ(copies.occupant(0, readers), 1);
  EXPECT_TRUE(copies.release(0, 1));
  ASSERT_EQ(copies.occupant(0, readers), -1);
  copies.claim(0, 0, readers);
  EXPECT_TRUE(copies.isClaimed(0, 0));
  EXPECT_TRUE(copies.fill(0, 0));
  copies.share(0, 0, readers, [](std::int32_t reader) { return reader == 1; });
  EXPECT_FALSE(copies.isClaimed(0, 0));
  EXPECT_EQ(copies.occupant(0, readers), 0) << "the second tile";
}

TEST(ResolvedCode, JumpsReadersAndDepths) {
  Schedule schedule;
  schedule.buffers = {bufferOf(Buffer::Use::Input, 1)};
  const Instruction begin{Op::LoopBegin, 0, {}, {}}, end{Op::LoopEnd, 0, {}, {}};
  Process mover, compute;
  mover.code = {begin, on(Op::Acquire, 0), on(Op::Publish, 0), on(Op::Release, 0), end};
  compute.code = {begin, on(Op::WaitFull, 0), on(Op::Release, 0), end};
  schedule.programs = {{"all", {mover, compute}, 1}};
  const ResolvedCode code(schedule);
  const auto entries = code.entries(ProgramId(0));
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(code.readers(ProgramId(0), 0), 2);
  EXPECT_EQ(code.at(0).depth, 0);
  EXPECT_EQ(code.at(1).depth, 1);
  EXPECT_TRUE(code.at(2).keeps) << "the mover reads what it publishes";
  EXPECT_EQ(code.at(3).reader, 1) << "it does not wait for it";
  EXPECT_EQ(code.at(4).jump, 1);
  EXPECT_TRUE(code.at(5).end);
  EXPECT_EQ(entries[1], 6);
  EXPECT_EQ(code.at(8).reader, 0);
  EXPECT_EQ(code.at(9).jump, 7);
}

TEST(ReadyQueue, GivesProcessesInTheOrderInWhichTheyCame) {
  ReadyQueue queue, other;
  for (std::int32_t p = 0; p < 5000; ++p) queue.push(p);
  for (std::int32_t p = 0; p < 4998; ++p) ASSERT_EQ(queue.take(), p);
  other.push(4998);
  EXPECT_FALSE(queue == other);
  other.push(4999);
  EXPECT_TRUE(queue == other) << "what was taken is no state";
  queue.take();
  queue.take();
  EXPECT_TRUE(queue.empty());
}

/// The first buffer with these properties, as an instruction names it; -1: none.
template <class Has> std::int32_t findBuffer(const Schedule& schedule, const Has& has) {
  const auto found = std::ranges::find_if(schedule.buffers, has);
  return found == schedule.buffers.end()
             ? -1
             : static_cast<std::int32_t>(found - schedule.buffers.begin());
}

/// On one core, each tile of a prefix sum reads the end of the tile before it.
TEST(OutputTiles, AProcessWaitsForTheTileThatItReads) {
  const test::Problem p = test::makeProblem(test::smallMesh(1, 1, 1), "prefix_sum", {{"N", 29}});
  int waited = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    auto lowered = lower(p.kernel, p.nest, p.hw, test::randomMapping(p, seed));
    if (!lowered) continue;
    const VerifiedSchedule verified = test::verified(*std::move(lowered), p);
    const Schedule& schedule = verified->schedule;
    const std::int32_t reads =
        findBuffer(schedule, [](const Buffer& b) { return b.need.awaits >= 0 && !b.need.passed; });
    const std::int32_t writes =
        findBuffer(schedule, [](const Buffer& b) { return b.use == Buffer::Use::Output; });
    if (reads < 0 || schedule.order.size() != 1 || verified->placement.waves(0, 0) < 2) continue;
    OutputTiles tiles(schedule, verified->placement);
    ASSERT_TRUE(tiles.areAwaited());
    const std::vector<std::int32_t> zero{0}, one{1};
    const Iteration first{0, zero, 1}, second{0, one, 1};
    EXPECT_TRUE(tiles.await(5, reads, first)) << "nothing is before the first tile";
    EXPECT_TRUE(tiles.awaitRoom(5, writes, first)) << "nothing is forwarded";
    ASSERT_FALSE(tiles.await(5, reads, second));
    EXPECT_TRUE(tiles.compute(writes, first).empty()) << "computed, but not stored";
    const auto woken = tiles.store(writes, first);
    EXPECT_EQ(std::vector(woken.begin(), woken.end()), std::vector{5});
    EXPECT_TRUE(tiles.await(5, reads, second));
    ++waited;
  }
  EXPECT_GT(waited, 0);
}

}  // namespace
}  // namespace gridloom::schedule
