// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hardware/topology.h"
#include "mapping/mapping.h"
#include "traffic/traffic.h"

namespace gridloom::traffic {

/// One stage of a transfer through the shared buffer, for all groups of cores at once, with its
/// cost for every resource in cycles per byte of a tile: channels, links, cores' memory ports,
/// instances of the shared buffer.
struct SharedBufferTraffic {
  enum class Way {
    SharedBufferUse,  ///< from global memory into it
    Feed,             ///< from there to the cores
    Drain,            ///< from every core into it
    Write,            ///< from there to global memory
  };
  Way way = Way::SharedBufferUse;
  mapping::InputMovement movement;  ///< SharedBufferUse, Feed
  Pattern pattern;
  std::vector<double> load;
};

/// All stages, for inputs with every set of shared dimensions on `active` coordinates; empty
/// without a shared buffer.
std::vector<SharedBufferTraffic> sharedBufferTraffic(const hardware::Topology& hw,
                                                     const std::vector<std::int64_t>& active);

}  // namespace gridloom::traffic
