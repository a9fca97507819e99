// SPDX-License-Identifier: Apache-2.0
#include "schedule/placement.h"

#include <map>
#include <utility>

#include "schedule/schedule.h"

namespace gridloom::schedule {
namespace {

/// Waves and edge-tile flags of every loop: the key that equal cores share.
using ShapeKey = std::vector<std::int32_t>;

bool worksAt(const mapping::Mapping& mapping, std::span<const std::int64_t> coordinates) {
  for (std::size_t d = 0; d < coordinates.size(); ++d) {
    const bool carries = d < mapping.space.size() && mapping.space[d].valid();
    if (!carries && coordinates[d] != 0) return false;
  }
  return true;
}

TileShape shapeFrom(const ShapeKey& key, const mapping::Mapping& mapping, std::size_t loops) {
  TileShape shape;
  for (const mapping::LoopId loop : mapping.order) shape.waves.push_back(key[2 * loop.index()]);
  for (std::size_t l = 0; l < loops; ++l) {
    shape.hasEdgeTile.push_back(static_cast<std::uint8_t>(key[2 * l + 1]));
  }
  return shape;
}

}  // namespace

Placement::Placement(const Schedule& schedule, const hardware::Topology& hw)
    : Placement(schedule.mapping, schedule.tiling, hw) {}

Placement::Placement(const mapping::Mapping& mapping, const mapping::Tiling& tiling,
                     const hardware::Topology& hw)
    : m_cores(static_cast<std::int32_t>(hw.coreCount())),
      m_loops(tiling.loops.size()),
      m_extents(mapping::activeExtents(mapping, tiling, hw)),
      m_skews(mapping::skewsOf(mapping, tiling)) {
  const std::size_t dims = hw.dims().size();
  std::int32_t stride = 1;
  m_strides.assign(dims, 1);
  for (std::size_t d = dims; d-- > 0;) {
    m_strides[d] = stride;
    stride *= static_cast<std::int32_t>(hw.dims()[d].size);
  }
  for (const hardware::MeshDim& dim : hw.dims())
    m_sizes.push_back(static_cast<std::int32_t>(dim.size));

  m_unroll.assign(index(m_cores) * m_loops, 0);
  m_shapeOf.assign(index(m_cores), -1);
  std::map<ShapeKey, std::int32_t> known;
  std::vector<std::int64_t> coordinates(dims);
  ShapeKey key(2 * m_loops);
  for (std::int32_t core = 0; core < m_cores; ++core) {
    for (std::size_t d = 0; d < dims; ++d) coordinates[d] = coordinate(core, static_cast<int>(d));
    bool works = worksAt(mapping, coordinates);
    for (std::size_t l = 0; l < m_loops; ++l) {
      const mapping::LoopTiling& loop = tiling.loops[l];
      const std::int64_t way =
          mapping::Tiling::unrollIndexOf(mapping, hw, mapping::LoopId::of(l), coordinates.data());
      m_unroll[index(core) * m_loops + l] = static_cast<std::int32_t>(way);
      const std::int64_t waves = way < loop.tiles ? (loop.tiles - way - 1) / loop.unroll + 1 : 0;
      works = works && waves > 0;
      key[2 * l] = static_cast<std::int32_t>(waves);
      key[2 * l + 1] =
          loop.extent % loop.tileSize != 0 && (loop.tiles - 1) % loop.unroll == way ? 1 : 0;
    }
    if (!works) continue;
    ++m_active;
    const auto [entry, added] = known.try_emplace(key, static_cast<std::int32_t>(m_shapes.size()));
    if (added) m_shapes.push_back(shapeFrom(key, mapping, m_loops));
    m_shapeOf[index(core)] = entry->second;
  }
}

std::int32_t Placement::moved(std::int32_t core, int dim, std::int32_t to) const {
  if (to < 0 || to >= sizeOf(dim)) return -1;
  return core + (to - coordinate(core, dim)) * m_strides[static_cast<std::size_t>(dim)];
}

std::int32_t Placement::rootOf(std::int32_t core, mapping::DimMask along) const {
  for (int d = 0; d < dims(); ++d) {
    if ((along >> d & 1u) != 0) core = moved(core, d, 0);
  }
  return core;
}

std::int64_t Placement::delayOf(std::int32_t core, mapping::DimMask along) const {
  std::int64_t delay = 0;
  for (int d = 0; d < dims(); ++d) {
    if ((along >> d & 1u) != 0) delay += coordinate(core, d);
  }
  return delay;
}

// Cyclic assignment starts at coordinate 0: the active cores of a line are its first ones.
std::int32_t Placement::activeAlong(std::int32_t core, int dim) const {
  std::int32_t working = 0, idle = sizeOf(dim);
  while (working < idle) {
    const std::int32_t half = (working + idle) / 2;
    if (active(moved(core, dim, half))) {
      working = half + 1;
    } else {
      idle = half;
    }
  }
  return working;
}

std::int32_t entryCore(const hardware::Topology& hw, std::size_t level, const Placement& placement,
                       mapping::DimMask along, std::int32_t root) {
  std::vector<std::int64_t> at(hw.dims().size());
  hw.coordinatesOf(hardware::CoreId(root), at);
  mapping::moveToEntry(hw.sharedBuffer(level), placement.extents(), along, at);
  return hw.coreAt(at).value();
}

}  // namespace gridloom::schedule
