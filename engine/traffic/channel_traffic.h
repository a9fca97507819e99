// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/progress.h"
#include "hardware/topology.h"

namespace gridloom::traffic {

/// What goes between cores and channels of the global memory when every core moves one byte.
struct ChannelTraffic {
  std::vector<double> channels;  ///< bytes per channel
  double latency = 0;            ///< cycles of the links of the longest route
  /// The same on average over the channels of a core, of the core that is farthest from its own.
  double meanLatency = 0;
  /// cycles per byte of the slowest link when one core has the network to itself
  double alone = 0;
};

/// The channels that a core's bytes lie in: those `offsets` after `first` (around the end), without
/// it after the first of all. Their bytes are to one another as `parts`.
struct ChannelChoice {
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> parts;  ///< per offset, whole numbers from 1
  std::function<hardware::ChannelId(hardware::CoreId)> first = {};
};

/// Calls visit(link, bytes) for every link with traffic, ports included. Ends early once `progress`
/// is cancelled.
ChannelTraffic channelTraffic(const hardware::Topology& hw, std::span<const hardware::CoreId> cores,
                              bool write, const ChannelChoice& choice,
                              const base::Progress* progress,
                              const std::function<void(hardware::LinkId, double)>& visit);

}  // namespace gridloom::traffic
