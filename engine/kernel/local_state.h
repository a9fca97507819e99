// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Outputs that are computed from their own elements, as state that they copy, borders included:
///
///     H[i, j] = max(H[i - 1, j], H[i, j - 1]) + s[i, j]  where i >= 1, j >= 1
///     H[0, j] = s[0, j]
///
/// becomes `h[i, j] = ... where i >= 1, j >= 1`, `h[i, j] = s[0, j] where i == 0` and
/// `H[i, j] = h[i, j]`; other statements read the state. It is the reverse of withOutputState.
/// Nothing where there are no such outputs, or where one is not written with a loop for each index.
/// `Diagonals::Kept` leaves `H[j, j] = ...` a statement of one loop, where it is the last of its
/// step, as in the factors of a QR decomposition; else it is `h[i, j] = ... where i == j`, too.
/// Needs extents and Statement::loops.
enum class Diagonals : std::uint8_t { Placed, Kept };
std::optional<Kernel> withLocalState(const Kernel& kernel, Diagonals diagonals = Diagonals::Placed);

/// Whether a loop has steps in which no element needs another, as sweeps over a grid have: cores
/// share such a step, and state in one core leaves the others idle.
bool hasStepsInParallel(const Kernel& kernel);

}  // namespace gridloom::kernel
