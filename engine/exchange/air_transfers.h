// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/tile_nest.h"
#include "schedule/schedule.h"

namespace gridloom::exchange {

/// A temporal loop inside a transfer, whose tiles it brings at once.
struct InnerLoop {
  std::size_t position = 0;  ///< among the temporal loops
  std::int64_t trips = 1;
};

/// The slot of an operand whose transfer stands at a hoist level: one dimension for every temporal
/// loop inside, on which its tile depends, then those of the tile.
struct SlotShape {
  std::vector<InnerLoop> inner;
  std::vector<std::int64_t> tile;
  std::vector<std::int64_t> sizes() const;
};
SlotShape slotShapeOf(const kernel::Kernel& kernel, const kernel::Operand& operand,
                      const schedule::Schedule& schedule, int level);

/// Row-major strides.
std::vector<std::int64_t> stridesOf(const std::vector<std::int64_t>& shape);
/// Elements of a region at a whole tile.
std::int64_t regionExtent(const kernel::RegionDim& dim, const std::vector<std::int64_t>& tileSizes);

/// `memref<8x64xf16>` in global memory (space 0), `memref<..., 1 : i32>` in a shared buffer, and
/// `memref<..., 2 : i32>` in local memory.
std::string memrefType(const std::vector<std::int64_t>& shape, kernel::DType dtype, int space);
std::string mlirType(kernel::DType dtype);
/// A name as an MLIR identifier: letters, digits and `_`.
std::string mlirName(std::string_view name);

}  // namespace gridloom::exchange
