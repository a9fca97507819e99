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
/// Errors: what AIR has no form for, or this export does not write: meshes of more than two
/// dimensions, shared buffers, tiles that go round a ring or rotate, domains, tiles that the kernel
/// produces itself, edge tiles behind a hoisted transfer.
base::Result<std::string> airText(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw);

}  // namespace gridloom::exchange
