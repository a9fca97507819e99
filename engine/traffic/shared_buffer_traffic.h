// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hardware/topology.h"
#include "mapping/mapping.h"
#include "traffic/traffic.h"

namespace gridloom::traffic {

/// One half of the way through the middle memory, of all groups of cores at once, and what it costs every
/// resource in cycles per byte of a tile: channels, links, cores' memory ports, instances of the middle memory.
struct SharedBufferTraffic {
  enum class Way {
    SharedBufferUse,  ///< from global memory into it
    Feed,             ///< from there to the cores
    Drain,            ///< from every core into it
    Write,            ///< from there to global memory
  };
  Way way = Way::SharedBufferUse;
  mapping::InputMovement movement;  ///< Stay, Feed
  Pattern pattern;
  std::vector<double> load;
};

/// All halves, of inputs for every way of sharing tiles on `active` coordinates; nothing without a middle memory.
std::vector<SharedBufferTraffic> sharedBufferTraffic(const hardware::Topology& hw,
                                                     const std::vector<std::int64_t>& active);

}  // namespace gridloom::traffic
