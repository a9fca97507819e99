// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Adds statements that set to 0 what no statement defines of an output: `Y[i, j] = 0 where j > i`
/// beside `Y[i, j] = ... where j <= i`. They are marked `implied`. Needs loop extents. Leaves alone
///
/// - outputs of which the loops of no statement reach every element,
/// - those whose rest takes more than a few statements or is no affine set (every second element),
/// - those whose own elements need what is undefined (undefinedSelfRead).
void addUndefinedZeros(Kernel& kernel);

}  // namespace gridloom::kernel
