// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mapping/mapping.h"

namespace gridloom::mapping {

using base::saturatingAdd;
using base::saturatingMul;

namespace {

bool has(DimMask mask, std::size_t d) { return (mask >> d & 1u) != 0; }

// An upper bound on the groups that enter through one instance: the groups that differ along shared
// dimensions, assigned cyclically to the instances along the dimensions the group spans.
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

}  // namespace

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

std::int64_t sharedBufferBytes(const kernel::Operand& operand, const InputMovement& movement,
                               const Tiling& tiling, const std::vector<LoopId>& order,
                               const hardware::Topology& hw, std::span<const std::int64_t> active) {
  if (!movement.usesSharedBuffer()) return 0;
  InputMovement there = movement;
  there.level = static_cast<std::uint8_t>(movement.sharedBuffer.level);
  there.buffers = movement.sharedBuffer.buffers;
  return saturatingMul(inputBufferBytes(operand, there, tiling, order),
                       groupsPerInstance(hw, active, movement.along));
}

std::int64_t sharedBufferBytes(const kernel::TileNest& nest, const kernel::Operand& operand,
                               const OutputMovement& movement, const Tiling& tiling,
                               const std::vector<LoopId>& order, const hardware::Topology& hw,
                               std::span<const std::int64_t> active) {
  if (!movement.usesSharedBuffer()) return 0;
  const std::int64_t tile = outputBufferBytes(nest, operand, {}, tiling, order);
  return saturatingMul(saturatingMul(tile, movement.sharedBuffer),
                       groupsPerInstance(hw, active, 0));
}

std::int64_t totalSharedBufferBytes(const kernel::TileNest& nest, const Mapping& mapping,
                                    const Tiling& tiling, const hardware::Topology& hw) {
  const std::vector<std::int64_t> active = activeExtents(mapping, tiling, hw);
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    bytes = saturatingAdd(bytes, sharedBufferBytes(nest.inputs[i], mapping.inputs[i], tiling,
                                                   mapping.order, hw, active));
  }
  for (std::size_t o = 0; o < nest.outputs.size(); ++o) {
    bytes = saturatingAdd(bytes, sharedBufferBytes(nest, nest.outputs[o], mapping.outputs[o],
                                                   tiling, mapping.order, hw, active));
  }
  return bytes;
}

}  // namespace gridloom::mapping
