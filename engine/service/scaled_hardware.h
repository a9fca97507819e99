// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hardware/topology.h"

namespace gridloom::service {

/// A description with one resource made twice as good.
struct ScaledHardware {
  std::string resource;  ///< "dram bandwidth x2", "network setup / 2", ...
  hardware::HardwareSpec spec;
};

/// One per resource that the description has figures for.
std::vector<ScaledHardware> twiceOfEach(const hardware::HardwareSpec& spec,
                                        const hardware::Topology& topology);

}  // namespace gridloom::service
