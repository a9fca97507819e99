// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::cost {

/// Tiles of a loop to count: `first + stride * v` for v in [0, count), each `width` tiles wide.
struct CountedTiles {
  std::int64_t first = 0;
  std::int64_t stride = 1;
  std::int64_t count = 1;
  std::int64_t width = 1;
};

/// Number of tile combinations at which a guard holds: integer points of the polyhedra that it
/// defines over tile numbers. It is exact but for guards of more than six parts that compare loops,
/// where it is an upper bound. `tiles` has one entry per loop of the kernel; loops that are not in
/// the guard multiply.
double countWhere(const kernel::TileGuard& guard, const mapping::Tiling& tiling,
                  const std::vector<CountedTiles>& tiles);

/// `countWhere` for the guards of a nest, with a cache: the candidates of a search ask for the same
/// counts many times. Thread-safe.
class TileCounts {
 public:
  explicit TileCounts(const kernel::TileNest& nest);
  /// `guard` is one of the nest's.
  double where(const kernel::TileGuard& guard, const mapping::Tiling& tiling,
               const std::vector<CountedTiles>& tiles) const;

 private:
  /// Per loop of a guard: its tile size and the tiles counted.
  using Key = std::vector<std::int64_t>;
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  /// The counts of equal guards over their loops.
  struct Counted {
    Counted(const kernel::TileGuard* of, std::vector<kernel::LoopId> itsLoops)
        : guard(of), loops(std::move(itsLoops)) {}
    const kernel::TileGuard* guard;
    std::vector<kernel::LoopId> loops;
    std::shared_mutex mutex = {};
    std::unordered_map<Key, double, Hash> counts = {};

    template <class Count> double at(const Key& key, const Count& count) {
      {
        const std::shared_lock lock(mutex);
        const auto known = counts.find(key);
        if (known != counts.end()) return known->second;
      }
      const double made = count();
      const std::unique_lock lock(mutex);
      if (counts.size() < kMostKept) counts.emplace(key, made);
      return made;
    }
  };
  /// Cached counts per guard; further counts are not cached.
  static constexpr std::size_t kMostKept = 1 << 18;

  void add(const kernel::TileGuard& guard);

  mutable std::list<Counted> m_counted;
  std::map<const kernel::TileGuard*, Counted*> m_guards;
};

/// All tiles of a loop as one wide tile.
CountedTiles allAtOnce(const mapping::LoopTiling& loop);
/// The tiles of the core at position `way` among those of a spatial loop.
CountedTiles tilesOf(const mapping::LoopTiling& loop, std::int64_t way);

}  // namespace gridloom::cost
