// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hardware/topology.h"

namespace gridloom::hardware {

/// A description in which one resource is twice as good.
struct ScaledHardware {
  std::string resource;  ///< "dram bandwidth x2", "network setup / 2", ...
  HardwareSpec spec;
};

/// One per resource for which the description has figures.
std::vector<ScaledHardware> twiceOfEach(const HardwareSpec& spec, const Topology& topology);

}  // namespace gridloom::hardware
