// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Sets the extent of every loop of a draft from the dimensions it indexes alone. Reports loops
/// with no such dimension, and dimensions that disagree (unless a `where` narrows the loop: then
/// the widest counts, but none that is longer than the output of its statement). A tensor that is
/// read beyond the loop, too (`A[i + 2]` or `A[i + r]` beside `A[i]`), does not count where another
/// one is indexed by the loop. An index that counts from the end, `A[N - 1 - i]`, counts where no
/// other says how far the loop goes.
void deriveExtents(Kernel& kernel, base::Diagnostics& errors);

/// The largest dimension that the loop indexes alone; 0: none.
std::int64_t widestExtent(const Kernel& kernel, LoopId loop);

}  // namespace gridloom::kernel
