// SPDX-License-Identifier: Apache-2.0
#include "cost/tile_counts.h"

#include <algorithm>

namespace gridloom::cost {

using affine::LinearExpr;
using kernel::Difference;
using kernel::GuardPart;
using kernel::LoopId;

namespace {

// Guards with more parts are counted as the sum of the parts: an upper bound.
constexpr std::size_t kMostParts = 6;

/// The constraints of one part over the variables of the counted tiles.
class PartSet {
 public:
  PartSet(const mapping::Tiling& tiling, const std::vector<CountedTiles>& tiles)
      : m_tiling(tiling), m_tiles(tiles) {}

  // Returns false when the part holds nowhere.
  bool add(const GuardPart& part, affine::IntegerSet& set) const {
    const auto elements = kernel::closureOf(part.elements), numbers = kernel::closureOf(part.tiles);
    if (!elements || !numbers) return false;
    for (const Difference& d : *elements) {
      for (const bool edge : {false, true}) {
        const LinearExpr reach = lastElement(d.a, edge) - firstElement(d.b);
        set.constraints.push_back({reach - LinearExpr::number(d.least), false});
      }
    }
    for (const Difference& d : *numbers) {
      const LinearExpr reach = lastTile(d.a) - firstTile(d.b);
      set.constraints.push_back({reach - LinearExpr::number(d.least), false});
    }
    return true;
  }

 private:
  LinearExpr firstTile(LoopId loop) const {
    if (!loop.valid()) return LinearExpr::number(0);
    const CountedTiles& t = m_tiles[loop.index()];
    return LinearExpr::dim(loop.index(), t.stride) + LinearExpr::number(t.first);
  }
  LinearExpr lastTile(LoopId loop) const {
    if (!loop.valid()) return LinearExpr::number(0);
    return firstTile(loop) + LinearExpr::number(m_tiles[loop.index()].width - 1);
  }
  LinearExpr firstElement(LoopId loop) const {
    return loop.valid() ? firstTile(loop) * m_tiling.loops[loop.index()].tileSize
                        : LinearExpr::number(0);
  }
  // The last tile ends at its size or at the end of the loop: both bound it.
  LinearExpr lastElement(LoopId loop, bool edge) const {
    if (!loop.valid()) return LinearExpr::number(0);
    const mapping::LoopTiling& l = m_tiling.loops[loop.index()];
    if (edge) return LinearExpr::number(l.extent - 1);
    return (lastTile(loop) + LinearExpr::number(1)) * l.tileSize - LinearExpr::number(1);
  }

  const mapping::Tiling& m_tiling;
  const std::vector<CountedTiles>& m_tiles;
};

// Number of tile combinations of a guard's loops at which it holds.
double countHolding(const kernel::TileGuard& guard, const std::vector<LoopId>& loops,
                    const mapping::Tiling& tiling, const std::vector<CountedTiles>& tiles) {
  affine::IntegerSet box;
  box.extents.assign(tiles.size(), 1);
  for (const LoopId loop : loops) box.extents[loop.index()] = tiles[loop.index()].count;
  // Inclusion and exclusion: parts may hold at the same tiles.
  const std::size_t parts = guard.parts.size();
  const PartSet part(tiling, tiles);
  double count = 0;
  for (std::size_t subset = 1; subset < std::size_t{1} << std::min(parts, kMostParts); ++subset) {
    affine::IntegerSet set = box;
    bool possible = true;
    int members = 0;
    for (std::size_t p = 0; p < parts && possible; ++p) {
      if ((subset >> p & 1U) == 0) continue;
      ++members;
      possible = part.add(guard.parts[p], set);
    }
    if (possible) count += (members % 2 == 1 ? 1 : -1) * static_cast<double>(cardinality(set));
  }
  return count;
}

// Number of tile combinations of all loops but these.
double countOthers(const std::vector<LoopId>& loops, const std::vector<CountedTiles>& tiles) {
  double others = 1;
  for (std::size_t l = 0; l < tiles.size(); ++l) {
    if (!kernel::contains(loops, LoopId::of(l))) others *= static_cast<double>(tiles[l].count);
  }
  return others;
}

}  // namespace

double countWhere(const kernel::TileGuard& guard, const mapping::Tiling& tiling,
                  const std::vector<CountedTiles>& tiles) {
  const std::vector<LoopId> loops = guard.loops();
  const double others = countOthers(loops, tiles);
  return guard.always() ? others : others * countHolding(guard, loops, tiling, tiles);
}

TileCounts::TileCounts(const kernel::TileNest& nest) {
  for (const kernel::TileOp& op : nest.ops) add(op.guard);
  for (const kernel::Operand& input : nest.inputs) add(input.guard);
}

void TileCounts::add(const kernel::TileGuard& guard) {
  if (!guard.always()) m_guards.try_emplace(&guard, guard.loops());
}

std::size_t TileCounts::Hash::operator()(const Key& key) const {
  std::size_t hash = key.size();
  for (const std::int64_t part : key) {
    hash = (hash ^ static_cast<std::size_t>(part)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

double TileCounts::where(const kernel::TileGuard& guard, const mapping::Tiling& tiling,
                         const std::vector<CountedTiles>& tiles) const {
  const auto found = m_guards.find(&guard);
  if (found == m_guards.end()) return countWhere(guard, tiling, tiles);
  Counted& counted = found->second;
  Key key;
  for (const LoopId loop : counted.loops) {
    const CountedTiles& t = tiles[loop.index()];
    for (const std::int64_t part :
         {tiling.loops[loop.index()].tileSize, t.first, t.stride, t.count, t.width}) {
      key.push_back(part);
    }
  }
  return countOthers(counted.loops, tiles) *
         counted.at(key, [&] { return countHolding(guard, counted.loops, tiling, tiles); });
}

CountedTiles allAtOnce(const mapping::LoopTiling& loop) { return {0, 1, 1, loop.tiles}; }

CountedTiles tilesOf(const mapping::LoopTiling& loop, std::int64_t way) {
  return {way, loop.unroll, way < loop.tiles ? (loop.tiles - way - 1) / loop.unroll + 1 : 0, 1};
}

}  // namespace gridloom::cost
