// SPDX-License-Identifier: Apache-2.0
// Where tensors live: directives, the choices of the space, and what local memory holds.
#include <gtest/gtest.h>

#include <algorithm>

#include "mapping/space.h"
#include "mapping/transfers.h"
#include "support/problem.h"
#include "syntax/directive_parser.h"

namespace gridloom::mapping {
namespace {

using test::makeProblem;
using test::Problem;
using test::smallMesh;

Problem smallGemm() {
  return makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
}

base::Result<Constraints> constraintsOf(const Problem& p, const std::string& text) {
  const auto directives = syntax::parseDirectives(base::makeSource("t.sched", text));
  EXPECT_TRUE(directives) << base::render(directives.diagnostics());
  return resolve(*directives, p.kernel, p.nest, p.hw);
}

// i on x, j on y: A is shared along y, B along x; four waves of k.
Mapping outputStationary() {
  Mapping m;
  m.tileSize = {32, 32, 16};
  m.space = {LoopId(0), LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(2)};
  return m;
}

bool offers(const std::vector<InputMovement>& options, TensorLayout layout) {
  return std::any_of(options.begin(), options.end(),
                     [&](const InputMovement& m) { return m.layout == layout; });
}

TEST(Layout, DirectivesPinInputsAndOutputs) {
  const Problem p = smallGemm();
  const auto c = constraintsOf(p, "layout(A, local)\nplace(B, tile)\nplace(C, nearest)\n");
  ASSERT_TRUE(c) << base::render(c.diagnostics());
  EXPECT_EQ(c->inputs.at(0).layout, TensorLayout::Local);
  EXPECT_EQ(c->inputs.at(1).layout, TensorLayout::TileInterleaved);
  EXPECT_EQ(c->outputs.at(0).layout, TensorLayout::NearestChannel);
  EXPECT_EQ(residentTensors(p.nest, *c), std::vector{p.nest.inputs[0].tensor});
}

TEST(Layout, TwoPlacesOrAnUnknownTensorAreLocatedErrors) {
  const Problem p = smallGemm();
  const auto two = constraintsOf(p, "layout(A, local)\nplace(A, page)\n");
  ASSERT_FALSE(two);
  EXPECT_NE(base::render(two.diagnostics()).find("t.sched:2:1"), std::string::npos);
  const auto unknown = constraintsOf(p, "layout(D, page)\n");
  ASSERT_FALSE(unknown);
  EXPECT_NE(base::render(unknown.diagnostics()).find("A (input)"), std::string::npos);
}

TEST(Layout, TheSpaceHasTilesNearTheOnlyCoreThatLoadsThemAndNothingInLocalMemory) {
  const Problem p = smallGemm();
  const Mapping m = outputStationary();
  const auto options = inputOptions(p.nest, 0, m, p.hw, {});
  EXPECT_TRUE(offers(options, TensorLayout::PageInterleaved));
  EXPECT_TRUE(offers(options, TensorLayout::NearestChannel));
  EXPECT_FALSE(offers(options, TensorLayout::TileInterleaved));
  EXPECT_FALSE(offers(options, TensorLayout::Local));
  for (const InputMovement& o : options) {
    if (o.layout == TensorLayout::NearestChannel) {
      EXPECT_NE(o.kind, MovementKind::Direct) << "two cores load the same tile of A";
    }
  }
}

TEST(Layout, WithPagesOnlyOrOneChannelThereIsNothingToChoose) {
  std::string pages = smallMesh(2, 2);
  pages.insert(pages.find("kind = global"), "layout = page, ");
  for (const std::string& hardware : {pages, smallMesh(2, 2, 1)}) {
    const Problem p = makeProblem(hardware, "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
    for (const InputMovement& o : inputOptions(p.nest, 0, outputStationary(), p.hw, {})) {
      EXPECT_EQ(o.layout, TensorLayout::PageInterleaved);
    }
  }
}

TEST(Layout, TilesInLocalMemoryAreSharedNotCopiedUnlessADirectiveSaysSo) {
  const Problem p = smallGemm();
  const Mapping m = outputStationary();
  const auto shared = inputOptions(p.nest, 0, m, p.hw, *constraintsOf(p, "layout(A, local)\n"));
  ASSERT_FALSE(shared.empty());
  for (const InputMovement& o : shared) {
    EXPECT_EQ(o.layout, TensorLayout::Local);
    EXPECT_EQ(o.along, sharedDims(p.nest.inputs[0], m));
  }
  const auto copied =
      inputOptions(p.nest, 0, m, p.hw, *constraintsOf(p, "layout(A, local)\ndirect(A)\n"));
  ASSERT_EQ(copied.size(), 1u) << "used where they lie: no level or buffers to choose";
  EXPECT_EQ(copied.front().level, 0);
}

TEST(Layout, ResidentTilesCountOncePerLineOfCoresThatSharesThem) {
  const Problem p = smallGemm();
  Mapping m = outputStationary();
  const Tiling t = tilingOf(m, p.kernel, p.hw);
  const kernel::Operand& a = p.nest.inputs[0];
  const std::int64_t tile = 32 * 16 * 2;
  const InputMovement multicast{MovementKind::Multicast, 2, 1, 1, 1, {}, TensorLayout::Local};
  EXPECT_EQ(residentBytes(a, multicast, t), 4 * tile / 2) << "4 tiles over 2 cores";
  EXPECT_EQ(inputTransfers(p.nest, m, t, 0, multicast).buffers[0].bytes, tile)
      << "what arrives needs its buffer";
  const InputMovement direct{MovementKind::Direct, 0, 0, 0, 1, {}, TensorLayout::Local};
  EXPECT_EQ(residentBytes(a, direct, t), 4 * tile) << "a copy in every core";
  EXPECT_EQ(inputTransfers(p.nest, m, t, 0, direct).buffers[0].bytes, 0);
  EXPECT_EQ(
      residentBytes(a, {MovementKind::Direct, 0, 0, 1, 1, {}, TensorLayout::PageInterleaved}, t),
      0);
}

TEST(Layout, AnOutputThatStaysIsOneBufferForAllItsTiles) {
  const Problem p = smallGemm();
  Mapping m = outputStationary();
  m.tileSize = {16, 32, 64};
  m.order = {LoopId(0)};
  const Tiling t = tilingOf(m, p.kernel, p.hw);
  const OutputMovement local{ReductionTopology::None, -1, 1, TensorLayout::Local};
  const std::int64_t tile = 16 * 32 * 2;
  const Transfers kept = outputTransfers(p.nest, p.hw, m, t, 0, local);
  EXPECT_EQ(kept.bytesIn(Memory::Local, p.hw, t), 2 * tile);
  for (const OutputMovement& o :
       outputOptions(p.nest, 0, m, p.hw, *constraintsOf(p, "layout(C, local)\n"))) {
    EXPECT_EQ(o, local) << "no gather, no second buffer";
  }
}

TEST(Layout, PrintedDirectivesGiveTheSameMappingBack) {
  const Problem p = smallGemm();
  Mapping m = outputStationary();
  m.outputs = {{ReductionTopology::None, -1, 1, TensorLayout::NearestChannel}};
  for (const TensorLayout layout : {TensorLayout::PageInterleaved, TensorLayout::TileInterleaved,
                                    TensorLayout::NearestChannel, TensorLayout::Local}) {
    m.inputs = {{MovementKind::Multicast, 2, 1, 1, 2, {}, layout},
                {MovementKind::Multicast, 1, 0, 1, 2, {}, layout}};
    EXPECT_TRUE(checkMapping(p.kernel, p.nest, p.hw, m).empty());
    const auto c = constraintsOf(p, printDirectives(p.kernel, p.nest, p.hw, m));
    ASSERT_TRUE(c) << base::render(c.diagnostics());
    EXPECT_EQ(inputOptions(p.nest, 0, m, p.hw, *c), std::vector{m.inputs[0]});
    EXPECT_EQ(inputOptions(p.nest, 1, m, p.hw, *c), std::vector{m.inputs[1]});
    EXPECT_EQ(outputOptions(p.nest, 0, m, p.hw, *c), m.outputs);
  }
}

}  // namespace
}  // namespace gridloom::mapping
