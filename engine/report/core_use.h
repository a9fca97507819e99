// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "hardware/topology.h"
#include "simulate/simulation.h"

namespace gridloom::report {

/// Share of the time that cores compute, on average over those at the given coordinates (a mesh
/// dimension and a place on it: y, 3; several have all to hold), or over all active cores without
/// any. A dimension that the mesh does not have restricts nothing. None when no core is there.
std::optional<double>
computingShare(const simulate::Simulation& run, const hardware::Topology& hw,
               std::span<const std::pair<std::string, std::int64_t>> coordinates);

/// Least over most computing time of a core; 0 when none computes.
double computingBalance(const simulate::Simulation& run);

}  // namespace gridloom::report
