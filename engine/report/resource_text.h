// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hardware/topology.h"
#include "mapping/mapping.h"

namespace gridloom::report {

/// What a transfer takes of a machine, in the words of TL's Listing 5 (Li et al., 2025): the type
/// of its movement, the mesh dimensions it runs along, and the names of the memories and networks.
class ResourceText {
 public:
  explicit ResourceText(const hardware::Topology& hw) : m_hw(hw) {}

  /// `type="broadcast", along=(x), resources={%noc_h, %noc_v}`
  std::string movementText(const mapping::InputMovement& movement) const;
  /// `, shared=(x)`: the cores that read the tile from a shared copy; empty without one.
  std::string sharedText(const mapping::InputMovement& movement) const;
  /// The networks: `%noc_h, %noc_v`.
  std::string networkNames() const;
  /// The global memory, and the networks to it.
  std::string globalNames() const;
  /// In the order in which partial results travel along them.
  std::string dimsText(mapping::DimMask split) const;

 private:
  const std::string& nameOf(std::size_t dim) const { return m_hw.dims()[dim].name; }
  /// The dimensions of a multicast, the one that it takes first in front.
  std::string alongText(const mapping::InputMovement& movement) const;

  const hardware::Topology& m_hw;
};

}  // namespace gridloom::report
