// SPDX-License-Identifier: Apache-2.0
#include "cost/channel_balance.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "cost/edge_tile_fraction.h"

namespace gridloom::cost {

namespace {

// Every entry becomes the sum of itself and the `count` - 1 entries before it, cyclically.
std::vector<double> windowSums(const std::vector<double>& parts, std::int64_t count) {
  const auto size = static_cast<std::int64_t>(parts.size());
  std::vector<double> sums(parts.size(), 0.0);
  double all = 0, window = 0;
  for (const double part : parts) all += part;
  const std::int64_t rest = count % size;
  for (std::int64_t n = size - rest; n < size; ++n) window += parts[static_cast<std::size_t>(n)];
  for (std::int64_t n = 0; n < size; ++n) {
    window += parts[static_cast<std::size_t>(n)] -
              parts[static_cast<std::size_t>((n + size - rest) % size)];
    sums[static_cast<std::size_t>(n)] = window + static_cast<double>(count / size) * all;
  }
  return sums;
}

}  // namespace

std::vector<double> firstChannels(const TiledCandidate& s, const kernel::Operand& operand,
                                  int level, std::int64_t channels) {
  const auto tilesOf = [&](kernel::LoopId loop) {
    const mapping::LoopTiling& t = s.tiling.loops[loop.index()];
    return t.trips == 1 || isOutside(s, loop, level) ? t.tiles : t.unroll;
  };
  for (const kernel::LoopId loop : operand.loops) {
    if (tilesOf(loop) % channels == 0) return {};
  }
  std::vector<double> parts(static_cast<std::size_t>(channels), 0.0);
  parts[0] = 1;
  for (const kernel::LoopId loop : operand.loops) {
    const std::int64_t tiles = tilesOf(loop);
    if (tiles == 1) continue;
    parts = windowSums(parts, tiles);
    for (double& part : parts) part /= static_cast<double>(tiles);
  }
  return parts;
}

double busiestShare(const std::vector<double>& first, double pages) {
  if (first.empty()) return 0;
  const auto full = static_cast<std::int64_t>(std::floor(pages));
  std::vector<double> loads = windowSums(first, full);
  const double last = pages - static_cast<double>(full);
  const std::size_t size = loads.size();
  for (std::size_t n = 0; n < size; ++n) {
    loads[(n + static_cast<std::size_t>(full)) % size] += last * first[n];
  }
  return *std::max_element(loads.begin(), loads.end()) / pages;
}

double busiestShareAt(const TiledCandidate& s, const kernel::Operand& operand, int level,
                      std::int64_t channels, double pages) {
  const std::uint64_t outside = s.outside[static_cast<std::size_t>(level)];
  const std::uint64_t hash =
      (outside * 31 + std::hash<const kernel::Operand*>{}(&operand)) * 0x9e3779b97f4a7c15ULL;
  ChannelShare& known = s.channelShares[hash >> 60];
  if (known.operand != &operand || known.outside != outside || known.pages != pages) {
    known = {&operand, outside, pages,
             busiestShare(firstChannels(s, operand, level, channels), pages)};
  }
  return known.share;
}

}  // namespace gridloom::cost
