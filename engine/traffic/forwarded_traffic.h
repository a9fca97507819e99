// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/load.h"
#include "traffic/traffic.h"

namespace gridloom::traffic {

/// Patterns of forwarded tiles, with the load of every resource of the machine (channels, links,
/// cores, instances of the shared buffer) per byte that every core receives. Incomplete once
/// `progress` is cancelled.
struct ForwardedTraffic {
  mapping::DimMask along = 0;
  std::uint8_t where = kAnywhere;
  Pattern pattern;
  Load load;
};
std::vector<ForwardedTraffic> forwardedTraffic(const hardware::Topology& hw,
                                               const std::vector<std::int64_t>& active,
                                               const base::Progress* progress);

}  // namespace gridloom::traffic
