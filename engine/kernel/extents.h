// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Sets the extent of every loop of a draft from what `witnessesOf` finds. Reports loops of which
/// nothing is found, and dimensions that disagree (unless a `where` narrows the loop: then the
/// widest counts, but none that is longer than the output of its statement).
void deriveExtents(Kernel& kernel, base::Diagnostics& errors);

/// The largest extent by `witnessesOf`; 0: none.
std::int64_t widestExtent(const Kernel& kernel, LoopId loop);

/// Gives dimensions of size 0 in a draft the size that the loops of their one statement need.
void deriveShapes(Kernel& kernel);

}  // namespace gridloom::kernel
