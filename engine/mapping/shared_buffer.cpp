// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mapping/mapping.h"

namespace gridloom::mapping {

namespace {

bool has(DimMask mask, std::size_t d) { return (mask >> d & 1u) != 0; }

}  // namespace

// The groups that differ along shared dimensions are assigned cyclically to the instances along the
// dimensions that a group spans.
std::int64_t groupsPerInstance(const hardware::Topology& hw, std::span<const std::int64_t> active,
                               DimMask along) {
  const DimMask shared = hw.sharedBuffer().sharedDims;
  std::int64_t groups = 1, instances = 1;
  for (std::size_t d = 0; d < active.size(); ++d) {
    if (has(shared, d) && !has(along, d)) groups *= active[d];
    if (!has(shared, d) && has(along, d)) instances *= active[d];
  }
  return base::ceilDiv(groups, instances);
}

void moveToEntry(const hardware::Topology& hw, std::span<const std::int64_t> active, DimMask along,
                 std::span<std::int64_t> coordinates) {
  const DimMask shared = hw.sharedBuffer().sharedDims;
  std::int64_t rank = 0;
  for (std::size_t d = 0; d < active.size(); ++d) {
    if (has(shared, d) && !has(along, d)) rank = rank * active[d] + coordinates[d];
  }
  for (std::size_t d = 0; d < active.size(); ++d) {
    if (has(shared, d) || !has(along, d)) continue;
    coordinates[d] = rank % active[d];
    rank /= active[d];
  }
}

}  // namespace gridloom::mapping
