// SPDX-License-Identifier: Apache-2.0
#include "schedule/herd_regions.h"

namespace gridloom::schedule {

std::vector<CoreBox> regionsOf(const Schedule& schedule, const hardware::Topology& hw,
                               ProgramId program) {
  const std::size_t dims = hw.dims().size();
  std::vector<bool> taken(schedule.programOfCore.size());
  const auto isFree = [&](hardware::CoreId core) {
    return schedule.programOfCore[core.index()] == program && !taken[core.index()];
  };
  std::vector<CoreBox> boxes;
  std::vector<std::int64_t> first(dims), last(dims), at(dims);
  const auto forSlab = [&](std::size_t along, std::int64_t where, const auto& body) {
    at = first;
    at[along] = where;
    for (;;) {
      if (!body(hw.coreAt(at))) return false;
      std::size_t d = dims;
      while (d-- > 0) {
        if (d == along) continue;
        if (++at[d] <= last[d]) break;
        at[d] = first[d];
      }
      if (d >= dims) return true;
    }
  };
  for (std::size_t core = 0; core < taken.size(); ++core) {
    if (!isFree(hardware::CoreId::of(core))) continue;
    hw.coordinatesOf(hardware::CoreId::of(core), first);
    last = first;
    for (std::size_t d = dims; d-- > 0;) {
      while (last[d] + 1 < hw.dims()[d].size && forSlab(d, last[d] + 1, isFree)) ++last[d];
    }
    for (std::int64_t slab = first[0]; slab <= last[0]; ++slab) {
      forSlab(0, slab, [&](hardware::CoreId c) { return taken[c.index()] = true; });
    }
    boxes.push_back({first, last});
  }
  return boxes;
}

}  // namespace gridloom::schedule
