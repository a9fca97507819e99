// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/kernel.h"
#include "schedule/findings.h"

namespace gridloom::schedule {

/// Whether what channels bring is what cores need, and when (t = i + j + k in Cyclotron:
/// Sundram et al., 2025, Sec. 7). Both are affine in
/// the waves and the mesh coordinates, so both are decided for all cores and iterations at once:
///  - the tile that is sent equals the tile that the receiver works on in the same waves (an error);
///  - streams of several operands arrive together, up to a delay at their sources (a warning: the schedule
///    is right, but cores wait for the later operand and slots stay taken).
base::Diagnostics checkArrivals(const Schedule& schedule, const kernel::Kernel& kernel,
                                const kernel::TileNest& nest, const hardware::Topology& hw,
                                const SourceMap* places);

}  // namespace gridloom::schedule
