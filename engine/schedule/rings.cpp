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
    if (channel.kind == Channel::Kind::Ring && channel.target == buffer) return PortId::of(c);
  }
  return {};
}

bool movesShare(Op op) { return op == Op::Load || op == Op::Send || op == Op::Receive; }

RingPlace shareAt(const Placement& placement, std::int32_t core, int dim, std::int32_t arg) {
  const std::int32_t cores = placement.activeAlong(core, dim);
  const std::int32_t back = (placement.coordinate(core, dim) - arg) % cores;
  return {back < 0 ? back + cores : back, cores};
}

}  // namespace gridloom::schedule
