// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "gemm_fixture.h"

namespace gridloom::mapping {
namespace {

using test::makeProblem;
using test::meshWithSharedBuffer;

struct SharedBuffer : test::GemmOn {
  SharedBuffer() : GemmOn(meshWithSharedBuffer(3, 2)) {}
};

TEST_F(SharedBuffer, IsRecognizedWithWhatItServes) {
  ASSERT_TRUE(p.hw.hasSharedBuffer());
  EXPECT_EQ(p.hw.sharedBuffer(0).name, "mid");
  EXPECT_EQ(p.hw.sharedBuffer(0).instances, 3);
  EXPECT_EQ(p.hw.sharedBuffer(0).sharedDims, 2u) << "cores along y share one";
}

TEST_F(SharedBuffer, GroupsEnterAtTheirColumnOrAreDealtToColumns) {
  const std::vector<std::int64_t> active{3, 2};
  std::vector<std::int64_t> column{2, 0};
  moveToEntry(p.hw.sharedBuffer(0), active, 2, column);
  EXPECT_EQ(column, (std::vector<std::int64_t>{2, 0})) << "shared along y: its own column";
  std::vector<std::int64_t> row{0, 1};
  moveToEntry(p.hw.sharedBuffer(0), active, 1, row);
  EXPECT_EQ(row, (std::vector<std::int64_t>{1, 1})) << "shared along x: row y enters at column y";
  std::vector<std::int64_t> own{1, 1};
  moveToEntry(p.hw.sharedBuffer(0), active, 0, own);
  EXPECT_EQ(own, (std::vector<std::int64_t>{1, 1}));
}

// A tile of A is 4 x 4 elements of two bytes. The buffer holds the four tiles of loop k.
TEST_F(SharedBuffer, BytesCountTilesBuffersAndGroups) {
  Mapping m = base();
  m.inputs[0].sharedBuffers[0] = {1, 2};
  m.inputs[0].kind = MovementKind::Multicast;
  m.inputs[0].along = 2;
  m.inputs[0].first = 1;
  const auto bytes = [&](std::size_t input) {
    return inputTransfers(p.nest, m, tiling(m), input, m.inputs[input])
        .bytesIn(Memory::shared(0), p.hw, tiling(m));
  };
  EXPECT_EQ(bytes(0), 4 * 32 * 2);
  m.inputs[0].kind = MovementKind::Direct;
  m.inputs[0].along = 0;
  EXPECT_EQ(bytes(0), 4 * 32 * 2 * 2) << "each of the two cores of a column its own";
  m.inputs[1].sharedBuffers[0] = {0, 1};
  m.inputs[1].kind = MovementKind::Multicast;
  m.inputs[1].along = 1;
  EXPECT_EQ(bytes(1), 4 * 3 * 32) << "two rows on three columns: one each";
}

TEST_F(SharedBuffer, OptionsAreLoadedNoLaterThanTheyAreSentAndRepeatNothing) {
  const Mapping m = base();
  int usesSharedBuffer = 0;
  for (const InputMovement& move : inputOptions(p.nest, 0, m, p.hw, {})) {
    if (!move.usesSharedBuffer()) continue;
    ++usesSharedBuffer;
    EXPECT_LE(move.sharedBuffers[0].level, move.level);
    EXPECT_NE(move.sharedBuffers[0].level, 2) << "A does not depend on j";
    EXPECT_TRUE(move.kind == MovementKind::Direct || move.kind == MovementKind::Multicast);
  }
  // Levels of A: 0, 1 (inside i), 3 (inside k). Two movements, one or two local buffers. Level 1
  // follows a load into the shared buffer at 0 or, single or double, at 1; level 3 one at 0, 1 or
  // 3.
  EXPECT_EQ(usesSharedBuffer, 2 * 2 * (3 + 5));
  const test::Problem plain =
      makeProblem(test::smallMesh(3, 2), "gemm", {{"M", 24}, {"N", 24}, {"K", 16}});
  for (const InputMovement& move : inputOptions(plain.nest, 0, m, plain.hw, {})) {
    EXPECT_FALSE(move.usesSharedBuffer());
  }
}

// One row, loaded once, beside the tiles of its tensor.
TEST(SharedBufferOfBorders, IsForDirectives) {
  const test::Problem p =
      makeProblem(meshWithSharedBuffer(3, 2),
                  "kernel ring(N = 24) {\n  tensor A[N, N]: f32  tensor B[N, N]: f32\n"
                  "  B[i, j] = A[i, j] + A[mod(i - 1, N), j]\n}\n");
  ASSERT_EQ(p.nest.inputs.size(), 2U);
  Mapping m;
  m.tileSize = {4, 4};
  m.space = {kernel::LoopId(0), kernel::LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {kernel::LoopId(0), kernel::LoopId(1)};
  const auto uses = [&](std::size_t input, const Constraints& constraints) {
    return std::ranges::any_of(inputOptions(p.nest, input, m, p.hw, constraints),
                               &InputMovement::usesSharedBuffer);
  };
  EXPECT_TRUE(uses(0, {}));
  EXPECT_FALSE(uses(1, {}));
  auto directives = syntax::parseDirectives(base::makeSource("test.sched", "buffer(A@2, mid)\n"));
  ASSERT_TRUE(directives);
  const auto wanted = resolve(*directives, p.kernel, p.nest, p.hw);
  ASSERT_TRUE(wanted) << render(wanted.diagnostics());
  EXPECT_TRUE(uses(1, *wanted));
}

TEST_F(SharedBuffer, DirectivesPinForbidAndRoundTrip) {
  const Mapping m = base();
  const auto forbidden = resolved("buffer(A, none)\n");
  ASSERT_TRUE(forbidden) << render(forbidden.diagnostics());
  for (const InputMovement& move : inputOptions(p.nest, 0, m, p.hw, *forbidden)) {
    EXPECT_FALSE(move.usesSharedBuffer());
  }
  const auto pinned = resolved("buffer(A, mid, j, double)\nhoist(A)\nbroadcast(A, y)\n");
  ASSERT_TRUE(pinned) << render(pinned.diagnostics());
  const auto options = inputOptions(p.nest, 0, m, p.hw, *pinned);
  ASSERT_EQ(options.size(), 2u) << "one or two local buffers";
  EXPECT_EQ(options.front().sharedBuffers[0], (SharedBufferUse{1, 2}));

  Mapping chosen = m;
  chosen.inputs[0] = options.back();
  EXPECT_EQ(render(checkMapping(p.kernel, p.nest, p.hw, chosen)), "");
  const auto again = resolved(printDirectives(p.kernel, p.nest, p.hw, chosen));
  ASSERT_TRUE(again) << render(again.diagnostics());
  EXPECT_EQ(inputOptions(p.nest, 0, chosen, p.hw, *again),
            std::vector<InputMovement>{chosen.inputs[0]});
  EXPECT_EQ(inputOptions(p.nest, 1, chosen, p.hw, *again),
            std::vector<InputMovement>{chosen.inputs[1]});
  EXPECT_NE(describe(p.kernel, p.nest, p.hw, chosen).find("in mid over j ×2"), std::string::npos)
      << describe(p.kernel, p.nest, p.hw, chosen);
}

TEST_F(SharedBuffer, AStayMayBeAsInnermostAsItsTransfer) {
  Mapping m = base();
  m.inputs[0].sharedBuffers[0] = {3, 2};
  EXPECT_EQ(render(checkMapping(p.kernel, p.nest, p.hw, m)), "");
  const auto again = resolved(printDirectives(p.kernel, p.nest, p.hw, m));
  ASSERT_TRUE(again) << render(again.diagnostics());
  EXPECT_EQ(inputOptions(p.nest, 0, m, p.hw, *again), std::vector<InputMovement>{m.inputs[0]});
}

// A tile of C is 4 x 4 elements of two bytes; each of the two cores of a column has its own there.
TEST_F(SharedBuffer, FinishedTilesMayPassIt) {
  Mapping m = base();
  int passing = 0;
  for (const OutputMovement& move : outputOptions(p.nest, 0, m, p.hw, {})) {
    passing += move.usesSharedBuffer() ? 1 : 0;
    EXPECT_TRUE(!move.usesSharedBuffer() ||
                (move.gather < 0 && move.layout == TensorLayout::PageInterleaved));
  }
  EXPECT_EQ(passing, 2 * 2) << "one or two buffers here and there";
  m.outputs[0].sharedBuffers[0] = 2;
  EXPECT_EQ(sharedBufferBytes(0, p.nest, m, tiling(m), p.hw), 32 * 2 * 2);
  EXPECT_EQ(render(checkMapping(p.kernel, p.nest, p.hw, m)), "");
  const auto again = resolved(printDirectives(p.kernel, p.nest, p.hw, m));
  ASSERT_TRUE(again) << render(again.diagnostics());
  EXPECT_EQ(outputOptions(p.nest, 0, m, p.hw, *again), std::vector<OutputMovement>{m.outputs[0]});
  EXPECT_NE(describe(p.kernel, p.nest, p.hw, m).find("C in mid ×2"), std::string::npos);
  const auto excluded = resolved("not buffer(C, mid, double)\n");
  ASSERT_TRUE(excluded);
  for (const OutputMovement& move : outputOptions(p.nest, 0, m, p.hw, *excluded)) {
    EXPECT_NE(move.sharedBuffers[0], 2);
  }
  m.outputs[0].sharedBuffers[0] = 3;
  EXPECT_NE(render(checkMapping(p.kernel, p.nest, p.hw, m)).find("movement of C"),
            std::string::npos);
}

// An output whose reduction is split in space does not go through it.
TEST_F(SharedBuffer, PartialResultsDoNotPassIt) {
  Mapping m = base();
  m.space = {LoopId(0), LoopId(2)};
  for (const OutputMovement& move : outputOptions(p.nest, 0, m, p.hw, {})) {
    EXPECT_FALSE(move.usesSharedBuffer());
  }
}

TEST_F(SharedBuffer, UnknownMemoriesAndBufferCountsAreRefused) {
  EXPECT_NE(render(resolved("buffer(A, l3)\n").diagnostics()).find("it has `mid`"),
            std::string::npos);
  EXPECT_NE(render(resolved("buffer(A, mid, q)\n").diagnostics()).find("no loop `q`"),
            std::string::npos);
  EXPECT_NE(
      render(resolved("buffer(A, mid, k, triple)\n").diagnostics()).find("`single` or `double`"),
      std::string::npos);
  EXPECT_FALSE(resolved("buffer(A, mid)\nvia(A, none)\n"));
  EXPECT_NE(render(resolved("buffer(C, mid, k)\n").diagnostics()).find("one by one"),
            std::string::npos);
  EXPECT_NE(render(resolved("buffer(C, l3)\n").diagnostics()).find("it has `mid`"),
            std::string::npos);
  EXPECT_FALSE(resolved("buffer(C, mid)\nvia(C, none)\n"));
}

TEST_F(SharedBuffer, CheckSaysWhatDoesNotFit) {
  Mapping m = base();
  m.inputs[0].sharedBuffers[0] = {2, 1};
  m.inputs[0].level = 1;
  EXPECT_NE(render(checkMapping(p.kernel, p.nest, p.hw, m)).find("movement of A"),
            std::string::npos);
  const test::Problem tight =
      makeProblem(meshWithSharedBuffer(3, 2, 100), "gemm", {{"M", 24}, {"N", 24}, {"K", 16}});
  m.inputs[0].sharedBuffers[0] = {1, 2};
  m.inputs[0].level = 3;
  EXPECT_NE(render(checkMapping(tight.kernel, tight.nest, tight.hw, m)).find("instance of mid"),
            std::string::npos);
}

// Only whole lines of the mesh can share an instance; the parser notes a memory of another form and
// ignores it.
TEST(MiddleForms, OthersAreNotedAndNotUsed) {
  std::string text = meshWithSharedBuffer(4, 2);
  const std::string map = "(d0, d1) -> (d0)>, bandwidth = 24";
  text.replace(text.find(map), map.size(), "(d0, d1) -> (d0 floordiv 2)>, bandwidth = 24");
  EXPECT_FALSE(makeProblem(text, "gemm").hw.hasSharedBuffer());
  EXPECT_EQ(
      makeProblem(meshWithSharedBuffer(4, 2, 64, 64, true), "gemm").hw.sharedBuffer(0).sharedDims,
      1u);
}

}  // namespace
}  // namespace gridloom::mapping
