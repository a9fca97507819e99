// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/progress.h"
#include "hardware/topology.h"

namespace gridloom::traffic {

/// Traffic between cores and channels of global memory when every core transfers one byte: in equal
/// shares over all channels, or through one channel of its own.
struct ChannelTraffic {
  std::vector<double> channels;  ///< bytes per channel
  double latency = 0;            ///< cycles of the links of the longest route
  /// cycles per byte of the slowest link when one core has the network to itself
  double alone = 0;
};

/// Returns the channel of a core for the nearest-channel layout; empty: tiles lie in all channels.
using ChannelChoice = std::function<hardware::ChannelId(hardware::CoreId)>;

/// Calls visit(link, bytes) for every link with traffic, ports included. Ends early once `progress`
/// is cancelled.
ChannelTraffic channelTraffic(const hardware::Topology& hw, std::span<const hardware::CoreId> cores,
                              bool write, const ChannelChoice& choice,
                              const base::Progress* progress,
                              const std::function<void(hardware::LinkId, double)>& visit);

}  // namespace gridloom::traffic
