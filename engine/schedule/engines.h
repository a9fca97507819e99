// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/schedule.h"

namespace gridloom::schedule {

/// The DMA channels that the processes of a core use. A channel takes one transfer at a time. A
/// process keeps to one channel per direction, as a flow of a real machine does, and processes that
/// share one take turns (MLIR-AIR: Wang et al., 2025, Secs. 5.3.1 and 7.4.2).
///
/// Channels belong to memories: a load or a receive comes in through one of local memory, a store or a send
/// leaves through one. Transfers with a middle memory use its channels instead, which all cores of the
/// instance share; those are dealt to them in turn.
enum class Direction : std::uint8_t { In, Out };

/// What a process moves tiles through.
struct Flows {
  bool localIn = false, localOut = false;                ///< of its core's memory
  bool sharedBufferIn = false, sharedBufferOut = false;  ///< of the memory on the way
};
Flows flowsOf(const Schedule& schedule, const Process& process);

/// Channels of local memory in one direction, by process of a program: -1 where it needs none or none limits
/// it, else a number from 0.
struct ChannelPlan {
  std::vector<int> channelOf;
  int flows = 0;   ///< processes that need one
  int needed = 0;  ///< the fewest that the bonds allow
  bool feasible = true;
};

/// Processes with channels to themselves come first; then the others, tied ones together, each to the channel
/// with the fewest of them so far. `limit` 0: as many channels as that takes.
ChannelPlan planChannels(const Schedule& schedule, const Program& program, Direction direction,
                         std::int64_t limit);

/// Whether a process moves tiles of a member's operand.
bool isMember(const Schedule& schedule, const Process& process,
              const DmaConstraint::Member& member);

/// Whether any transfer may have to wait for a DMA channel.
bool limitsTransfers(const Schedule& schedule, const hardware::Topology& hw);

}  // namespace gridloom::schedule
