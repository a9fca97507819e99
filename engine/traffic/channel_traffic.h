// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/progress.h"
#include "hardware/topology.h"

namespace gridloom::traffic {

/// What goes between cores and channels of the global memory when every core moves one byte: over all channels in
/// equal shares, or through one of its own.
struct ChannelTraffic {
  std::vector<double> channels;  ///< bytes per channel
  double latency = 0;            ///< cycles of the links of the longest way
  double alone =
      0;  ///< cycles per byte of the slowest link when one core has the network to itself
};

/// Gives the channel of a core where tiles lie in the nearest one; empty: they lie in all.
using ChannelChoice = std::function<hardware::ChannelId(hardware::CoreId)>;

/// Calls visit(link, bytes) for every link that bytes pass, ports included. Cut short once `progress` is
/// cancelled.
ChannelTraffic channelTraffic(const hardware::Topology& hw, std::span<const hardware::CoreId> cores,
                              bool write, const ChannelChoice& choice,
                              const base::Progress* progress,
                              const std::function<void(hardware::LinkId, double)>& visit);

}  // namespace gridloom::traffic
