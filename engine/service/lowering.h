// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedule/schedule.h"
#include "service/workspace.h"
#include "simulate/simulation.h"

namespace gridloom::service {

/// Lower and verify: a schedule that comes back may be simulated.
base::Result<schedule::Schedule> verifiedSchedule(const kernel::Kernel& kernel,
                                                  const kernel::TileNest& nest,
                                                  const hardware::Topology& hw,
                                                  const mapping::Mapping& mapping,
                                                  const base::Progress& progress);

/// Options of the simulator for a numeric mode, with limits where they are given.
simulate::Options simulatorOptions(const std::string& mode, const SimulationLimits& limits);

}  // namespace gridloom::service
