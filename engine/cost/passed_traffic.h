// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/large_vector.h"
#include "cost/traffic.h"

namespace gridloom::cost {

/// Patterns of tiles that cores take from the cores that make them, with the load of every resource of the
/// machine (channels, links, cores, instances of the middle memory) per byte that every core takes. Cut short once
/// `progress` is cancelled.
struct PassedTraffic {
  mapping::DimMask along = 0;
  std::uint8_t where = kAnywhere;
  Pattern pattern;
  base::LargeVector<double> load;
};
std::vector<PassedTraffic> passedTraffic(const hardware::Topology& hw,
                                         const std::vector<std::int64_t>& active,
                                         const base::Progress* progress);

}  // namespace gridloom::cost
