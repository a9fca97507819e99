// SPDX-License-Identifier: Apache-2.0
#include "traffic/channel_window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/problem.h"
#include "timing/interleaving.h"

namespace gridloom::traffic {
namespace {

using kernel::LoopId;
using kernel::Operand;
using mapping::LoopTiling;
using mapping::TensorLayout;

/// Walks through all transfers of one core, page by page.
class Walk {
 public:
  Walk(const test::Problem& problem, const TiledSpace& space, const Operand& operand,
       std::uint64_t outside)
      : m_problem(problem), m_space(space), m_operand(operand), m_outside(outside) {}

  /// Bytes per channel of the transfers of the core at these coordinates.
  std::vector<double> of(const std::vector<std::int64_t>& core) {
    m_bytes.assign(static_cast<std::size_t>(m_problem.hw.global().channels), 0);
    std::int64_t first = 0;
    for (const LoopId loop : m_operand.loops) first += unrollIndex(loop, core);
    walk(0, first, 1);
    return m_bytes;
  }

 private:
  bool isOutside(LoopId loop) const { return (m_outside >> loop.index() & 1) != 0; }
  const LoopTiling& tiling(LoopId loop) const { return m_space.tiling.loops[loop.index()]; }

  std::int64_t unrollIndex(LoopId loop, const std::vector<std::int64_t>& core) const {
    std::int64_t index = 0;
    for (const std::size_t d : m_space.mapping.dimOrder) {
      if (m_space.mapping.space[d] == loop)
        index = index * m_problem.hw.dims()[d].size + core[d];
    }
    return index;
  }

  // `elements`: of the tiles of the loops so far, as the core at coordinate 0 has them.
  void walk(std::size_t at, std::int64_t diagonal, std::int64_t elements) {
    if (at == m_operand.loops.size()) return transfer(diagonal, elements);
    const LoopId loop = m_operand.loops[at];
    const LoopTiling& t = tiling(loop);
    std::int64_t inside = 0;
    for (std::int64_t n = 0; n < t.trips; ++n) {
      const std::int64_t tile = m_space.tiling.elementsOf(loop, n * t.unroll);
      if (isOutside(loop))
        walk(at + 1, diagonal + n * t.unroll, elements * tile);
      else
        inside += tile;
    }
    if (!isOutside(loop)) walk(at + 1, diagonal, elements * inside);
  }

  void transfer(std::int64_t diagonal, std::int64_t elements) {
    const std::int64_t bytes = kernel::bytesOf(m_operand.dtype, elements);
    const hardware::GlobalMemory& memory = m_problem.hw.global();
    for (std::int64_t unit = 0; unit * memory.interleave < bytes; ++unit) {
      const std::int64_t channel = timing::channelOf(diagonal, unit, memory.channels);
      m_bytes[static_cast<std::size_t>(channel)] +=
          static_cast<double>(std::min(memory.interleave, bytes - unit * memory.interleave));
    }
  }

  const test::Problem& m_problem;
  const TiledSpace& m_space;
  const Operand& m_operand;
  std::uint64_t m_outside;
  std::vector<double> m_bytes;
};

/// What a window says of the bytes of a core, to those of its fullest channel.
std::vector<double> sharesOf(const ChannelWindow& window, const std::vector<std::int64_t>& core,
                             std::size_t channels) {
  std::vector<double> shares(channels, 0);
  std::int64_t first = 0;
  for (std::size_t d = 0; d < core.size(); ++d) first += window.step[d] * core[d];
  const auto most = static_cast<double>(std::ranges::max(window.parts));
  for (std::size_t n = 0; n < window.offsets.size(); ++n) {
    const auto at = static_cast<std::size_t>(first + window.offsets[n]) % channels;
    shares[at] = static_cast<double>(window.parts[n]) / most;
  }
  return shares;
}

std::vector<const Operand*> operandsOf(const kernel::TileNest& nest) {
  std::vector<const Operand*> all;
  for (const Operand& operand : nest.inputs) all.push_back(&operand);
  for (const Operand& operand : nest.outputs) all.push_back(&operand);
  return all;
}

TEST(ChannelWindows, AreThoseOfEveryPageWalked) {
  int windows = 0, uneven = 0;
  for (const int channels : {2, 3, 4, 5}) {
    const auto p = test::makeProblem(test::smallMesh(4, 2, channels), "gemm",
                                     {{"M", 72}, {"N", 40}, {"K", 24}});
    const ChannelWindows all(p.nest, p.hw);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const mapping::Mapping mapping = test::randomMapping(p, seed);
      if (mapping.inputs.empty()) continue;
      const mapping::Tiling tiling = mapping::tilingOf(mapping, p.kernel, p.hw);
      const TiledSpace space{mapping, tiling, tiling.active};
      const std::vector<ChannelWindow> listed = all.all(space, false);
      for (const Operand* operand : operandsOf(p.nest)) {
        for (std::uint64_t outside = 0; outside < 8; ++outside) {
          const auto window = all.of(space, *operand, outside, TensorLayout::PageInterleaved);
          Walk walk(p, space, *operand, outside);
          const std::vector<std::int64_t> core{tiling.active[0] - 1, tiling.active[1] - 1};
          const std::vector<double> bytes = walk.of(core);
          EXPECT_EQ(!window, std::ranges::find(bytes, 0.0) == bytes.end());
          if (!window) continue;
          ++windows;
          EXPECT_TRUE(std::ranges::binary_search(listed, *window));
          const std::vector<double> shares = sharesOf(*window, core, bytes.size());
          const double most = std::ranges::max(bytes);
          for (std::size_t c = 0; c < bytes.size(); ++c) {
            EXPECT_EQ(shares[c] > 0, bytes[c] > 0);
            EXPECT_NEAR(shares[c], bytes[c] / most, 1.0 / kMostParts);
          }
          if (std::ranges::max(window->parts) > 1) ++uneven;
        }
      }
    }
  }
  EXPECT_GT(windows, 500);
  EXPECT_GT(uneven, 50);
}

}  // namespace
}  // namespace gridloom::traffic
