// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Per statement: the loop along which it carries state of which every index is needed, as an
/// output that runs over the loop is made from it (`h` in `y[t] = sum(n) C[t, n] * h[t, n]`), or is
/// the state; not valid for others. Such state must take every step of its loop; other state, of
/// which only the end is needed, may be computed tile by tile (`l` of flash attention).
std::vector<LoopId> followedStates(const Kernel& kernel);

}  // namespace gridloom::kernel
