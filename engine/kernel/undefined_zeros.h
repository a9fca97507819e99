// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Adds statements that set to 0 what no statement defines of an output: `Y[i, j] = 0 where j > i`
/// beside `Y[i, j] = ... where j <= i`. They are marked `implied`. Needs loop extents. Leaves
/// alone outputs that no statement names by one loop per dimension over its whole extent, and those
/// whose rest takes more than a few statements or is no affine set (every second element).
void addUndefinedZeros(Kernel& kernel);

}  // namespace gridloom::kernel
