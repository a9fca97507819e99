// SPDX-License-Identifier: Apache-2.0
#include "traffic/channel_window.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

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
/// Loops of an operand whose orders are all gone through. Where there are more, transfers without a
/// window of their own are taken to use all channels.
constexpr std::size_t kMostLoops = 8;

/// Routes of cores that together use all channels, each some of them. Of more, all channels are
/// taken to have as much.
constexpr std::int64_t kMostRoutes = 1 << 14;
/// Routes of cores to few channels. Of more, on a wafer, all channels are taken to be used alike.
constexpr std::int64_t kMostRoutesToFew = 1 << 18;

std::uint64_t bitOf(LoopId loop) { return std::uint64_t{1} << loop.index(); }

// Bytes of one transfer with the loops of `outside` around it, on the core at coordinate 0. Along
// the other loops it has all tiles, and the last may be an edge tile.
std::int64_t transferBytes(const TiledSpace& s, const Operand& operand, std::uint64_t outside) {
  auto bytes = static_cast<double>(regionBytes(operand, s.tiling.tileSizes));
  for (const LoopId loop : operand.loops) {
    if ((outside & bitOf(loop)) != 0) continue;
    const LoopTiling& t = s.tiling.loops[loop.index()];
    const auto last = static_cast<double>(s.tiling.elementsOf(loop, (t.trips - 1) * t.unroll));
    bytes *= static_cast<double>(t.trips - 1) + last / static_cast<double>(t.tileSize);
  }
  constexpr double kMost = 1e18;
  return std::max<std::int64_t>(1, std::llround(std::min(bytes, kMost)));
}

// Bytes of one transfer, and of the pages or tiles that it consists of.
struct TransferUnits {
  std::int64_t transfer = 0, unit = 1;
  std::int64_t count() const { return base::ceilDiv(transfer, unit); }
};

// Bytes per channel of `count` transfers, each of which begins `stride` channels behind the one
// before and has its bytes as `one`.
std::vector<double> repeated(const std::vector<double>& one, std::int64_t stride,
                             std::int64_t count) {
  const auto channels = static_cast<std::int64_t>(one.size());
  const std::int64_t apart = stride % channels;
  const std::int64_t period = apart == 0 ? 1 : channels / std::gcd(apart, channels);
  std::vector<double> all(one.size(), 0);
  for (std::int64_t n = 0; n < std::min(count, period); ++n) {
    const auto times = static_cast<double>(base::ceilDiv(count - n, period));
    const auto shift = static_cast<std::size_t>(n * apart % channels);
    for (std::size_t c = 0; c < one.size(); ++c) all[(c + shift) % one.size()] += times * one[c];
  }
  return all;
}

// Where there are too many channels to count each: a power of two of them, without gaps.
void setUncounted(const TiledSpace& s, const Operand& operand, std::uint64_t outside,
                  const TransferUnits& units, std::int64_t channels, ChannelWindow& window) {
  std::int64_t reach = units.count();
  for (const LoopId loop : operand.loops) {
    const LoopTiling& t = s.tiling.loops[loop.index()];
    if ((outside & bitOf(loop)) != 0) reach = base::saturatingAdd(reach, (t.trips - 1) * t.unroll);
  }
  if (reach >= channels) return;
  const std::uint64_t count = std::bit_ceil(static_cast<std::uint64_t>(reach));
  if (count >= static_cast<std::uint64_t>(channels)) return;
  window.offsets.resize(count);
  std::iota(window.offsets.begin(), window.offsets.end(), 0);
  window.parts.assign(count, 1);
}

// Whether the transfers of a core use all channels, of 64 at the most: bit c stands for channel c.
bool reachesAll(const TiledSpace& s, const Operand& operand, std::uint64_t outside,
                const TransferUnits& units, std::int64_t channels) {
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - channels);
  const std::int64_t first = std::min(units.count(), channels);
  std::uint64_t used = ~std::uint64_t{0} >> (64 - first);
  for (const LoopId loop : operand.loops) {
    if (used == all) return true;
    if ((outside & bitOf(loop)) == 0) continue;
    const LoopTiling& t = s.tiling.loops[loop.index()];
    const std::int64_t apart = t.unroll % channels;
    for (std::int64_t n = 1; apart != 0 && n < std::min(t.trips, channels); ++n) {
      const std::uint64_t next = used | used << apart | used >> (channels - apart);
      if (((next ^ used) & all) == 0) break;
      used = next & all;
    }
  }
  return used == all;
}

// Sets the channels that the transfers of the core at coordinate 0 use, all of them taken to be as
// the first one; leaves the window empty where they use all.
void setChannels(const TiledSpace& s, const Operand& operand, std::uint64_t outside,
                 const TransferUnits& units, std::int64_t channels, ChannelWindow& window) {
  if (channels > kCounted) return setUncounted(s, operand, outside, units, channels, window);
  if (reachesAll(s, operand, outside, units, channels)) return;
  std::vector<double> bytes(static_cast<std::size_t>(channels), 0);
  bytes[0] = static_cast<double>(units.unit);
  bytes = repeated(bytes, 1, units.count());
  // The last one is not always full.
  const std::int64_t full = base::saturatingMul(units.count(), units.unit);
  bytes[static_cast<std::size_t>((units.count() - 1) % channels)] -=
      static_cast<double>(full - units.transfer);
  for (const LoopId loop : operand.loops) {
    const LoopTiling& t = s.tiling.loops[loop.index()];
    if ((outside & bitOf(loop)) != 0) bytes = repeated(bytes, t.unroll, t.trips);
  }
  const double most = std::ranges::max(bytes);
  for (std::size_t c = 0; c < bytes.size(); ++c) {
    if (bytes[c] <= 0) continue;
    window.offsets.push_back(static_cast<std::int64_t>(c));
    window.parts.push_back(std::max(
        std::int64_t{1}, static_cast<std::int64_t>(std::round(kMostParts * bytes[c] / most))));
  }
  if (std::ranges::all_of(window.parts, [](std::int64_t n) { return n == kMostParts; }))
    window.parts.assign(window.parts.size(), 1);
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

ChannelWindows::ChannelWindows(const kernel::TileNest& nest, const hardware::Topology& hw)
    : m_hw(hw), m_nest(nest) {}

std::optional<ChannelWindow> ChannelWindows::of(const TiledSpace& s, const Operand& operand,
                                                std::uint64_t outside,
                                                mapping::TensorLayout layout) const {
  if (!timing::isInterleaved(layout)) return std::nullopt;
  const std::int64_t transfer = transferBytes(s, operand, outside);
  const std::int64_t channels = m_hw.global().channels;
  const std::int64_t unit =
      timing::unitBytes(layout, m_hw.global(), regionBytes(operand, s.tiling.tileSizes), transfer);
  ChannelWindow window;
  setChannels(s, operand, outside, {transfer, unit}, channels, window);
  if (window.offsets.empty()) return std::nullopt;
  window.step = stepsOf(s, operand, m_hw);
  auto routes = static_cast<std::int64_t>(window.offsets.size());
  std::int64_t all = window.offsets.back() + 1;
  for (std::size_t d = 0; d < window.step.size(); ++d) {
    all += window.step[d] * (s.active[d] - 1);
    routes *= s.active[d];
    window.step[d] = timing::channelStep(window.step[d], channels);
  }
  if (routes > (all >= channels ? kMostRoutes : kMostRoutesToFew)) return std::nullopt;
  return window;
}

void ChannelWindows::add(const TiledSpace& s, const Operand& operand, bool tiles,
                         std::vector<ChannelWindow>& windows) const {
  // Whatever the order is, a transfer holds a tile or more.
  const std::int64_t tile = regionBytes(operand, s.tiling.tileSizes);
  const bool pages = tile < base::saturatingMul(m_hw.global().interleave, m_hw.global().channels);
  if (!pages && !tiles) return;
  std::vector<std::uint64_t> sets{0};
  for (const LoopId loop : operand.loops) {
    if (s.tiling.loops[loop.index()].trips == 1) continue;
    if (sets.size() >> kMostLoops != 0) break;
    const std::size_t without = sets.size();
    for (std::size_t n = 0; n < without; ++n) sets.push_back(sets[n] | bitOf(loop));
  }
  for (const std::uint64_t outside : sets) {
    for (const auto layout :
         {mapping::TensorLayout::PageInterleaved, mapping::TensorLayout::TileInterleaved}) {
      const bool asked = layout == mapping::TensorLayout::PageInterleaved ? pages : tiles;
      if (!asked) continue;
      if (auto window = of(s, operand, outside, layout)) windows.push_back(*std::move(window));
    }
  }
}

std::vector<ChannelWindow> ChannelWindows::all(const TiledSpace& s, bool tiles) const {
  std::vector<ChannelWindow> windows;
  if (m_hw.global().channels == 1) return windows;
  for (const Operand& operand : m_nest.inputs) add(s, operand, tiles, windows);
  for (const Operand& operand : m_nest.outputs) add(s, operand, tiles, windows);
  std::ranges::sort(windows);
  windows.erase(std::ranges::unique(windows).begin(), windows.end());
  return windows;
}

}  // namespace gridloom::traffic
