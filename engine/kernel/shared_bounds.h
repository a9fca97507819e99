// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Moves bounds of a `where` into the ranges of loops: if every statement over a loop limits it by
/// a number (`d < D` for a loop of 2 * D iterations), the loop ends at the largest of the limits,
/// and limits that hold for all of it are left out. What statements compute stays the same, but
/// tiles cover only what is computed. Needs extents and Statement::loops.
void takeSharedBounds(Kernel& kernel);

}  // namespace gridloom::kernel
