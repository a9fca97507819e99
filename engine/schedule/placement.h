// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/large_vector.h"
#include "hardware/topology.h"
#include "mapping/mapping.h"
#include "mapping/rotation.h"

namespace gridloom::schedule {

struct Schedule;

/// How many tiles a core works on, per loop. With the cyclic dealing (tile = wave * ways + way) the
/// valid waves of a core are 0 .. waves-1 of every loop, independently: its iterations form a box.
struct TileShape {
  std::vector<std::int32_t> waves;  ///< per temporal loop (position in Mapping::order)
  /// per loop of the kernel: the core's last tile is an edge tile
  std::vector<std::uint8_t> hasEdgeTile;
  friend bool operator==(const TileShape&, const TileShape&) = default;
};

/// A mapping placed on the cores: which cores are active, on how many tiles, and who their
/// neighbours are. Cores with the same tile counts share a TileShape.
class Placement {
 public:
  Placement(const mapping::Mapping& mapping, const mapping::Tiling& tiling,
            const hardware::Topology& hw);
  Placement(const Schedule& schedule, const hardware::Topology& hw);

  std::int32_t coreCount() const { return m_cores; }
  int dims() const { return static_cast<int>(m_sizes.size()); }
  std::int32_t sizeOf(int dim) const { return m_sizes[static_cast<std::size_t>(dim)]; }
  std::int32_t coordinate(std::int32_t core, int dim) const {
    const auto d = static_cast<std::size_t>(dim);
    return core / m_strides[d] % m_sizes[d];
  }
  /// The core with another coordinate along one dimension; -1 outside the mesh.
  std::int32_t moved(std::int32_t core, int dim, std::int32_t coordinate) const;
  /// The core with coordinate 0 in all dimensions of a mask.
  std::int32_t rootOf(std::int32_t core, mapping::DimMask along) const;

  /// Number of active coordinates per dimension, as mapping::activeExtents.
  std::span<const std::int64_t> extents() const { return m_extents; }

  bool active(std::int32_t core) const { return core >= 0 && m_shapeOf[index(core)] >= 0; }
  std::int32_t activeCores() const { return m_active; }
  /// Number of active cores along a dimension, on this core's line. They are coordinates 0 .. n-1.
  std::int32_t activeAlong(std::int32_t core, int dim) const;

  /// Index into shapes(); -1 for idle cores.
  std::int32_t shapeIndex(std::int32_t core) const { return m_shapeOf[index(core)]; }
  std::span<const TileShape> shapes() const { return m_shapes; }
  std::int32_t waves(std::int32_t core, int position) const {
    return m_shapes[index(m_shapeOf[index(core)])].waves[static_cast<std::size_t>(position)];
  }
  /// The wave of a temporal loop (by position) that a core works on in an iteration: another one
  /// where tiles rotate over the loop.
  std::int64_t waveAt(std::int32_t core, std::size_t position, std::int32_t iteration) const {
    const mapping::LoopSkew& skew = m_skews[position];
    return skew.along == 0 ? iteration : skew.waveAt(iteration, delayOf(core, skew.along));
  }
  /// Iterations of a round of a temporal loop (mapping::LoopSkew); 1 where it is not skewed.
  std::int64_t roundOf(std::size_t position) const { return m_skews[position].period; }
  /// Position of the core among the `ways` of a loop.
  std::int64_t unrollIndexOf(std::int32_t core, mapping::LoopId loop) const {
    return m_unroll[index(core) * m_loops + loop.index()];
  }

 private:
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  std::int64_t delayOf(std::int32_t core, mapping::DimMask along) const;

  std::int32_t m_cores = 0;
  std::int32_t m_active = 0;
  std::size_t m_loops = 0;
  std::vector<std::int32_t> m_sizes;
  std::vector<std::int64_t> m_extents;
  std::vector<std::int32_t> m_strides;
  base::LargeVector<std::int32_t> m_unroll;   ///< [core][loop]
  base::LargeVector<std::int32_t> m_shapeOf;  ///< per core
  std::vector<TileShape> m_shapes;
  std::vector<mapping::LoopSkew> m_skews;  ///< per temporal loop
};

/// The core through which a group's tiles enter from the shared buffer (mapping::moveToEntry).
/// `root` is the group's core at coordinate 0 along `along`.
std::int32_t entryCore(const hardware::Topology& hw, std::size_t level, const Placement& placement,
                       mapping::DimMask along, std::int32_t root);

}  // namespace gridloom::schedule
