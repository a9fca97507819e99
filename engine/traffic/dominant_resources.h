// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "hardware/topology.h"
#include "traffic/load.h"

namespace gridloom::traffic {

/// The resources that may be the most loaded one in a sum of patterns, heaviest first. `loads`: per
/// pattern, the load of every resource. A resource dominated by another one in every pattern never
/// is; of resources with equal loads in every pattern, the first one represents all. Ends early
/// once `progress` is cancelled.
std::vector<std::size_t> dominantResources(std::span<const Load* const> loads,
                                           const base::Progress* progress);

/// Number of resources of global memory, which come first: its channels, which serve reads and
/// writes; for a duplex memory, its channels for reads and then again for writes.
std::size_t channelResources(const hardware::Topology& hw);
/// The first of these that transfers in a direction use.
std::size_t firstChannelResource(const hardware::Topology& hw, bool write);

/// Name of a resource in terms. Loads count channels first, then links, cores and the shared
/// buffer.
std::string resourceName(const hardware::Topology& hw, std::size_t resource);

}  // namespace gridloom::traffic
