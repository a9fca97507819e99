// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// State reads its initial value before the first index, so that a `select` which does the same is
/// needless: `select(i >= 1, h[i - 1, j], 0)` becomes `h[i - 1, j]` for state with the initial
/// value 0. The first number that is chosen so becomes the initial value; a `select` of another
/// stays. The initial value must not be read yet.
void readInitialValue(Kernel& kernel, TensorId state);

}  // namespace gridloom::kernel
