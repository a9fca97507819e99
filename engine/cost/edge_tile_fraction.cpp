// SPDX-License-Identifier: Apache-2.0
#include "cost/edge_tile_fraction.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace gridloom::cost {

using base::ceilDiv;
using kernel::LoopId;
using kernel::Operand;
using mapping::DimMask;
using mapping::LoopTiling;

namespace {

// Positions along a spatial loop of the cores that transfer for themselves: coordinate 0 along the
// dimensions of `sharing`, every coordinate with work along the others.
std::vector<std::int64_t> positions(const TiledCandidate& s, const hardware::Topology& hw,
                                    LoopId loop, DimMask sharing) {
  std::vector<std::int64_t> all{0};
  for (const std::uint8_t d : s.mapping.dimOrder) {
    if (s.mapping.space[d] != loop) continue;
    const std::int64_t size = hw.dims()[d].size;
    const std::int64_t count = (sharing >> d & 1) ? 1 : s.active[d];
    std::vector<std::int64_t> finer;
    finer.reserve(all.size() * static_cast<std::size_t>(count));
    for (const std::int64_t outer : all) {
      for (std::int64_t c = 0; c < count; ++c) finer.push_back(outer * size + c);
    }
    all = std::move(finer);
  }
  return all;
}

// Number of these positions.
double coresOf(const TiledCandidate& s, LoopId loop, DimMask sharing) {
  double cores = 1;
  for (const std::uint8_t d : s.mapping.dimOrder) {
    if (s.mapping.space[d] == loop && !(sharing >> d & 1))
      cores *= static_cast<double>(s.active[d]);
  }
  return cores;
}

}  // namespace

bool isOutside(const TiledCandidate& s, LoopId loop, int level) {
  const auto begin = s.mapping.order.begin();
  return std::find(begin, begin + level, loop) != begin + level;
}

double tileBytes(const TiledCandidate& s, const Operand& operand) {
  return static_cast<double>(regionBytes(operand, s.tiling.tileSizes));
}

std::int64_t bufferBytes(const TiledCandidate& s, const Operand& operand, int level) {
  const std::uint64_t outside = s.outside[static_cast<std::size_t>(level)];
  const std::uint64_t hash =
      (outside * 31 + std::hash<const Operand*>{}(&operand)) * 0x9e3779b97f4a7c15ULL;
  BufferBytes& known = s.bufferBytes[hash >> 58];
  if (known.operand != &operand || known.outside != outside) {
    known = {&operand, outside, mapping::tileBytes(operand, s.tiling, s.mapping.order, level)};
  }
  return known.bytes;
}

double tilesInside(const TiledCandidate& s, const Operand& operand, int level) {
  double tiles = 1;
  for (std::size_t i = static_cast<std::size_t>(level); i < s.mapping.order.size(); ++i) {
    const LoopId loop = s.mapping.order[i];
    if (operand.dependsOn(loop)) tiles *= static_cast<double>(s.tiling.loops[loop.index()].trips);
  }
  return tiles;
}

// Full tiles along a loop that take as many bytes as its tiles do, of an operand that is gathered:
// short rows take whole requests, too.
static double fullTiles(const TiledCandidate& s, const Operand& operand, LoopId loop) {
  const LoopTiling& t = s.tiling.loops[loop.index()];
  std::vector<std::int64_t> extents = s.tiling.tileSizes;
  const auto full = static_cast<double>(regionBytes(operand, extents));
  extents[loop.index()] = s.tiling.elementsOf(loop, t.tiles - 1);
  return static_cast<double>(t.tiles - 1) +
         static_cast<double>(regionBytes(operand, extents)) / full;
}

double filledShare(const TiledCandidate& s, const hardware::Topology& hw, const Operand& operand,
                   DimMask sharing, int level) {
  double share = 1;
  for (std::size_t l = 0; l < s.tiling.loops.size(); ++l) {
    const LoopTiling& t = s.tiling.loops[l];
    const LoopId loop = LoopId::of(l);
    const auto trips = static_cast<double>(t.trips);
    const bool depends = operand.dependsOn(loop);
    if (t.unroll == 1 && !depends) continue;
    const double cores = coresOf(s, loop, sharing);
    if (depends) {
      share *= operand.gather ? fullTiles(s, operand, loop) / (trips * cores)
                              : static_cast<double>(t.extent) /
                                    (trips * cores * static_cast<double>(t.tileSize));
      continue;
    }
    // Every core has a tile in every wave.
    if (t.tiles == t.trips * t.unroll) continue;
    const auto at = positions(s, hw, loop, sharing);
    const bool perWave = isOutside(s, loop, level);
    double transfers = 0;
    for (const std::int64_t position : at) {
      const std::int64_t waves = ceilDiv(std::max<std::int64_t>(t.tiles - position, 0), t.unroll);
      transfers += perWave ? static_cast<double>(waves) / trips : (waves > 0 ? 1.0 : 0.0);
    }
    share *= transfers / cores;
  }
  return share;
}

const Transferred& transferredAt(const TiledCandidate& s, const hardware::Topology& hw,
                                 const Operand& operand, DimMask sharing, int level) {
  const std::uint64_t outside = s.outside[static_cast<std::size_t>(level)];
  const std::uint64_t hash =
      (outside * 31 + std::hash<const Operand*>{}(&operand) + sharing) * 0x9e3779b97f4a7c15ULL;
  Transferred& known = s.transferred[hash >> 58];
  if (known.operand == &operand && known.outside == outside && known.sharing == sharing)
    return known;
  known = {&operand, outside, sharing, tileBytes(s, operand) * tilesInside(s, operand, level),
           filledShare(s, hw, operand, sharing, level)};
  return known;
}

std::uint64_t raggedLoops(const mapping::Tiling& tiling) {
  std::uint64_t ragged = 0;
  for (std::size_t l = 0; l < tiling.loops.size(); ++l) {
    const LoopTiling& t = tiling.loops[l];
    if (t.extent != t.trips * t.unroll * t.tileSize) ragged |= std::uint64_t{1} << l;
  }
  return ragged;
}

EdgeShares edgeShares(const TiledCandidate& s, const Operand& operand, int level) {
  EdgeShares shares;
  for (std::uint64_t left = s.ragged; left != 0; left &= left - 1) {
    const LoopId loop = LoopId::of(static_cast<std::size_t>(std::countr_zero(left)));
    if (!operand.dependsOn(loop)) continue;
    const LoopTiling& t = s.tiling.loops[loop.index()];
    const auto whole = static_cast<double>(t.trips * t.tileSize);
    const std::int64_t last = s.tiling.elementsOf(loop, (t.trips - 1) * t.unroll);
    double& first = isOutside(s, loop, level) ? shares.transfers : shares.transfer;
    first *= 1 - static_cast<double>(t.tileSize - last) / whole;
    // In earlier waves all cores have work.
    if (t.trips > 1) continue;
    shares.all *=
        static_cast<double>(t.extent) / (whole * static_cast<double>(coresOf(s, loop, 0)));
  }
  return shares;
}

Gathered gatheredAlong(const TiledCandidate& s, int dim, int level) {
  const auto d = static_cast<std::size_t>(dim);
  const auto cores = static_cast<double>(s.active[d]);
  const LoopId loop = s.mapping.space[d];
  if (!loop.valid()) return {cores - 1, cores - 1};
  const LoopTiling& t = s.tiling.loops[loop.index()];
  const auto waves = static_cast<double>(t.trips), unroll = static_cast<double>(t.unroll);
  const auto tiles = static_cast<double>(t.tiles);
  const auto others = [&](double present) {
    return std::max(0.0, cores * std::min(1.0, present) - 1);
  };
  const double last = (tiles - (waves - 1) * unroll) / unroll;
  // A transfer of all waves holds tiles of every core.
  if (waves <= 1 || !isOutside(s, loop, level)) return {cores - 1, cores - 1};
  return {((waves - 1) * (cores - 1) + others(last)) / waves, others(last)};
}

}  // namespace gridloom::cost
