// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/resource_loads.h"
#include "cost/terms/whole_candidate.h"

/// Transfers that many cores start at one moment. Two things synchronise cores. A tile that all of
/// them receive from one multicast lets them start each iteration together: their own transfers
/// come as a burst, and the multicast's next load waits for it. And all cores start the kernel at
/// once: they desynchronise only because a resource serves one before the other.
namespace gridloom::cost {

/// Delay of a multicast's load by the synchronised bursts of a level on the resources it uses, when
/// the cores along its dimensions are in phase. Packets are served in turns, so a load of fewer
/// bytes ends before the others; but not before another multicast of a single packet.
double delayByBursts(WholeCandidate& whole, const FlatCost& multicast, int level);

/// Delay of a multicast's loads, in an iteration of a level, by tiles of the level that other cores
/// load for themselves, one line of cores after the other. Tiles of one packet are served in the
/// order of their requests: each line's burst delays the multicast by what exceeds `slack`, the
/// time it may wait.
double delayByLines(WholeCandidate& whole, const FlatCost& multicast, int level, double slack);

/// Loads further inside by which the cores of a multicast burst while one of its tiles is loaded:
/// cycles for which they keep what its load needs busy, and bytes of the load that take turns with
/// them in that time.
struct InnerLoads {
  double cycles = 0, bytes = 0;
};
InnerLoads burstsInside(WholeCandidate& whole, const FlatCost& multicast);

/// Time of the bytes of one transfer by all cores at once, together with the level's overlapped
/// inputs.
double burstWith(WholeCandidate& whole, const FlatCost& cost);

}  // namespace gridloom::cost
