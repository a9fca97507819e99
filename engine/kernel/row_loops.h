// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Statements may call one loop by several names:
///
///     q[a] = sum(k) X[a, k] * X[a, k]
///     Y[i, j] = X[i, j] * rsqrt(q[i])
///
/// The draft in which elements of a local are read along the loops that define them, `q[i] = sum(k)
/// X[i, k] * X[i, k]`; or, with `Rows::Joined`, in which what is reduced over rows runs along the
/// loop of other statements that read the same rows, too: `q[i] = sum(j) X[i, j] * X[i, j]`, so
/// that a row is loaded once. These are outputs over the row, and other reductions of it. Loops of
/// outputs keep their names where they can. Nothing where names are so, or the kernel has state.
enum class Rows : std::uint8_t { Apart, Joined };
std::optional<Kernel> withRowLoops(const Kernel& kernel, Rows rows);

}  // namespace gridloom::kernel
