// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "affine/affine_map.h"
#include "base/large_vector.h"
#include "hardware/link_table.h"
#include "hardware/topology_parts.h"

namespace gridloom::hardware {

/// Where the links between routers lead, without any rate. Machines that differ in figures alone
/// share it: that of a wafer has 50 megabytes, and to make it takes most of the time of an edit.
struct HopLayout {
  /// What all else follows from.
  struct Source {
    std::vector<std::int64_t> nodeGrid;
    struct Way {
      affine::AffineMap map;
      std::int64_t plane = 0;
      bool operator==(const Way&) const = default;
    };
    std::vector<Way> networks;
    bool operator==(const Source&) const = default;
  };
  Source source;
  /// Their group is the number of their network.
  base::LargeVector<LinkEnds> ends;
  /// hops[Topology::hopTable(plane, dim, direction)][node] = link or none; empty when no network
  /// goes there.
  std::vector<base::LargeVector<LinkId>> hops;
};
using HopLayoutRef = std::shared_ptr<const HopLayout>;

}  // namespace gridloom::hardware
