// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Several values may be written as one local, as the gates of a cell:
///
///     g[t, n, q] = sum(m) U[q, n, m] * h[t - 1, m]
///     c[t, n] = sigmoid(g[t, n, 0]) * c[t - 1, n] + sigmoid(g[t, n, 1]) * tanh(g[t, n, 2])
///
/// The draft with a local for each of them (`g0[t, n] = sum(m) U[0, n, m] * h[t - 1, m]`), of the
/// shape of the recurrence. Nothing where no local of a recurrence has a short dimension that is
/// one loop where it is written, and a number wherever it is read.
std::optional<Kernel> withSplitLocals(const Kernel& kernel);

}  // namespace gridloom::kernel
