// SPDX-License-Identifier: Apache-2.0
#include "cost/compute.h"

#include <algorithm>

#include "cost/tile_counts.h"
#include "timing/op_cycles.h"

namespace gridloom::cost {

using hardware::ComputeModel;
using kernel::LoopId;

namespace {

// The sizes a loop takes on the core at coordinate 0 and how often: the block, and the smaller last
// tile when that core has it.
struct Sizes {
  LoopId loop;
  std::int64_t full = 1, fullTrips = 1;
  std::int64_t edge = 0, edgeTrips = 0;
};

Sizes sizesOf(LoopId loop, const mapping::LoopTiling& t) {
  Sizes s{loop, t.tileSize, t.trips, 0, 0};
  const std::int64_t lastTile = (t.trips - 1) * t.unroll;
  const std::int64_t last = std::min(t.tileSize, t.extent - lastTile * t.tileSize);
  if (last < t.tileSize) {
    s.fullTrips = t.trips - 1;
    s.edge = last;
    s.edgeTrips = 1;
  }
  return s;
}

void addOp(const kernel::TileOp& op, const std::vector<std::int64_t>& extents,
           const ComputeModel& compute, double times, ComputeTime& time) {
  const timing::OpTime one = timing::opTime(op, extents, compute);
  time.add(one, times);
  if (op.phase == kernel::Phase::Epilogue) time.epilogue += times * one.cycles;
}

// Calls `leaf(times)` for all combinations of the loops' sizes, with `extents` set, and with how
// often each occurs. Only a loop with an edge tile doubles the number of combinations. Afterwards,
// the extents are those of full tiles.
template <class Leaf>
void forAllTiles(const std::vector<Sizes>& loops, std::size_t at, double times,
                 std::vector<std::int64_t>& extents, const Leaf& leaf) {
  if (at == loops.size()) return leaf(times);
  const Sizes& s = loops[at];
  extents[s.loop.index()] = s.full;
  if (s.fullTrips > 0)
    forAllTiles(loops, at + 1, times * static_cast<double>(s.fullTrips), extents, leaf);
  if (s.edgeTrips > 0) {
    extents[s.loop.index()] = s.edge;
    forAllTiles(loops, at + 1, times * static_cast<double>(s.edgeTrips), extents, leaf);
  }
  extents[s.loop.index()] = s.full;
}

/// Adds up the operations of a core where not every tile has every operation.
class GuardedCore {
 public:
  GuardedCore(const kernel::TileNest& nest, const mapping::Tiling& tiling,
              const ComputeModel& compute, const TileCounts& counts)
      : m_nest(nest),
        m_tiling(tiling),
        m_compute(compute),
        m_counts(counts),
        m_extents(tiling.loops.size(), 1) {}

  ComputeTime at(const std::vector<std::int64_t>& unroll) {
    m_tiles.clear();
    for (std::size_t l = 0; l < unroll.size(); ++l) {
      m_tiles.push_back(tilesOf(m_tiling.loops[l], unroll[l]));
    }
    ComputeTime time;
    const kernel::TileOp* last = nullptr;
    for (const kernel::TileOp& op : m_nest.ops) {
      // The operations of a statement share their tiles.
      if (last == nullptr || last->phase != op.phase || last->guard != op.guard) {
        m_sizes.clear();
        collect(op, 0);
      }
      last = &op;
      for (const Size& size : m_sizes) addOp(op, size.extents, m_compute, size.tiles, time);
    }
    return time;
  }

 private:
  /// Tiles of one size.
  struct Size {
    std::vector<std::int64_t> extents;
    double tiles = 0;
  };

  // Full tiles and the edge tile have different costs.
  void collect(const kernel::TileOp& op, std::size_t at) {
    if (at == m_tiles.size()) {
      const double tiles = m_counts.where(op.guard, m_tiling, m_tiles);
      if (tiles > 0) m_sizes.push_back({m_extents, tiles});
      return;
    }
    const mapping::LoopTiling& loop = m_tiling.loops[at];
    const CountedTiles all = m_tiles[at];
    if (op.phase == kernel::Phase::Epilogue && !contains(m_nest.outputLoops, LoopId::of(at))) {
      m_tiles[at] = allAtOnce(loop);
    }
    const std::int64_t last = all.first + all.stride * (all.count - 1);
    const std::int64_t edge = loop.extent - (loop.tiles - 1) * loop.tileSize;
    const bool hasEdgeTile = all.count > 0 && last == loop.tiles - 1 && edge < loop.tileSize;
    if (hasEdgeTile) {
      m_extents[at] = edge;
      const CountedTiles counted = m_tiles[at];
      if (counted.width == 1) m_tiles[at] = {last, 1, 1, 1};
      collect(op, at + 1);
      m_tiles[at] = counted;
      if (counted.width == 1) --m_tiles[at].count;
    }
    m_extents[at] = loop.tileSize;
    if (m_tiles[at].count > 0 && !(hasEdgeTile && m_tiles[at].width > 1)) collect(op, at + 1);
    m_tiles[at] = all;
  }

  const kernel::TileNest& m_nest;
  const mapping::Tiling& m_tiling;
  const ComputeModel& m_compute;
  const TileCounts& m_counts;
  std::vector<std::int64_t> m_extents;
  std::vector<CountedTiles> m_tiles;
  std::vector<Size> m_sizes;
};

/// At most so many cores are asked; those of edge tiles alone are fewer.
constexpr std::size_t kMostCoresAsked = 16;

/// The core with most compute, among the few where it can be.
///
/// Of the tiles from `first` to `last`, a core has fewer the further it lies behind the one that
/// has `first`. So the time over all operations, each with a first tile of its own, only grows
/// where an operation begins. Cores behind the last whole tile have the smaller edge tile instead.
/// Where guards compare loops, or where too many operations begin apart, a core that is not asked
/// may have more.
class BusiestCore {
 public:
  BusiestCore(const kernel::TileNest& nest, const mapping::Tiling& tiling,
              const ComputeModel& compute, const TileCounts& counts)
      : m_core(nest, tiling, compute, counts),
        m_ways(tiling.loops.size()),
        m_at(tiling.loops.size(), 0) {
    for (const mapping::LoopTiling& l : tiling.loops) {
      m_whole.push_back({0, l.extent, 0, l.tiles - 1});
    }
    std::size_t cores = 1;
    for (std::size_t l = 0; l < m_ways.size() && cores <= kMostCoresAsked; ++l) {
      m_ways[l] = edgesOf(tiling.loops[l]);
      addBounds(nest, LoopId::of(l), tiling.loops[l]);
      cores *= m_ways[l].size();
    }
    if (cores <= kMostCoresAsked) return;
    for (std::size_t l = 0; l < m_ways.size(); ++l) m_ways[l] = edgesOf(tiling.loops[l]);
  }

  ComputeTime time() {
    visit(0);
    return m_busiest;
  }

 private:
  // The cores of the first, the last and the last whole tile.
  static std::vector<std::int64_t> edgesOf(const mapping::LoopTiling& l) {
    std::vector<std::int64_t> ways{0};
    addWay(l, l.tiles - 1, ways);
    if (l.extent % l.tileSize != 0) addWay(l, l.tiles - 2, ways);
    return ways;
  }

  static void addWay(const mapping::LoopTiling& l, std::int64_t tile,
                     std::vector<std::int64_t>& ways) {
    if (l.unroll == 1 || tile <= 0 || tile >= l.tiles) return;
    const std::int64_t way = tile % l.unroll;
    if (std::ranges::find(ways, way) == ways.end()) ways.push_back(way);
  }

  void addBounds(const kernel::TileNest& nest, LoopId loop, const mapping::LoopTiling& l) {
    std::vector<std::int64_t>& ways = m_ways[loop.index()];
    for (const kernel::TileOp& op : nest.ops) {
      for (const kernel::GuardPart& part : op.guard.parts) {
        addWay(l, part.leastLastTile(m_whole, loop, l.tileSize), ways);
        addWay(l, part.greatestFirstTile(m_whole, loop, l.tileSize), ways);
      }
    }
  }

  void visit(std::size_t loop) {
    if (loop < m_at.size()) {
      for (const std::int64_t way : m_ways[loop]) {
        m_at[loop] = way;
        visit(loop + 1);
      }
      return;
    }
    const ComputeTime time = m_core.at(m_at);
    if (time.total() > m_busiest.total()) m_busiest = time;
  }

  GuardedCore m_core;
  std::vector<kernel::TileSpan> m_whole;  ///< all of every loop
  std::vector<std::vector<std::int64_t>> m_ways;
  std::vector<std::int64_t> m_at;
  ComputeTime m_busiest;
};

}  // namespace

ComputeTime computeTime(const kernel::TileNest& nest, const mapping::Tiling& tiling,
                        const ComputeModel& compute, const TileCounts& counts) {
  if (std::ranges::any_of(nest.ops, [](const auto& op) { return !op.guard.always(); })) {
    return BusiestCore(nest, tiling, compute, counts).time();
  }
  std::vector<Sizes> every, epilogue;
  std::vector<std::int64_t> extents(tiling.loops.size(), 1);
  for (std::size_t l = 0; l < tiling.loops.size(); ++l) {
    const LoopId loop = LoopId::of(l);
    extents[l] = tiling.loops[l].tileSize;
    const Sizes sizes = sizesOf(loop, tiling.loops[l]);
    if (sizes.fullTrips == 1 && sizes.edgeTrips == 0) continue;
    every.push_back(sizes);
    if (kernel::contains(nest.outputLoops, loop)) epilogue.push_back(sizes);
  }
  ComputeTime time;
  const bool chains = timing::chains(compute, nest);
  for (const kernel::TileOp& op : nest.ops) {
    const bool after = op.phase == kernel::Phase::Epilogue;
    if (chains && !after) continue;
    forAllTiles(after ? epilogue : every, 0, 1, extents,
                [&](double times) { addOp(op, extents, compute, times, time); });
  }
  if (!chains) return time;
  forAllTiles(every, 0, 1, extents, [&](double times) {
    timing::UnitCycles one;
    for (const kernel::TileOp& op : nest.ops) {
      if (op.phase != kernel::Phase::Epilogue) one.add(timing::opTime(op, extents, compute));
    }
    one = one.chained(compute, nest);
    time.matrix += times * one.matrix;
    time.vector += times * one.vector;
  });
  return time;
}

ComputeTime computeTime(const kernel::TileNest& nest, const mapping::Tiling& tiling,
                        const ComputeModel& compute) {
  return computeTime(nest, tiling, compute, TileCounts(nest));
}

}  // namespace gridloom::cost
