// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gridloom::hardware {

/// A set of mesh dimensions: bit d is Topology::dims()[d].
using DimMask = std::uint32_t;

constexpr bool has(DimMask mask, std::size_t dim) { return (mask >> dim & 1U) != 0; }

/// Where a tensor's tiles lie: an input's before the kernel starts, an output's after it has ended.
enum class TensorLayout : std::uint8_t {
  PageInterleaved,  ///< global memory, pages in all channels in turn
  /// global memory, each tile whole in one channel, neighbouring tiles in successive ones
  TileInterleaved,
  NearestChannel,  ///< global memory, each tile in the channel nearest to the core that moves it
  Local,  ///< local memories of the cores that move the tiles: a condition that only directives set
};

/// Names of layouts in directives and results, by TensorLayout.
inline constexpr std::array<std::string_view, 4> kLayoutNames{"page", "tile", "nearest", "local"};

}  // namespace gridloom::hardware
