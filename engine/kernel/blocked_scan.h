// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// The running sum of one long row, `P[i] = P[i - 1] + A[i]`, by blocks (Blelloch, 1990): their own
/// running sums, which cores share, those of their totals, and both together:
///
///     s[b, r] = s[b, r - 1] + A[4096 * b + r]
///     c[b] = c[b - 1] + s[b - 1, 4095]
///     P[4096 * b + r] = s[b, r] + c[b]
///
/// The last block is shorter where the length has no divisors for blocks of one length.
///
/// Nothing where a checked kernel is more than such a sum, on the output or in state that it
/// copies, or where the row is short.
std::optional<Kernel> withBlockedScan(const Kernel& kernel);

}  // namespace gridloom::kernel
