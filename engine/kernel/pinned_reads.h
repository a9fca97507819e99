// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// What wraps around is a choice of a far element:
///
///     B[i] = A[i] + select(i >= 1, A[i - 1], A[i - 1 + N])
///
/// Where it is read, its index is one number, `A[N - 1]`. The draft in which it is written so: a
/// tile with all elements between `A[i - 1]` and `A[i - 1 + N]` would be the whole tensor. Nothing
/// where no tensor of the role, input or output, has such reads: they lie at least half of the loop
/// away from all others.
std::optional<Kernel> withPinnedReads(const Kernel& kernel, TensorRole role);

}  // namespace gridloom::kernel
