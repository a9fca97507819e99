// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Loops over the inner part of an output become loops over all of it, with a `where`:
///
///     for y in 0..N - 2
///     O[y + 1] = X[y] + X[y + 2]
///
/// is read as `O[y] = X[y - 1] + X[y + 1]  where y >= 1, y < N - 1`, so that the rest of the output
/// is what no statement defines (addUndefinedZeros), or what other statements define. Leaves alone
/// loops that other tensors use, and outputs whose own elements need undefined ones
/// (undefinedSelfRead). Needs loop extents.
void coverBorders(Kernel& kernel);

}  // namespace gridloom::kernel
