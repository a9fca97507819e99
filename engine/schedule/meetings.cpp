// SPDX-License-Identifier: Apache-2.0
#include "schedule/meetings.h"

#include "mapping/all_reduce.h"

namespace gridloom::schedule {

std::vector<std::size_t> meetingsOf(const Schedule& schedule, const kernel::TileNest& nest) {
  return mapping::meetings(nest, schedule.mapping);
}

}  // namespace gridloom::schedule
