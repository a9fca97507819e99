// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/kernel.h"
#include "schedule/findings.h"

namespace gridloom::schedule {

/// Checks that channels deliver the tiles that cores need, and at the right time (t = i + j + k in
/// Cyclotron: Sundram et al., 2025, Sec. 7). Both are affine in the waves and the mesh coordinates,
/// so one check covers all cores and iterations:
///  - The tile that is sent equals the tile that the receiver works on in the same waves (an
///    error).
///  - Streams of several operands arrive together, up to a delay at their sources (a warning: the
///    schedule is correct, but cores wait for the later operand and slots stay occupied).
base::Diagnostics checkArrivals(const Schedule& schedule, const kernel::Kernel& kernel,
                                const kernel::TileNest& nest, const hardware::Topology& hw,
                                const SourceMap* places);

}  // namespace gridloom::schedule
