// SPDX-License-Identifier: Apache-2.0
// Two shared buffers between global memory and the cores: `mid`, one per column, and `chip`.
#include <gtest/gtest.h>

#include "gemm_fixture.h"

namespace gridloom::mapping {
namespace {

using test::meshWithTwoSharedBuffers;

struct MemoryLevels : test::GemmOn {
  MemoryLevels() : GemmOn(meshWithTwoSharedBuffers(3, 2)) {}

  /// B, the same for all cores of a row, by a multicast through `mid`, which gets it with the other
  /// columns from `chip`.
  Mapping throughBoth() const {
    Mapping m = base();
    m.inputs[1].sharedBuffers[0] = {2, 2};
    m.inputs[1].sharedBuffers[1] = {0, 1, 1};
    return m;
  }
};

TEST_F(MemoryLevels, AreOrderedFromTheCoresOutwards) {
  ASSERT_EQ(p.hw.sharedBuffers().size(), 2u);
  EXPECT_EQ(p.hw.sharedBuffer(0).name, "mid");
  EXPECT_EQ(p.hw.sharedBuffer(0).sharedDims, 2u) << "cores along y share one";
  EXPECT_EQ(p.hw.sharedBuffer(1).name, "chip");
  EXPECT_EQ(p.hw.sharedBuffer(1).sharedDims, 3u) << "all cores share it";
  EXPECT_EQ(p.hw.sharedInstances(), 4);
  EXPECT_EQ(p.hw.sharedBufferOf(2).name, "mid");
  EXPECT_EQ(p.hw.sharedBufferOf(3).name, "chip");
}

TEST_F(MemoryLevels, StepsGoFromOneToTheNext) {
  const Mapping m = throughBoth();
  const Transfers t = inputTransfers(p.nest, m, tiling(m), 1, m.inputs[1]);
  ASSERT_EQ(t.steps.size(), 3u);
  EXPECT_EQ(t.steps[0].from, Memory::Global);
  EXPECT_EQ(t.steps[0].to, Memory::shared(1));
  EXPECT_EQ(t.steps[0].zero, 1u) << "one load for all cores along x";
  EXPECT_EQ(t.steps[0].level, 0);
  EXPECT_EQ(t.steps[1].from, Memory::shared(1));
  EXPECT_EQ(t.steps[1].to, Memory::shared(0));
  EXPECT_EQ(t.steps[1].along, 1u);
  EXPECT_EQ(t.steps[1].level, 2);
  EXPECT_EQ(t.steps[2].to, Memory::Local);
  EXPECT_EQ(t.steps[2].level, 3);
}

// A tile of B is 4 x 4 elements of two bytes. There are 4 tiles of k, and 6 of j, of which each of
// the two rows uses 3.
TEST_F(MemoryLevels, BytesCountCopiesOfEachLevel) {
  const Mapping m = throughBoth();
  const Transfers t = inputTransfers(p.nest, m, tiling(m), 1, m.inputs[1]);
  EXPECT_EQ(t.bytesIn(Memory::shared(0), p.hw, tiling(m)), 4 * 32 * 2 * 2)
      << "tiles of k, twice, for each of the two cores of a column";
  EXPECT_EQ(t.bytesIn(Memory::shared(1), p.hw, tiling(m)), 3 * 4 * 32 * 2)
      << "all tiles of k and j, for each of the two rows";
  EXPECT_EQ(overfullSharedBuffer(p.nest, m, tiling(m), p.hw), 2u);
}

TEST_F(MemoryLevels, OptionsReuseOrShareInEveryFurtherLevel) {
  const Mapping m = base();
  int both = 0;
  for (const InputMovement& move : inputOptions(p.nest, 1, m, p.hw, {})) {
    if (!move.sharedBuffers[0].isUsed() || !move.sharedBuffers[1].isUsed()) continue;
    ++both;
    EXPECT_LE(move.sharedBuffers[1].level, move.sharedBuffers[0].level);
    EXPECT_EQ(move.sharedBuffers[0].along, 0);
    EXPECT_TRUE(move.sharedBuffers[1].along != 0 ||
                move.sharedBuffers[1].level < move.sharedBuffers[0].level);
    Mapping chosen = m;
    chosen.inputs[1] = move;
    EXPECT_EQ(render(checkMapping(p.kernel, p.nest, p.hw, chosen)), "");
  }
  EXPECT_GT(both, 10);
}

TEST_F(MemoryLevels, DirectivesRoundTrip) {
  Mapping m = throughBoth();
  EXPECT_EQ(render(checkMapping(p.kernel, p.nest, p.hw, m)), "");
  for (const auto along : {std::uint8_t{1}, std::uint8_t{0}}) {
    m.inputs[1].sharedBuffers[1].along = along;
    const auto again = resolved(printDirectives(p.kernel, p.nest, p.hw, m));
    ASSERT_TRUE(again) << render(again.diagnostics());
    EXPECT_EQ(inputOptions(p.nest, 1, m, p.hw, *again), std::vector<InputMovement>{m.inputs[1]});
  }
  m.outputs[0].sharedBuffers = {2, 1};
  EXPECT_EQ(render(checkMapping(p.kernel, p.nest, p.hw, m)), "");
  const auto again = resolved(printDirectives(p.kernel, p.nest, p.hw, m));
  ASSERT_TRUE(again) << render(again.diagnostics());
  EXPECT_EQ(outputOptions(p.nest, 0, m, p.hw, *again), std::vector<OutputMovement>{m.outputs[0]});
  EXPECT_NE(
      describe(p.kernel, p.nest, p.hw, throughBoth()).find("in mid over k ×2 in chip to x once"),
      std::string::npos)
      << describe(p.kernel, p.nest, p.hw, throughBoth());
}

TEST_F(MemoryLevels, OneOfThemMayBePinnedOrForbidden) {
  const auto pinned = resolved("buffer(B, chip, i, single)\nbuffer(B, mid, none)\n");
  ASSERT_TRUE(pinned) << render(pinned.diagnostics());
  const std::vector<InputMovement> options = inputOptions(p.nest, 1, base(), p.hw, *pinned);
  EXPECT_FALSE(options.empty());
  for (const InputMovement& move : options) {
    EXPECT_FALSE(move.sharedBuffers[0].isUsed());
    EXPECT_TRUE(move.sharedBuffers[1].isUsed());
  }
  EXPECT_NE(render(resolved("buffer(B, l3)\n").diagnostics()).find("it has `mid`, `chip`"),
            std::string::npos);
  EXPECT_FALSE(resolved("buffer(B, chip)\nbuffer(B, none)\n"));
}

TEST_F(MemoryLevels, EachHasItsCapacity) {
  const test::Problem tight = test::makeProblem(meshWithTwoSharedBuffers(3, 2, 1 << 16, 700), "gemm",
                                          {{"M", 24}, {"N", 24}, {"K", 16}});
  EXPECT_NE(render(checkMapping(tight.kernel, tight.nest, tight.hw, throughBoth()))
                .find("768 bytes of an instance of chip, which has 700"),
            std::string::npos);
}

}  // namespace
}  // namespace gridloom::mapping
