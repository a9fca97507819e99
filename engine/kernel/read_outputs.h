// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// An intermediate result may be an output, too:
///
///     A[i, k] = sum(j) X[i, j] * X[k, j]
///     Y[i, j] = sum(k) A[i, k] * X[k, j]
///
/// Such outputs do not need themselves. Statements then read a local tensor, `A_value`, that the
/// output copies. Nothing where no other statement reads an output, where elements of a tensor need
/// others of the same tensor, or where an output has a statement with an index that is no loop.
std::optional<Kernel> withLocalIntermediates(const Kernel& kernel);

/// Outputs that need their own later elements, with loops that count down to them:
///
///     x[N - 1 - i] = b[N - 1 - i] - sum(j) U[N - 1 - i, N - 1 - j] * x[N - 1 - j]  where j < i
///
/// Each becomes a local tensor that counts from the end, `x_value[i]`, which the output copies.
std::optional<Kernel> withForwardState(const Kernel& kernel);

}  // namespace gridloom::kernel
