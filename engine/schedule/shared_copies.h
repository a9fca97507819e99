// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedule/schedule.h"

namespace gridloom::schedule {

/// A slot counts in as many bits who reads it.
inline constexpr int kMostSharedSlots = 32;

/// The channel through which cores read one copy of a buffer's tiles in the local memory they share; invalid when
/// each has its own.
PortId sharingChannel(const Schedule& schedule, BufferId buffer);

/// Bytes of the fullest local memory: the slots of all cores that share it, and once those that they share.
std::int64_t localBytesOf(const Schedule& schedule, const hardware::Topology& hw);

}  // namespace gridloom::schedule
