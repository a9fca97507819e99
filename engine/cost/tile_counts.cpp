// SPDX-License-Identifier: Apache-2.0
#include "cost/tile_counts.h"

#include <algorithm>
#include <span>

#include "base/units.h"
#include "cost/box_union.h"

namespace gridloom::cost {

using affine::LinearExpr;
using kernel::Difference;
using kernel::GuardPart;
using kernel::LoopId;

namespace {

// Guards with more parts that compare loops are counted as if the further ones held at tiles of
// their own: an upper bound.
constexpr std::size_t kMostParts = 6;

/// The constraints of one part over the variables of the counted tiles.
class PartSet {
 public:
  PartSet(const mapping::Tiling& tiling, const std::vector<CountedTiles>& tiles)
      : m_tiling(tiling), m_tiles(tiles) {}

  void add(const GuardPart& part, affine::IntegerSet& set) const {
    forAll(part, [&](const LinearExpr& a, const LinearExpr& b, std::int64_t least) {
      set.constraints.push_back({a - b - LinearExpr::number(least), false});
    });
  }

  // The part as a box of these loops; `box` is without points where it holds nowhere. Returns false
  // where it is none, since it compares loops.
  bool add(const GuardPart& part, const std::vector<LoopId>& loops, Box& box) const {
    for (const LoopId loop : loops) box.push_back({0, m_tiles[loop.index()].count - 1});
    box.push_back({0, 0});  // so that a box of no loops can be without points, too
    bool isBox = true;
    forAll(part, [&](const LinearExpr& a, const LinearExpr& b, std::int64_t least) {
      isBox = isBox && cutBy(a - b - LinearExpr::number(least), loops, box);
    });
    return isBox;
  }

 private:
  template <class Visit> void forAll(const GuardPart& part, const Visit& visit) const {
    for (const Difference& d : part.elements) {
      for (const bool edge : {false, true})
        visit(lastElement(d.a, edge), firstElement(d.b), d.least);
    }
    for (const Difference& d : part.tiles) visit(lastTile(d.a), firstTile(d.b), d.least);
  }

  // Returns false where `expr` is of several loops.
  static bool cutBy(const LinearExpr& expr, const std::vector<LoopId>& loops, Box& box) {
    Range* range = nullptr;
    std::int64_t factor = 0;
    for (std::size_t at = 0; at < loops.size(); ++at) {
      const std::int64_t c = expr.coefficient(loops[at].index());
      if (c == 0) continue;
      if (range != nullptr) return false;
      range = &box[at];
      factor = c;
    }
    if (range == nullptr) {
      if (expr.constant < 0) box.assign(box.size(), {});
    } else if (factor > 0) {
      range->first = std::max(range->first, -base::floorDiv(expr.constant, factor));
    } else {
      range->last = std::min(range->last, base::floorDiv(expr.constant, -factor));
    }
    return true;
  }

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

// Number of tile combinations at which all of these parts hold.
double countAll(std::span<const GuardPart* const> parts, const PartSet& part,
                affine::IntegerSet set) {
  for (const GuardPart* p : parts) part.add(*p, set);
  return static_cast<double>(cardinality(set));
}

// Number of tile combinations of a guard's loops at which it holds.
double countHolding(const kernel::TileGuard& guard, const std::vector<LoopId>& loops,
                    const mapping::Tiling& tiling, const std::vector<CountedTiles>& tiles) {
  const PartSet part(tiling, tiles);
  std::vector<Box> boxes(guard.parts.size());
  bool areBoxes = true;
  for (std::size_t p = 0; p < boxes.size() && areBoxes; ++p)
    areBoxes = part.add(guard.parts[p], loops, boxes[p]);
  if (areBoxes) return pointsInAny(boxes);

  affine::IntegerSet all;
  all.extents.assign(tiles.size(), 1);
  for (const LoopId loop : loops) all.extents[loop.index()] = tiles[loop.index()].count;
  // Inclusion and exclusion: parts may hold at the same tiles.
  const std::size_t compared = std::min(guard.parts.size(), kMostParts);
  double count = 0;
  for (std::size_t subset = 1; subset < std::size_t{1} << compared; ++subset) {
    std::vector<const GuardPart*> members;
    for (std::size_t p = 0; p < compared; ++p) {
      if ((subset >> p & 1U) != 0) members.push_back(&guard.parts[p]);
    }
    count += (members.size() % 2 == 1 ? 1 : -1) * countAll(members, part, all);
  }
  for (std::size_t p = compared; p < guard.parts.size(); ++p) {
    const GuardPart* const alone = &guard.parts[p];
    count += countAll({&alone, 1}, part, all);
  }
  double most = 1;
  for (const LoopId loop : loops) most *= static_cast<double>(tiles[loop.index()].count);
  return std::min(count, most);
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
  if (guard.always()) return;
  auto same = std::ranges::find_if(m_counted, [&](const auto& c) { return *c.guard == guard; });
  if (same == m_counted.end()) same = m_counted.emplace(m_counted.end(), &guard, guard.loops());
  m_guards.emplace(&guard, &*same);
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
  Counted& counted = *found->second;
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
