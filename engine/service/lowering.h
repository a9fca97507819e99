// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedule/verify.h"
#include "service/workspace.h"
#include "simulate/simulation.h"

namespace gridloom::service {

/// Lowers and verifies. The kernel, the nest and the hardware must outlive the result.
base::Result<schedule::VerifiedSchedule> verifiedSchedule(const kernel::Kernel& kernel,
                                                          const kernel::TileNest& nest,
                                                          const hardware::Topology& hw,
                                                          const mapping::Mapping& mapping,
                                                          const base::Progress& progress);

/// Options of the simulator for a numeric mode, with the given limits.
simulate::Options simulatorOptions(const std::string& mode, const SimulationLimits& limits);

}  // namespace gridloom::service
