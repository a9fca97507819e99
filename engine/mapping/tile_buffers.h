// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mapping/transfers.h"

namespace gridloom::mapping {

/// The buffers of one operand without the steps of its transfers: what a search asks for every
/// movement before it costs it. Parameters and units as in mapping/transfers.h.
using TileBuffers = base::FixedVector<TileBuffer, 6>;

TileBuffers inputBuffers(const kernel::TileNest& nest, const Mapping& mapping, const Tiling& tiling,
                         std::size_t input, const InputMovement& movement);
/// The same, with the bytes of a transfer at a level from bytesAt(level), which may remember them.
template <class BytesAt>
TileBuffers inputBuffers(const kernel::Operand& operand, const Tiling& tiling,
                         const InputMovement& movement, const BytesAt& bytesAt) {
  TileBuffers out;
  // A tensor in local layout that every core loads itself is used in place.
  const bool inPlace =
      movement.layout == TensorLayout::Local && movement.kind == MovementKind::Direct;
  const bool stationary = movement.kind == MovementKind::Stationary;
  out.push_back({stationary ? BufferUse::Stationary : BufferUse::Input, Memory::Local,
                 movement.shared, inPlace ? 0 : bytesAt(movement.level), movement.buffers});
  for (int k = movement.nextShared(-1); k >= 0; k = movement.nextShared(k)) {
    const SharedBufferUse& use = movement.sharedBuffers[static_cast<std::size_t>(k)];
    out.push_back({BufferUse::SharedInput, Memory::shared(static_cast<std::size_t>(k)),
                   movement.sharedAlong(k), bytesAt(use.level), use.buffers});
  }
  if (const std::int64_t resident = residentBytes(operand, movement, tiling); resident > 0)
    out.push_back({BufferUse::Resident, Memory::Local, movement.shared, resident});
  return out;
}
/// Without the tiles held for other cores.
TileBuffers outputBuffers(const kernel::TileNest& nest, const Mapping& mapping,
                          const Tiling& tiling, std::size_t output, const OutputMovement& movement);

/// Bytes of buffers in the fullest instance of a memory.
std::int64_t bytesIn(const TileBuffers& buffers, Memory memory, const hardware::Topology& hw,
                     const Tiling& tiling);

/// Bytes of a message of partial results: of all of an output's, or of one share in a ring.
std::int64_t receivedBytes(const kernel::TileNest& nest, const Mapping& mapping,
                           const Tiling& tiling, const kernel::Operand& output,
                           ReductionTopology reduction);

}  // namespace gridloom::mapping
