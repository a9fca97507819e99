// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/tile_nest.h"
#include "schedule/schedule.h"

namespace gridloom::exchange {

/// One dimension of a strided copy between a tensor in global memory and a buffer: `size` elements
/// `stride` apart. `index` is where it starts, over the origins of tiles; `limit` cuts edge tiles.
struct CopyDim {
  affine::LinearExpr index;  ///< over loops: coefficient times the first element of the loop's tile
  std::int64_t size = 1;
  std::int64_t stride = 1;
  std::int64_t limit = 0;  ///< size of the tensor along it; 0: nothing is cut
};

/// The copy that a transfer of an operand at a hoist level makes: one dimension for every temporal
/// loop inside whose tiles it takes along, then those of the tensor. `waves`: trips per loop.
/// `cuts`: an edge tile may be smaller behind a hoisted loop, which such a copy cannot say.
struct Copy {
  std::vector<CopyDim> dims;
  bool cuts = false;
};
Copy copyOf(const kernel::Kernel& kernel, const kernel::Operand& operand,
            const schedule::Schedule& schedule, int level);

/// `memref<8x64xf16>` in global memory (space 0), `memref<..., 1 : i32>` in a shared buffer, and
/// `memref<..., 2 : i32>` in local memory.
std::string memrefType(const std::vector<std::int64_t>& shape, kernel::DType dtype, int space);
std::string mlirType(kernel::DType dtype);
/// A name as an MLIR identifier: letters, digits and `_`.
std::string mlirName(std::string_view name);

}  // namespace gridloom::exchange
