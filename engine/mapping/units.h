// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "kernel/tile_nest.h"

namespace gridloom::mapping {

/// The tensor as written whose statements an operation belongs to; of several that a form of the
/// kernel computes in its stead, the first.
kernel::TensorId targetOf(const kernel::Kernel& kernel, const kernel::TileOp& op);

/// The nest whose products run on the units that `unit(...)` names (Constraints::units). Products
/// of other statements take the faster unit for each tile.
kernel::TileNest withUnits(kernel::TileNest nest, const kernel::Kernel& kernel,
                           const std::map<kernel::TensorId, kernel::UnitKind>& units);

/// The units that a nest pins, by the name of the tensor.
std::map<std::string, kernel::UnitKind> pinnedUnits(const kernel::Kernel& kernel,
                                                    const kernel::TileNest& nest);

}  // namespace gridloom::mapping
