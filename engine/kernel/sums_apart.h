// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Reductions of one element over equally many terms may have limits of their own:
///
///     C[i, j] = (sum(k) A[i, k] * B[k, j]) + (sum(l) A[l, i] * B[l, j])  where k < i, l > i
///
/// The draft in which the second is a statement, so that both are tiled together: `C_sum[i, j] =
/// sum(k) A[k, i] * B[k, j]  where k > i`. Nothing where there are none, a `select` chooses it, or
/// the kernel has state. Needs extents and Statement::loops.
std::optional<Kernel> withSumsApart(const Kernel& kernel);

}  // namespace gridloom::kernel
