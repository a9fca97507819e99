// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mapping/mapping.h"

namespace gridloom::mapping {

namespace {

template <class IsUsed> int nextUsed(int level, const IsUsed& isUsed) {
  for (int outer = level + 1; outer < static_cast<int>(hardware::kMostSharedBuffers); ++outer) {
    if (isUsed(static_cast<std::size_t>(outer))) return outer;
  }
  return -1;
}

}  // namespace

int InputMovement::nextShared(int inner) const {
  return nextUsed(inner, [&](std::size_t k) { return sharedBuffers[k].isUsed(); });
}

int OutputMovement::nextShared(int inner) const {
  return nextUsed(inner, [&](std::size_t k) { return sharedBuffers[k] > 0; });
}

DimMask InputMovement::sharedAlong(int inner) const {
  DimMask dims = along;
  for (int k = 0; k <= inner; ++k) dims |= sharedBuffers[static_cast<std::size_t>(k)].along;
  return dims;
}

// The groups that differ along shared dimensions are assigned cyclically to the instances along the
// dimensions that a group spans.
std::int64_t groupsPerInstance(const hardware::SharedBuffer& buffer,
                               std::span<const std::int64_t> active, DimMask along) {
  const DimMask shared = buffer.sharedDims;
  std::int64_t groups = 1, instances = 1;
  for (std::size_t d = 0; d < active.size(); ++d) {
    if (hardware::has(shared, d) && !hardware::has(along, d)) groups *= active[d];
    if (!hardware::has(shared, d) && hardware::has(along, d)) instances *= active[d];
  }
  return base::ceilDiv(groups, instances);
}

void moveToEntry(const hardware::SharedBuffer& buffer, std::span<const std::int64_t> active,
                 DimMask along, std::span<std::int64_t> coordinates) {
  const DimMask shared = buffer.sharedDims;
  std::int64_t rank = 0;
  for (std::size_t d = 0; d < active.size(); ++d) {
    if (hardware::has(shared, d) && !hardware::has(along, d))
      rank = rank * active[d] + coordinates[d];
  }
  for (std::size_t d = 0; d < active.size(); ++d) {
    if (hardware::has(shared, d) || !hardware::has(along, d)) continue;
    coordinates[d] = rank % active[d];
    rank /= active[d];
  }
}

}  // namespace gridloom::mapping
