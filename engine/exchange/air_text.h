// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "schedule/schedule.h"

namespace gridloom::exchange {

/// A schedule in the AIR dialect of MLIR (Wang et al., 2025; operations and attributes as in
/// mlir-air's AIR.td), in the generic form that `mlir-opt --allow-unregistered-dialect` parses:
/// a launch with one segment, a herd for every box of cores with one program, channels with their
/// broadcast shape, and asynchronous tokens. The buffers of a ring go round as loop-carried values
/// (ping-pong). Tile operations are calls of functions that are declared only.
///
/// What happens at some tiles only stands in `scf.if`: where a domain leaves out tiles, where tiles
/// rotate, where a core of a line has no tile in the last iteration. A broadcast reaches all cores
/// of its shape. In iterations in which some of them have no tile, the sender puts the tile once
/// for each of the others, on a channel `_each`. The sender counts in the shape of a broadcast, but
/// gets nothing. Every put has its gets; global memory moves the bytes that the schedule moves.
///
/// Tiles that the kernel computes itself pass over channels (AirAwaits): a token where other cores
/// load what is stored, the tile where it is forwarded. Windows on them that reach over the edge of
/// a tensor move what lies inside.
///
/// Herds have two dimensions: in meshes of more, the second one is row-major over all but the
/// first; channels have the dimensions of the mesh. Errors: tiles in local memory before or after
/// the launch, rings over tiles of several sizes, rings that store tiles which other cores await.
base::Result<std::string> airText(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw);

}  // namespace gridloom::exchange
