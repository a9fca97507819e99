// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Statements that write one output may each have a loop of their own:
///
///     Y[2 * a] = X[a]
///     Y[2 * b + 1] = Z[b]
///
/// Tiles of `a` would leave out the second one. Loops with the same extent and the same factor in
/// one index become one, here `a`, where no statement has both. Nothing where there are no such
/// loops, or where that gives no loop tiles.
std::optional<Kernel> withJoinedLoops(const Kernel& kernel);

}  // namespace gridloom::kernel
