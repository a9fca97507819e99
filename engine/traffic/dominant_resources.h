// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/large_vector.h"
#include "base/progress.h"
#include "hardware/topology.h"

namespace gridloom::traffic {

/// The resources that can be the most loaded one of a sum of patterns, heaviest first. `loads`: per pattern, the
/// load of every resource. A resource that another one covers in every pattern never is; of resources that are
/// loaded alike everywhere, the first one stands for all. Cut short once `progress` is cancelled.
std::vector<std::size_t> dominantResources(std::span<const base::LargeVector<double>* const> loads,
                                           const base::Progress* progress);

/// Resources of the global memory, in front of all others: its channels, each for reads and writes; of a duplex memory
/// its channels for reads, and then again for writes.
std::size_t channelResources(const hardware::Topology& hw);
/// The first of those that transfers in a direction use.
std::size_t firstChannelResource(const hardware::Topology& hw, bool write);

/// What a resource is called in terms. Loads count channels first, then links, cores and the middle memory.
std::string resourceName(const hardware::Topology& hw, std::size_t resource);

}  // namespace gridloom::traffic
