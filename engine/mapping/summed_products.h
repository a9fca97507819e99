// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kernel/tile_nest.h"

namespace gridloom::mapping {

/// The sums of products of inputs that a kernel forms for an output, on the way through local
/// tensors or not: for each one that runs along all of `loops`, the names of the multiplied
/// operands, sorted. Constant factors are left out, and so are sums of anything else.
std::vector<std::vector<std::string>> summedProducts(const kernel::Kernel& kernel,
                                                     const kernel::TileNest& nest,
                                                     kernel::TensorId output,
                                                     const std::vector<kernel::LoopId>& loops);

}  // namespace gridloom::mapping
