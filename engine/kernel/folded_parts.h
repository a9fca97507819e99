// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Both halves of a dimension may need each other, as in a rotary embedding:
///
///     Y[s, d] = X[s, d] * c[s, d] + select(d < 32, -X[s, d + 32], X[s, d - 32]) * z[s, d]
///
/// A tile of d would read three tiles of X. The draft runs over one half, and computes both
/// positions in a tile, from the two tiles of X that they share:
///
///     Y[s, d] = X[s, d] * c[s, d] + -X[s, d + 32] * z[s, d]
///     Y[s, d + 32] = X[s, d + 32] * c[s, d + 32] + X[s, d] * z[s, d + 32]
///
/// So does a pair, or another short group of positions, `Y[2 * d + r]` that reads `X[2 * d + 1 -
/// r]`: each of them is a statement without the loop `r`.
///
/// Nothing where no statement reads at half the extent of a loop behind its own element, or at
/// another position of a group.
std::optional<Kernel> withFoldedParts(const Kernel& kernel);

}  // namespace gridloom::kernel
