// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Splits the loops of a draft of which an index has a quotient (Kernel::divided), so that all
/// indices are affine: with `K[h / 4, j]`, h becomes `4 * h_outer + h_inner` everywhere, and h / 4
/// is h_outer. With several divisors, each must divide the next: h_outer, h_middle, h_inner. Locals
/// that h addresses get a dimension for each, and other loops over the same dimension are split
/// alike. Reports extents that are unknown or no multiple of the divisor.
void splitDividedLoops(Kernel& kernel, base::Diagnostics& errors);

}  // namespace gridloom::kernel
