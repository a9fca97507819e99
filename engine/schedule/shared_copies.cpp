// SPDX-License-Identifier: Apache-2.0
#include "schedule/shared_copies.h"

namespace gridloom::schedule {

PortId sharingChannel(const Schedule& schedule, BufferId buffer) {
  for (std::size_t c = 0; c < schedule.channels.size(); ++c) {
    const Channel& channel = schedule.channels[c];
    if (channel.kind == Channel::Kind::Share && channel.target == buffer) return PortId::of(c);
  }
  return {};
}

std::int64_t localBytesOf(const Schedule& schedule, const hardware::Topology& hw) {
  std::int64_t bytes = 0;
  for (std::size_t b = 0; b < schedule.buffers.size(); ++b) {
    const Buffer& buffer = schedule.buffers[b];
    if (isInSharedBuffer(buffer.use)) continue;
    const PortId channel = sharingChannel(schedule, BufferId::of(b));
    const mapping::DimMask together =
        channel.valid() ? schedule.channels[channel.index()].along : 0;
    const std::int64_t copies = hw.local().copies(schedule.tiling.active, together);
    bytes = base::saturatingAdd(
        bytes, base::saturatingMul(base::saturatingMul(buffer.bytes, buffer.slots), copies));
  }
  return bytes;
}

}  // namespace gridloom::schedule
