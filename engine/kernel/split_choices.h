// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// The cases of a recurrence may be written as one choice:
///
///     L[i, j] = select(i == j, sqrt(A[i, i] - ...), (A[i, j] - ...) / L[j, j])  where j <= i
///
/// The draft in which each case is a statement of its own (`where i == j`, `where j < i`), which
/// needs no more than what it reads. Nothing where no statement of a recurrence is a choice by
/// comparisons of the loops that index its target.
std::optional<Kernel> withSplitChoices(const Kernel& kernel);

/// The same of outputs without a recurrence, where at most one case of a choice is more than an
/// element or a number, as beside a border: `B[i] = select(i == 0 or i == N - 1, A[i], A[i - 1] +
/// A[i + 1])`.
std::optional<Kernel> withSplitBorders(const Kernel& kernel);

}  // namespace gridloom::kernel
