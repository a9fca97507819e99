// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/schedule.h"

namespace gridloom::schedule {

/// The DMA channels that the processes of a core use (timing/dma_assignment.h).
///
/// Channels belong to memories: a load or a receive uses an inbound channel of local memory, a
/// store or a send an outbound one. Transfers with a shared buffer use the channels of the shared
/// buffer instead. All cores of its group share them.
enum class Direction : std::uint8_t { In, Out };

/// The memories and directions of a process's transfers.
struct Flows {
  bool localIn = false, localOut = false;  ///< of the core's local memory
  /// of a shared buffer, by its level of Topology::sharedBuffers; kNone: of none
  int sharedIn = kNone, sharedOut = kNone;
  static constexpr int kNone = -1;
};
Flows flowsOf(const Schedule& schedule, const Process& process);

/// Assigns processes of a program to channels of local memory in one direction: -1 where a process
/// needs none or the channels are unlimited, else a number from 0.
struct ChannelPlan {
  std::vector<int> channelOf;
  int flows = 0;   ///< processes that need one
  int needed = 0;  ///< the fewest that the DMA constraints allow
  bool feasible = true;
};

/// Processes with a channel of their own come first. The others follow, those with an affinity
/// together, by their bytes (timing::DmaBalance). `limit` 0: as many channels as needed.
ChannelPlan planChannels(const Schedule& schedule, const Program& program, Direction direction,
                         std::int64_t limit);

/// Whether a process transfers tiles of the member's operand.
bool isMember(const Schedule& schedule, const Process& process,
              const DmaConstraint::Member& member);

/// Whether any transfer may have to wait for a DMA channel.
bool limitsTransfers(const Schedule& schedule, const hardware::Topology& hw);

}  // namespace gridloom::schedule
