// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::exchange {

/// The annotated loop nest of a mapping (report/loop_nest.h) as MLIR: `affine.parallel` over the
/// cores, `affine.for` over time, `affine.apply` for the numbers of tiles, and operations of TL's
/// `df` dialect (Li et al., 2025, Listing 5) in the generic form, which
/// `mlir-opt --allow-unregistered-dialect` reads. `"df.load"(%A, %ti)` has the buffer, then the
/// numbers of the tiles it moves; `tile` says them per dimension, with `*` for all.
std::string loopNestMlir(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                         const hardware::Topology& hw, const mapping::Mapping& mapping);

}  // namespace gridloom::exchange
