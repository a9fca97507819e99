// SPDX-License-Identifier: Apache-2.0
#include "access/access_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "access/tile_window.h"
#include "nest_oracle.h"
#include "support/problem.h"

namespace gridloom::access {
namespace {

const char* const kConv =
    "kernel conv(C = 2, K = 2, R = 3, P = 4) {\n"
    "  tensor W[C, K, R]: i8\n  tensor I[C, P + R - 1]: i8\n  tensor O[K, P]: i8\n"
    "  O[k, p] = sum(c, r) W[c, k, r] * I[c, p + r]\n}\n";

kernel::Kernel kernelOf(const std::string& text, test::Settings settings = {}) {
  return test::makeProblem(test::smallMesh(2, 2), text, settings).kernel;
}

kernel::LoopId loopNamed(const kernel::Kernel& kernel, const std::string& name) {
  for (std::size_t i = 0; i < kernel.loops.size(); ++i) {
    if (kernel.loops[i].name == name) return kernel::LoopId::of(i);
  }
  return {};
}

/// Every loop split into factors, assigned to the levels in time or space, in random order.
access::MemoryNest randomNest(const kernel::Kernel& kernel, std::size_t levels, bool spreads,
                              std::mt19937& random) {
  access::MemoryNest nest;
  for (std::size_t i = 0; i < levels; ++i) {
    nest.levels.push_back({"M" + std::to_string(i), {}, {}, {}});
  }
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  std::vector<std::pair<kernel::LoopId, std::int64_t>> factors;
  for (std::size_t i = 0; i < kernel.loops.size(); ++i) {
    std::int64_t left = kernel.loops[i].extent;
    for (const std::int64_t prime : {2, 3, 5}) {
      for (; left % prime == 0; left /= prime) factors.emplace_back(kernel::LoopId::of(i), prime);
    }
  }
  std::shuffle(factors.begin(), factors.end(), random);
  for (const auto& [loop, trips] : factors) {
    access::NestLevel& level = nest.levels[below(levels)];
    if (spreads && below(3) == 0) {
      level.spatialLoops.push_back({loop, trips, static_cast<int>(below(2))});
    } else {
      level.loops.push_back({loop, trips});
    }
  }
  return nest;
}

TEST(TileWindow, FetchesWhatASlidingTileDoesNotCover) {
  TileWindow window({3});
  EXPECT_EQ(window.moveTo({0}).elements(), 3);
  EXPECT_EQ(window.moveTo({1}), (Box{{3}, {1}}));
  EXPECT_EQ(window.moveTo({2}), (Box{{4}, {1}}));
  EXPECT_EQ(window.moveTo({0}).elements(), 3) << "the stride changed";
  EXPECT_EQ(window.moveTo({0}).elements(), 0) << "it stays";
}

TEST(TileWindow, FetchesTheWholeTileWhenItMovesAway) {
  TileWindow window({2, 2});
  EXPECT_EQ(window.moveTo({0, 0}).elements(), 4);
  EXPECT_EQ(window.moveTo({1, 1}).elements(), 4) << "along two axes";
  TileWindow back({4});
  EXPECT_EQ(back.moveTo({8}).elements(), 4);
  EXPECT_EQ(back.moveTo({6}), (Box{{6}, {2}})) << "backwards";
  EXPECT_EQ(back.moveTo({4}), (Box{{4}, {2}}));
}

TEST(AccessCounts, AgreeWithANestThatIsWalkedPointByPoint) {
  const std::array kernels{
      kernelOf(kConv), kernelOf(kConv, {{"R", 2}, {"P", 6}}),
      kernelOf("kernel strided(R = 4, P = 4) {\n  tensor W[R]: i8\n  tensor I[2 * P + R]: i8\n"
               "  tensor O[P]: i8\n  O[p] = sum(r) W[r] * I[2 * p + r]\n}\n"),
      kernelOf("gemm", {{"M", 4}, {"N", 6}, {"K", 4}})};
  std::mt19937 random(7);
  for (int run = 0; run < 240; ++run) {
    const kernel::Kernel& kernel = kernels[static_cast<std::size_t>(run) % kernels.size()];
    const bool strided = kernel.name == "strided";
    const auto nest =
        randomNest(kernel, 1 + static_cast<std::size_t>(run) % 3, !strided && run % 2 == 0, random);
    const auto counts = countAccesses(kernel, nest, Sweep::Full);
    ASSERT_TRUE(counts);
    const auto watched = test::watchNest(kernel, nest);
    const std::size_t written = counts->tensors.size() - 1;
    for (std::size_t level = 0; level < watched.size(); ++level) {
      for (std::size_t i = 0; i <= written; ++i) {
        SCOPED_TRACE(kernel.name + ", run " + std::to_string(run) + ", level " +
                     std::to_string(level) + ", tensor " + std::to_string(i));
        // The box of a strided access also contains the elements in between.
        if (strided && i == 1) continue;
        const TensorAccesses& ours = counts->levels[level].tensors[i];
        const test::WatchedAccesses& seen = watched[level][i];
        const test::WatchedAccesses* outside = level > 0 ? &watched[level - 1][i] : nullptr;
        double unroll = 1;
        if (level > 0) {
          for (const auto& spatial : nest.levels[level - 1].spatialLoops)
            unroll *= static_cast<double>(spatial.unroll);
        }
        const double got = outside == nullptr ? 0 : std::floor(outside->handedOn / unroll);
        const double arriving = outside == nullptr ? 0 : outside->arriving + got;
        if (i < written) {
          EXPECT_EQ(ours.reads, seen.accesses + got);
          EXPECT_EQ(ours.fills, arriving);
        } else {
          EXPECT_EQ(ours.updates, seen.accesses);
          EXPECT_EQ(ours.part, seen.distinct);
          EXPECT_EQ(ours.reads, seen.accesses + got - seen.distinct);
          EXPECT_EQ(ours.fills, outside == nullptr ? 0 : arriving - seen.distinct);
        }
      }
    }
  }
}

TEST(AccessCounts, TheSecondIterationStandsForTheRestWithoutSlidingWindows) {
  const auto kernel = kernelOf("gemm", {{"M", 12}, {"N", 8}, {"K", 18}});
  std::mt19937 random(3);
  for (int run = 0; run < 100; ++run) {
    const auto nest = randomNest(kernel, 3, run % 2 == 0, random);
    const auto steady = countAccesses(kernel, nest);
    const auto full = countAccesses(kernel, nest, Sweep::Full);
    for (std::size_t level = 0; level < 3; ++level) {
      for (std::size_t i = 0; i < 3; ++i) {
        const TensorAccesses& a = steady->levels[level].tensors[i];
        const TensorAccesses& b = full->levels[level].tensors[i];
        EXPECT_EQ(a.reads, b.reads) << run;
        EXPECT_EQ(a.fills, b.fills) << run;
        EXPECT_EQ(a.updates, b.updates) << run;
      }
    }
  }
}

TEST(AccessCounts, ABypassedMemoryIsAsGoodAsNone) {
  const auto kernel = kernelOf(kConv, {{"C", 4}, {"K", 6}, {"P", 12}});
  std::mt19937 random(5);
  for (int run = 0; run < 60; ++run) {
    auto nest = randomNest(kernel, 3, false, random);
    auto without = nest;
    auto& outer = without.levels[0].loops;
    outer.insert(outer.end(), without.levels[1].loops.begin(), without.levels[1].loops.end());
    without.levels.erase(without.levels.begin() + 1);
    const auto accesses = access::nestAccesses(kernel);
    for (const kernel::Access* access : accesses) nest.levels[1].bypassed.push_back(access->tensor);
    const auto passed = countAccesses(kernel, nest, Sweep::Full);
    const auto absent = countAccesses(kernel, without, Sweep::Full);
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      EXPECT_FALSE(passed->levels[1].tensors[i].kept);
      for (const auto& [a, b] : {std::pair{0, 0}, {2, 1}}) {
        const TensorAccesses& x = passed->levels[static_cast<std::size_t>(a)].tensors[i];
        const TensorAccesses& y = absent->levels[static_cast<std::size_t>(b)].tensors[i];
        EXPECT_EQ(x.reads, y.reads) << run;
        EXPECT_EQ(x.fills, y.fills) << run;
        EXPECT_EQ(x.updates, y.updates) << run;
      }
    }
  }
}

TEST(AccessCounts, MulticastAndSumsOnTheWayCountOnce) {
  const auto kernel = kernelOf("gemm", {{"M", 4}, {"N", 4}, {"K", 4}});
  access::MemoryNest nest;
  nest.levels.push_back(
      {"outer", {}, {{loopNamed(kernel, "j"), 4, 0}, {loopNamed(kernel, "k"), 4, 1}}, {}});
  nest.levels.push_back({"inner", {{loopNamed(kernel, "i"), 4}}, {}, {}});
  const auto counts = countAccesses(kernel, nest);
  ASSERT_TRUE(counts);
  const auto& outer = counts->levels[0].tensors;
  EXPECT_EQ(outer[0].reads, 16) << "A goes to all columns at once";
  EXPECT_EQ(outer[0].sharers, 4);
  EXPECT_EQ(outer[1].reads, 16) << "every core has its own element of B";
  EXPECT_EQ(outer[2].updates, 16) << "partial sums are added on their way out";
  EXPECT_EQ(outer[2].reads, 0);
  EXPECT_EQ(counts->levels[1].instances, 16);
  EXPECT_EQ(counts->steps, 4);
}

TEST(AccessCounts, RefusesWalksWithoutEnd) {
  const auto kernel = kernelOf("gemm", {{"M", 1024}, {"N", 1024}, {"K", 1024}});
  std::mt19937 random(1);
  const auto nest = randomNest(kernel, 1, false, random);
  EXPECT_FALSE(countAccesses(kernel, nest));
}

}  // namespace
}  // namespace gridloom::access
