// SPDX-License-Identifier: Apache-2.0
//
// One copy of a tile for the cores that share a local memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "gemm_fixture.h"

namespace gridloom::mapping {
namespace {

using test::smallMesh;
using test::withSharedMemories;

constexpr DimMask kX = 1, kY = 2;

struct Shared : test::GemmOn {
  Shared() : GemmOn(withSharedMemories(smallMesh(3, 2), "y")) {}

  std::int64_t bytesOf(const Mapping& m) const {
    return localMemoryBytes(p.nest, m, tilingOf(m, p.kernel, p.hw), p.hw);
  }
  std::vector<DimMask> sharedIn(std::size_t input, const std::string& text) const {
    const auto constraints = resolved(text);
    EXPECT_TRUE(constraints) << render(constraints.diagnostics());
    std::vector<DimMask> all;
    for (const InputMovement& move : inputOptions(p.nest, input, base(), p.hw, *constraints)) {
      if (std::ranges::find(all, move.shared) == all.end()) all.push_back(move.shared);
    }
    return all;
  }
};

TEST_F(Shared, IsPossibleWhereTheTileAndTheMemoryAreTheSame) {
  EXPECT_EQ(sharedIn(0, ""), (std::vector<DimMask>{0, kY}));
  EXPECT_EQ(sharedIn(1, ""), std::vector<DimMask>{0}) << "the cores along x have other memories";
  p = onMesh(smallMesh(3, 2));
  EXPECT_EQ(sharedIn(0, ""), std::vector<DimMask>{0}) << "every core has its own memory";
  p = onMesh(withSharedMemories(smallMesh(3, 2), "xy"));
  EXPECT_EQ(sharedIn(0, ""), (std::vector<DimMask>{0, kY}));
  EXPECT_EQ(sharedIn(1, ""), (std::vector<DimMask>{0, kX}));
}

TEST_F(Shared, DoesNotGoWithAMulticastAlongTheSameDimension) {
  bool along = false, across = false;
  for (const InputMovement& move : inputOptions(p.nest, 0, base(), p.hw, {})) {
    EXPECT_EQ(move.along & move.shared, 0U);
    along = along || move.along == kY;
    across = across || move.shared == kY;
  }
  EXPECT_TRUE(along && across);
}

// Tiles of A, B and C are 4 x 4 elements of two bytes; A and B have two buffers.
TEST_F(Shared, MemoryCountsTheBuffersOfAllItsCores) {
  Mapping m = base();
  EXPECT_EQ(bytesOf(m), 2 * (64 + 64 + 32));
  m.inputs[0].shared = kY;
  EXPECT_EQ(bytesOf(m), 64 + 2 * (64 + 32));
  Mapping rows = base();
  rows.space[1] = LoopId();
  EXPECT_EQ(bytesOf(rows), 64 + 64 + 32) << "one core of each pair works";
  p = onMesh(withSharedMemories(smallMesh(2, 4), "y"));
  EXPECT_EQ(bytesOf(m), 64 + 4 * (64 + 32));
}

TEST_F(Shared, WhatOnlyFitsOnceFits) {
  Mapping m = base();
  p = onMesh(withSharedMemories(smallMesh(3, 2, 2, 300), "y"));
  const std::string errors = render(checkMapping(p.kernel, p.nest, p.hw, m));
  EXPECT_NE(errors.find("needs 320 bytes of local memory, an instance of l1 has 300"),
            std::string::npos)
      << errors;
  m.inputs[0].shared = kY;
  EXPECT_EQ(render(checkMapping(p.kernel, p.nest, p.hw, m)), "");
}

TEST_F(Shared, DirectivesPinForbidAndRoundTrip) {
  EXPECT_EQ(sharedIn(0, "shared(A, y)\n"), std::vector<DimMask>{kY});
  EXPECT_EQ(sharedIn(0, "shared(A, none)\n"), std::vector<DimMask>{0});
  EXPECT_EQ(sharedIn(0, "not shared(A, y)\n"), std::vector<DimMask>{0});
  EXPECT_EQ(sharedIn(0, "not shared(A, none)\n"), std::vector<DimMask>{kY});
  for (const InputMovement& chosen : inputOptions(p.nest, 0, base(), p.hw, {})) {
    Mapping m = base();
    m.inputs[0] = chosen;
    ASSERT_EQ(render(checkMapping(p.kernel, p.nest, p.hw, m)), "");
    const auto again = resolved(printDirectives(p.kernel, p.nest, p.hw, m));
    ASSERT_TRUE(again) << render(again.diagnostics());
    EXPECT_EQ(inputOptions(p.nest, 0, m, p.hw, *again), std::vector<InputMovement>{chosen});
  }
}

TEST_F(Shared, OneLineSaysIt) {
  Mapping m = base();
  m.inputs[0].shared = kY;
  const std::string line = describe(p.kernel, p.nest, p.hw, m);
  EXPECT_NE(line.find("A direct shared y ×2"), std::string::npos) << line;
}

TEST_F(Shared, DirectivesThatCannotHoldAreRefused) {
  const auto errors = [&](const std::string& text) {
    const auto constraints = resolved(text);
    return constraints ? "" : render(constraints.diagnostics());
  };
  EXPECT_NE(errors("shared(A, x)\n").find("cores along `x` do not share a local memory"),
            std::string::npos)
      << errors("shared(A, x)\n");
  EXPECT_NE(errors("shared(A, x)\n").find("those along y do"), std::string::npos);
  EXPECT_NE(errors("shared(A, z)\n").find("has no dimension `z`"), std::string::npos);
  EXPECT_NE(errors("shared(C, y)\n").find("not an input"), std::string::npos);
  EXPECT_NE(errors("shared(A, y)\nshare(A, none)\n").find("contradicts"), std::string::npos);
  EXPECT_NE(errors("shared(A)\n").find("write `shared(A, y)`"), std::string::npos);
  p = onMesh(smallMesh(3, 2));
  EXPECT_NE(errors("shared(A, y)\n").find("every core has its own"), std::string::npos);
}

}  // namespace
}  // namespace gridloom::mapping
