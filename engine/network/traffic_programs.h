// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "hardware/topology.h"
#include "network/transfer_program.h"

namespace gridloom::network {

/// Programs of artificial traffic, for measuring a network alone. All need a plane of routers with
/// two dimensions, x and y.

/// The router at these coordinates, which lie on the plane.
hardware::NodeId routerAt(const hardware::Topology& hw, std::int64_t x, std::int64_t y);

/// Per channel of the global memory: the router of its first read port.
std::vector<hardware::NodeId> channelRouters(const hardware::Topology& hw);

/// `count` equal transfers of `bytes` that one core issues, and a wait for all of them.
struct Burst {
  bool reads = true;
  std::int64_t plane = 0;
  std::int64_t bytes = 0;
  std::int64_t count = 1;
};
/// Between the core at `node` and the router `peer`, or the memory channel there (-1: the core).
TransferProcessor burstOf(const Burst& burst, hardware::NodeId node, hardware::NodeId peer,
                          std::int32_t channel);

/// Tiles that all stream from or to global memory at once, one channel per tile.
struct DramStreams {
  bool reads = true;
  std::int64_t plane = 0;
  std::int64_t channels = 1;  ///< tiles take them in turn; 1: all take one, chosen at random
  std::int64_t tiles = 1;
  /// In the row of the channel's router, where data leaves it without crossing other columns of
  /// memory. Otherwise anywhere in the rows and columns that hold cores.
  bool besideChannel = false;
};
/// Every tile moves 1 MiB in transfers of 8 KiB: starting and ending then count for less than a
/// percent. `random` chooses the channel and the places: each call gives another program.
TransferProgram dramStreams(const hardware::Topology& hw, const DramStreams& streams,
                            std::mt19937& random);

/// Every router sends posted packets of one byte at random moments, with probability `rate` (above
/// 0, below 1) in every cycle up to `cycles`: to any router (uniform), or to the next along both
/// dimensions. Steps carry their start: issue them as recorded.
TransferProgram randomPackets(const hardware::Topology& hw, double rate, bool uniform,
                              double cycles);

}  // namespace gridloom::network
