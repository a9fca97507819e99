// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hardware/grid.h"
#include "hardware/hardware_spec.h"

namespace gridloom::hardware {

using Dims = std::vector<SpatialDimId>;

/// The points of some dimensions of a description; none where there are too many to walk over.
std::optional<Grid> gridOf(const HardwareSpec& spec, const Dims& dims);

/// Replaces one dimension of a description by two: rings of `members` neighbours.
class DimensionSplit {
 public:
  DimensionSplit(HardwareSpec& spec, SpatialDimId dim, std::int64_t members)
      : m_spec(spec), m_dim(dim), m_members(members) {}

  /// The members that a network joins: the routers where the cores have places on a plane.
  Dims membersOf(const Interconnect& link, const std::string& name) const;
  /// Whether all maps have the shapes that their ends want; what does not is reported later.
  bool fits() const;
  /// A link of a network that changes the ring and the place in it at once; none: nothing.
  const Interconnect* crossing(std::string& example) const;
  /// The new dimension, of the rings.
  SpatialDimId apply();

 private:
  const Dims& dimsOf(const std::string& name) const;
  bool crosses(const Interconnect& link, std::string& example) const;
  void splitMaps(std::int64_t rings);
  void splitMap(affine::AffineMap& map, const Dims& from, const Dims& to, std::int64_t rings) const;
  /// Coordinates that are written out: disabled cores, and routers of memories.
  void splitPlaces();
  void splitDims(Dims& dims) const;
  void addInFront(SpatialDim rings);

  HardwareSpec& m_spec;
  SpatialDimId m_dim, m_rings;
  std::int64_t m_members;
};

}  // namespace gridloom::hardware
