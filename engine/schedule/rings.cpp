// SPDX-License-Identifier: Apache-2.0
#include "schedule/rings.h"

#include <algorithm>

#include "schedule/wiring.h"

namespace gridloom::schedule {

Share shareOf(std::int64_t elements, std::int32_t cores, std::int32_t number) {
  const std::int64_t each = (elements + cores - 1) / cores;
  const std::int64_t first = std::min(elements, each * number);
  return {first, std::min(each, elements - first)};
}

PortId ringOf(const Schedule& schedule, BufferId buffer) {
  for (std::size_t c = 0; c < schedule.channels.size(); ++c) {
    const Channel& channel = schedule.channels[c];
    if (channel.kind != Channel::Kind::Ring) continue;
    const Buffer& own = schedule.buffers[buffer.index()];
    const Buffer& target = schedule.buffers[channel.target.index()];
    const bool reduces = own.use == Buffer::Use::Output && target.use == Buffer::Use::Partial &&
                         own.operand == target.operand;
    if (reduces || channel.target == buffer) return PortId::of(c);
  }
  return {};
}

bool movesShare(Op op) {
  return op == Op::Load || op == Op::Store || op == Op::Send || op == Op::Receive ||
         op == Op::Reduce;
}

RingPlace shareAt(const Placement& placement, std::int32_t core, int dim, std::int32_t arg) {
  const std::int32_t cores = placement.activeAlong(core, dim);
  const std::int32_t back = (placement.coordinate(core, dim) - arg) % cores;
  return {back < 0 ? back + cores : back, cores};
}

}  // namespace gridloom::schedule
