// SPDX-License-Identifier: Apache-2.0
#include "schedule/split_all_reduces.h"

#include "mapping/all_reduce.h"

namespace gridloom::schedule {

std::vector<std::size_t> allReducesOf(const Schedule& schedule, const kernel::TileNest& nest) {
  return mapping::splitAllReduces(nest, schedule.mapping);
}

}  // namespace gridloom::schedule
