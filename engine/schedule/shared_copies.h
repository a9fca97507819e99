// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedule/schedule.h"

namespace gridloom::schedule {

/// Readers are tracked in a bit mask with one bit per slot, which limits the slots.
inline constexpr int kMostSharedSlots = 32;

/// The channel through which cores read one copy of a buffer's tiles in their common local memory.
/// Invalid when each core has a copy of its own.
PortId sharingChannel(const Schedule& schedule, BufferId buffer);

/// Bytes in the fullest local memory: the slots of all cores that share it. Slots that they share
/// count once.
std::int64_t localBytesOf(const Schedule& schedule, const hardware::Topology& hw);

}  // namespace gridloom::schedule
