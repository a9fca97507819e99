// SPDX-License-Identifier: Apache-2.0
#include "traffic/channel_window.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/units.h"

namespace gridloom::traffic {

using kernel::LoopId;
using kernel::Operand;
using mapping::LoopTiling;

namespace {

/// Windows up to so many channels are counted one by one, wider ones by powers of two: machines
/// with hundreds of channels have few different ones then.
constexpr std::int64_t kCounted = 8;
/// Loops of an operand whose orders are all gone through. Every tile of a loop begins one channel
/// later, so more loops reach more channels than this.
constexpr std::size_t kMostLoops = 8;

std::int64_t rounded(std::int64_t count) {
  if (count <= kCounted) return count;
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(count)));
}

std::uint64_t bitOf(LoopId loop) { return std::uint64_t{1} << loop.index(); }

// First channels that a core begins at over all of its transfers, and the bytes of one of them.
struct Reach {
  std::int64_t starts = 1;
  std::int64_t bytes = 1, tiles = 1;
};

Reach reachOf(const TiledSpace& s, const Operand& operand, std::uint64_t outside) {
  Reach reach;
  reach.bytes = regionBytes(operand, s.tiling.tileSizes);
  for (const LoopId loop : operand.loops) {
    const LoopTiling& t = s.tiling.loops[loop.index()];
    if (t.trips == 1) continue;
    if ((outside & bitOf(loop)) != 0) {
      reach.starts += (t.trips - 1) * t.unroll;
    } else {
      reach.tiles *= t.trips;
      reach.bytes = base::saturatingMul(reach.bytes, t.trips);
    }
  }
  return reach;
}

// By how many channels the tiles of neighbours along each mesh dimension are apart.
std::vector<std::int64_t> stepsOf(const TiledSpace& s, const Operand& operand,
                                  const hardware::Topology& hw) {
  std::vector<std::int64_t> steps(hw.dims().size(), 0);
  for (const LoopId loop : operand.loops) {
    std::int64_t stride = 1;
    for (std::size_t n = s.mapping.dimOrder.size(); n-- > 0;) {
      const std::size_t d = s.mapping.dimOrder[n];
      if (s.mapping.space[d] != loop) continue;
      if (s.active[d] > 1) steps[d] = stride;
      stride *= hw.dims()[d].size;
    }
  }
  return steps;
}

}  // namespace

ChannelWindows::ChannelWindows(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                               const hardware::Topology& hw)
    : m_hw(hw) {
  std::vector<std::int64_t> extents;
  for (const kernel::Loop& loop : kernel.loops) extents.push_back(loop.extent);
  for (const Operand& operand : nest.inputs) {
    if (maySmall(operand, extents)) m_small.push_back(&operand);
  }
  for (const Operand& operand : nest.outputs) {
    if (maySmall(operand, extents)) m_small.push_back(&operand);
  }
}

// Cut into t tiles along each of n loops, P pages reach P / t^n + n (t - 1) channels or more:
// fewest with t^(n+1) = P.
bool ChannelWindows::maySmall(const Operand& operand,
                              const std::vector<std::int64_t>& extents) const {
  const double pages = static_cast<double>(regionBytes(operand, extents)) /
                       static_cast<double>(m_hw.global().interleave);
  const auto loops = static_cast<double>(operand.loops.size());
  const double tiles = std::max(1.0, std::pow(pages, 1 / (loops + 1)));
  const double fewest = pages / std::pow(tiles, loops) + loops * (tiles - 1);
  return fewest < static_cast<double>(m_hw.global().channels);
}

std::optional<ChannelWindow> ChannelWindows::of(const TiledSpace& s, const Operand& operand,
                                                std::uint64_t outside,
                                                mapping::TensorLayout layout) const {
  if (layout != mapping::TensorLayout::PageInterleaved &&
      layout != mapping::TensorLayout::TileInterleaved)
    return std::nullopt;
  const Reach reach = reachOf(s, operand, outside);
  const std::int64_t units = layout == mapping::TensorLayout::TileInterleaved
                                 ? reach.tiles
                                 : base::ceilDiv(reach.bytes, m_hw.global().interleave);
  ChannelWindow window{rounded(base::saturatingAdd(reach.starts - 1, units)), {}};
  const std::int64_t channels = m_hw.global().channels;
  if (window.count >= channels) return std::nullopt;
  window.step = stepsOf(s, operand, m_hw);
  std::int64_t all = window.count;
  for (std::size_t d = 0; d < window.step.size(); ++d) all += window.step[d] * (s.active[d] - 1);
  if (all >= channels) return std::nullopt;
  return window;
}

std::vector<ChannelWindow> ChannelWindows::all(const TiledSpace& s, bool tiles) const {
  std::vector<ChannelWindow> windows;
  for (const Operand* operand : m_small) {
    std::vector<std::uint64_t> sets{0};
    for (const LoopId loop : operand->loops) {
      if (s.tiling.loops[loop.index()].trips == 1) continue;
      if (sets.size() >> kMostLoops != 0) break;
      const std::size_t without = sets.size();
      for (std::size_t n = 0; n < without; ++n) sets.push_back(sets[n] | bitOf(loop));
    }
    for (const std::uint64_t outside : sets) {
      if (auto window = of(s, *operand, outside, mapping::TensorLayout::PageInterleaved))
        windows.push_back(*std::move(window));
      if (!tiles) continue;
      if (auto window = of(s, *operand, outside, mapping::TensorLayout::TileInterleaved))
        windows.push_back(*std::move(window));
    }
  }
  std::ranges::sort(windows);
  windows.erase(std::ranges::unique(windows).begin(), windows.end());
  return windows;
}

}  // namespace gridloom::traffic
