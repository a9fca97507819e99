// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hardware/tensor_layout.h"
#include "hardware/topology.h"

/// How tensors lie in the channels of global memory.
///
/// A tensor consists of units that lie whole in one channel each. Successive units of a transfer
/// lie in successive channels, around the end. So do the first units of tiles that are neighbours
/// along any dimension: cores or iterations that walk a tensor in lockstep then use different
/// channels, whatever its extents are. A tile's *diagonal* is the sum of its numbers along all
/// loops of its operand. The channel of its first unit follows from that alone.
namespace gridloom::timing {

/// Bytes of a unit: a page, a tile, or the whole transfer where it lies in one channel (or in no
/// channel, in local memories). `tile` and `transfer`: their bytes.
template <class Bytes>
Bytes unitBytes(hardware::TensorLayout layout, const hardware::GlobalMemory& memory, Bytes tile,
                Bytes transfer) {
  switch (layout) {
  case hardware::TensorLayout::PageInterleaved:
    return static_cast<Bytes>(memory.interleave);
  case hardware::TensorLayout::TileInterleaved:
    return tile;
  case hardware::TensorLayout::NearestChannel:
  case hardware::TensorLayout::Local:
    break;
  }
  return transfer;
}

/// Whether the units of the layout go around the channels.
inline bool isInterleaved(hardware::TensorLayout layout) {
  return layout == hardware::TensorLayout::PageInterleaved ||
         layout == hardware::TensorLayout::TileInterleaved;
}

/// Channel of a transfer's unit, from 0, when the transfer begins with the tile of that diagonal.
constexpr std::int64_t channelOf(std::int64_t diagonal, std::int64_t unit, std::int64_t channels) {
  return (diagonal + unit) % channels;
}

/// By how many channels two tiles lie apart that are `tiles` apart along one loop.
constexpr std::int64_t channelStep(std::int64_t tiles, std::int64_t channels) {
  return channelOf(tiles, 0, channels);
}

}  // namespace gridloom::timing
