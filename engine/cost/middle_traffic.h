// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cost/traffic.h"
#include "hardware/topology.h"
#include "mapping/mapping.h"

namespace gridloom::cost {

/// One half of the way through the middle memory, of all groups of cores at once, and what it costs every
/// resource in cycles per byte of a tile: channels, links, cores' memory ports, instances of the middle memory.
struct MiddleTraffic {
  mapping::InputMovement movement;
  bool feeds = false;  ///< from the middle memory to the cores; else from global memory into it
  Pattern pattern;
  std::vector<double> load;
};

/// Both halves for every way of sharing tiles on `active` coordinates; nothing without a middle memory.
std::vector<MiddleTraffic> middleTraffic(const hardware::Topology& hw,
                                         const std::vector<std::int64_t>& active);

}  // namespace gridloom::cost
