// SPDX-License-Identifier: Apache-2.0
#include "traffic/channel_window.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/units.h"
#include "timing/interleaving.h"

namespace gridloom::traffic {

using kernel::LoopId;
using kernel::Operand;
using mapping::LoopTiling;

namespace {

/// Of memories with more channels, windows are taken to have no gaps and as many channels as a
/// power of two: there are few different ones then.
constexpr std::int64_t kCounted = 64;
/// Loops of an operand whose orders are all gone through. Every tile of a loop begins one channel
/// later, so more loops reach more channels than this.
constexpr std::size_t kMostLoops = 8;

/// Routes of cores that together use all channels, each some of them. Of more, all channels are
/// taken to have as much.
constexpr std::int64_t kMostRoutes = 1 << 14;

std::uint64_t bitOf(LoopId loop) { return std::uint64_t{1} << loop.index(); }

// Bytes of one transfer with the loops of `outside` around it.
std::int64_t transferBytes(const TiledSpace& s, const Operand& operand, std::uint64_t outside) {
  std::int64_t bytes = regionBytes(operand, s.tiling.tileSizes);
  for (const LoopId loop : operand.loops) {
    if ((outside & bitOf(loop)) != 0) continue;
    bytes = base::saturatingMul(bytes, s.tiling.loops[loop.index()].trips);
  }
  return bytes;
}

// Adds to each of the marked channels those `stride` apart from it, up to `count` in all.
void repeat(std::vector<std::uint8_t>& marked, std::int64_t stride, std::int64_t count) {
  const auto channels = static_cast<std::int64_t>(marked.size());
  const std::vector<std::uint8_t> before = marked;
  for (std::int64_t n = 1; n < std::min(count, channels); ++n) {
    const auto shift = static_cast<std::size_t>(n * (stride % channels) % channels);
    for (std::size_t c = 0; c < before.size(); ++c) {
      if (before[c] != 0) marked[(c + shift) % before.size()] = 1;
    }
  }
}

// Channels that the transfers of the core at coordinate 0 use, each of `units` pages or tiles.
std::vector<std::int64_t> offsetsOf(const TiledSpace& s, const Operand& operand,
                                    std::uint64_t outside, std::int64_t units,
                                    std::int64_t channels) {
  std::vector<std::int64_t> offsets;
  if (channels > kCounted) {
    std::int64_t reach = units;
    for (const LoopId loop : operand.loops) {
      const LoopTiling& t = s.tiling.loops[loop.index()];
      if ((outside & bitOf(loop)) != 0)
        reach = base::saturatingAdd(reach, (t.trips - 1) * t.unroll);
    }
    if (reach >= channels) return {};
    const auto count = std::bit_ceil(static_cast<std::uint64_t>(reach));
    for (std::uint64_t n = 0; n < count; ++n) offsets.push_back(static_cast<std::int64_t>(n));
    return offsets.size() < static_cast<std::size_t>(channels) ? offsets
                                                               : std::vector<std::int64_t>{};
  }
  std::vector<std::uint8_t> marked(static_cast<std::size_t>(channels), 0);
  marked[0] = 1;
  repeat(marked, 1, units);
  for (const LoopId loop : operand.loops) {
    const LoopTiling& t = s.tiling.loops[loop.index()];
    if ((outside & bitOf(loop)) != 0) repeat(marked, t.unroll, t.trips);
  }
  for (std::int64_t c = 0; c < channels; ++c) {
    if (marked[static_cast<std::size_t>(c)] != 0) offsets.push_back(c);
  }
  return offsets.size() < marked.size() ? offsets : std::vector<std::int64_t>{};
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
  if (!timing::isInterleaved(layout)) return std::nullopt;
  const std::int64_t transfer = transferBytes(s, operand, outside);
  const std::int64_t channels = m_hw.global().channels;
  const std::int64_t unit =
      timing::unitBytes(layout, m_hw.global(), regionBytes(operand, s.tiling.tileSizes), transfer);
  ChannelWindow window{offsetsOf(s, operand, outside, base::ceilDiv(transfer, unit), channels), {}};
  if (window.offsets.empty()) return std::nullopt;
  window.step = stepsOf(s, operand, m_hw);
  auto routes = static_cast<std::int64_t>(window.offsets.size());
  std::int64_t all = window.offsets.back() + 1;
  for (std::size_t d = 0; d < window.step.size(); ++d) {
    all += window.step[d] * (s.active[d] - 1);
    routes *= s.active[d];
    window.step[d] = timing::channelStep(window.step[d], channels);
  }
  if (all >= channels && routes > kMostRoutes) return std::nullopt;
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
