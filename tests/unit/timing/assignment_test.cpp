// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "timing/dma_assignment.h"
#include "timing/interleaving.h"

namespace gridloom::timing {
namespace {

using hardware::TensorLayout;

TEST(Interleaving, AUnitIsAPageATileOrTheWholeTransfer) {
  hardware::GlobalMemory memory;
  memory.interleave = 2048;
  EXPECT_EQ(unitBytes<std::int64_t>(TensorLayout::PageInterleaved, memory, 512, 4096), 2048);
  EXPECT_EQ(unitBytes<std::int64_t>(TensorLayout::TileInterleaved, memory, 512, 4096), 512);
  EXPECT_EQ(unitBytes<std::int64_t>(TensorLayout::NearestChannel, memory, 512, 4096), 4096);
  EXPECT_EQ(unitBytes<std::int64_t>(TensorLayout::Local, memory, 512, 4096), 4096);
  EXPECT_DOUBLE_EQ(unitBytes(TensorLayout::TileInterleaved, memory, 0.5, 2.0), 0.5);
  EXPECT_TRUE(isInterleaved(TensorLayout::PageInterleaved));
  EXPECT_TRUE(isInterleaved(TensorLayout::TileInterleaved));
  EXPECT_FALSE(isInterleaved(TensorLayout::NearestChannel));
  EXPECT_FALSE(isInterleaved(TensorLayout::Local));
}

// Tile (2, 3) has diagonal 5; with 4 channels its units lie in channels 1, 2, 3, 0, 1.
TEST(Interleaving, UnitsGoAroundTheChannelsFromTheDiagonalOn) {
  const std::int64_t expected[] = {1, 2, 3, 0, 1};
  for (std::int64_t unit = 0; unit < 5; ++unit) EXPECT_EQ(channelOf(5, unit, 4), expected[unit]);
}

TEST(Interleaving, NeighboursAlongAnyLoopStartAtSuccessiveChannels) {
  for (std::int64_t i = 0; i < 6; ++i) {
    for (std::int64_t j = 0; j < 6; ++j) {
      const std::int64_t here = channelOf(i + j, 0, 4);
      EXPECT_EQ(channelOf(i + 1 + j, 0, 4), (here + channelStep(1, 4)) % 4);
      EXPECT_EQ(channelOf(i + j + 6, 0, 4), (here + channelStep(6, 4)) % 4);
    }
  }
}

TEST(DmaAssignment, EqualFlowsGoAroundTheChannels) {
  DmaBalance balance(3);
  for (std::size_t flow = 0; flow < 10; ++flow) EXPECT_EQ(balance.assign(1), dmaChannelOf(flow, 3));
}

TEST(DmaAssignment, AFlowGoesWhereTheFewestBytesAre) {
  DmaBalance balance(2);
  EXPECT_EQ(balance.assign(4096), 0U);
  EXPECT_EQ(balance.assign(2048), 1U);
  EXPECT_EQ(balance.assign(1024), 1U) << "and not behind the first";
  EXPECT_EQ(balance.assign(1024), 1U);
  EXPECT_EQ(balance.assign(1), 0U) << "4096 each: the first of them";
}

TEST(DmaAssignment, ChannelsBeyondTheMostAreNotUsed) {
  DmaBalance balance(1000);
  for (std::size_t flow = 0; flow < DmaBalance::kMostChannels; ++flow) {
    EXPECT_EQ(balance.assign(1), flow);
  }
  EXPECT_EQ(balance.assign(1), 0U);
}

TEST(DmaAssignment, FlowsWithAChannelEachDoNotWait) {
  EXPECT_FALSE(flowsTakeTurns(2, 2));
  EXPECT_TRUE(flowsTakeTurns(3, 2));
}

}  // namespace
}  // namespace gridloom::timing
