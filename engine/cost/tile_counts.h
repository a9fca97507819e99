// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::cost {

/// The tiles of a loop that are counted: `first + stride * v` for v in [0, count), each `width` tiles wide.
struct CountedTiles {
  std::int64_t first = 0;
  std::int64_t stride = 1;
  std::int64_t count = 1;
  std::int64_t width = 1;
};

/// How many of the combinations of tiles a guard holds at: exact, by counting integer points of the polyhedra
/// that the guard is over tile numbers. One entry of `tiles` per loop of the kernel; loops that the guard does
/// not speak of multiply.
double countWhere(const kernel::TileGuard& guard, const mapping::Tiling& tiling,
                  const std::vector<CountedTiles>& tiles);

/// `countWhere` for the guards of a nest, each count made once: the items of a search ask for the same ones again and
/// again. Any thread.
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
  /// The counts of one guard over its own loops.
  struct Counted {
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
  /// Counts kept per guard; beyond, they are made again.
  static constexpr std::size_t kMostKept = 1 << 18;

  void add(const kernel::TileGuard& guard);

  mutable std::map<const kernel::TileGuard*, Counted> m_guards;
};

/// All tiles of a loop looked at as one.
CountedTiles allAtOnce(const mapping::LoopTiling& loop);
/// The tiles that a core at one position among the ways works on.
CountedTiles tilesOf(const mapping::LoopTiling& loop, std::int64_t way);

}  // namespace gridloom::cost
