// SPDX-License-Identifier: Apache-2.0
#include "mapping/tile_buffers.h"

#include <algorithm>

#include "mapping/partials.h"

namespace gridloom::mapping {

using base::saturatingAdd;
using base::saturatingMul;

TileBuffers inputBuffers(const kernel::TileNest& nest, const Mapping& mapping, const Tiling& tiling,
                         std::size_t input, const InputMovement& movement) {
  const kernel::Operand& operand = nest.inputs[input];
  return inputBuffers(operand, tiling, movement,
                      [&](int level) { return tileBytes(operand, tiling, mapping.order, level); });
}

TileBuffers outputBuffers(const kernel::TileNest& nest, const Mapping& mapping,
                          const Tiling& tiling, std::size_t output,
                          const OutputMovement& movement) {
  const kernel::Operand& operand = nest.outputs[output];
  const bool reduces = movement.reduction != ReductionTopology::None;
  const std::int64_t tile =
      tileBytes(operand, tiling, mapping.order, outputLevel(nest, mapping.order));
  const std::int64_t partial = reduces ? partialBytes(nest, operand, tiling, mapping.order) : 0;
  TileBuffers out;
  // A core that does not finish the tile holds its partial results there until they are sent.
  out.push_back({BufferUse::Output, Memory::Local, 0, std::max(tile, partial), movement.buffers});
  if (reduces) {
    out.push_back({BufferUse::Partial, Memory::Local, 0,
                   receivedBytes(nest, mapping, tiling, operand, movement.reduction)});
  }
  if (movement.gather >= 0) out.push_back({BufferUse::Gather, Memory::Local, 0, tile});
  for (int k = movement.nextShared(-1); k >= 0; k = movement.nextShared(k)) {
    const auto level = static_cast<std::size_t>(k);
    out.push_back(
        {BufferUse::SharedOutput, Memory::shared(level), 0, tile, movement.sharedBuffers[level]});
  }
  const std::int64_t remaining = residentBytes(nest, operand, movement, tiling, mapping.order);
  if (remaining > 0) out.push_back({BufferUse::Remaining, Memory::Local, 0, remaining});
  return out;
}

std::int64_t receivedBytes(const kernel::TileNest& nest, const Mapping& mapping,
                           const Tiling& tiling, const kernel::Operand& output,
                           ReductionTopology reduction) {
  const std::int64_t bytes = partialBytes(nest, output, tiling, mapping.order);
  if (reduction != ReductionTopology::ReduceScatter) return bytes;
  std::int64_t cores = 1;
  const DimMask split = finishingDims(nest, output, mapping);
  for (std::size_t d = 0; d < tiling.active.size(); ++d) {
    if ((split >> d & 1U) != 0) cores *= tiling.active[d];
  }
  return shareBytes(output.dtype, bytes, cores);
}

std::int64_t bytesIn(const TileBuffers& buffers, Memory memory, const hardware::Topology& hw,
                     const Tiling& tiling) {
  std::int64_t bytes = 0;
  for (const TileBuffer& buffer : buffers) {
    if (buffer.memory != memory) continue;
    const std::int64_t copies =
        memory == Memory::Local
            ? hw.local().copies(tiling.active, buffer.together)
            : groupsPerInstance(hw.sharedBuffer(memory.level()), tiling.active, buffer.together);
    bytes = saturatingAdd(bytes, saturatingMul(saturatingMul(buffer.bytes, buffer.slots), copies));
  }
  return bytes;
}

}  // namespace gridloom::mapping
