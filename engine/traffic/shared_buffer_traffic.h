// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "traffic/collective_traffic.h"

namespace gridloom::traffic {

/// A step between a shared buffer and another memory, for all groups of cores at once, with its
/// cost for every resource in cycles per byte of a tile.
struct SharedBufferTraffic {
  mapping::TransferStep step;
  Pattern pattern;
  Load load;
};

/// All such steps, for inputs with every set of shared dimensions on `active` coordinates; empty
/// without a shared buffer.
std::vector<SharedBufferTraffic> sharedBufferTraffic(const hardware::Topology& hw,
                                                     const std::vector<std::int64_t>& active);

}  // namespace gridloom::traffic
