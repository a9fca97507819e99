// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Whether a statement computes an element of the tensor from another element of it that statements
/// define, directly or through other tensors: a recurrence. `P[t] = Q[t] where t < 4` beside
/// `Q[t] = P[7 - t]` is none, as it needs only elements that nothing defines. True as well where
/// that takes too long to find out.
bool needsOwnElements(const Kernel& kernel, TensorId tensor);

}  // namespace gridloom::kernel
