// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mapping/transfers.h"

namespace gridloom::mapping {

/// The buffers of one operand without the steps of its transfers: what a search asks for every
/// movement before it costs it. Parameters and units as in mapping/transfers.h.
using TileBuffers = base::FixedVector<TileBuffer, 6>;

TileBuffers inputBuffers(const kernel::TileNest& nest, const Mapping& mapping, const Tiling& tiling,
                         std::size_t input, const InputMovement& movement);
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
