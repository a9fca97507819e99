// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Borders of an output are often statements of their own:
///
///     B[i] = A[i + 1] - A[i - 1]  where i >= 1, i <= N - 2
///     B[0] = A[1]
///
/// The second runs over no loop, and tiles of i would leave it out. So it becomes one of the loop,
/// `B[i] = A[1] where i == 0`. Nothing where no output has such a statement beside one of which
/// every index is a loop, or where outputs need each other, which place their statements in tiles
/// themselves. Needs extents and Statement::loops.
std::optional<Kernel> withOutputRows(const Kernel& kernel);

/// Writes all statements of one output with a loop for each index, as above; false where one of
/// them cannot be, which may leave some of them changed.
bool placeRows(Kernel& kernel, TensorId output);

}  // namespace gridloom::kernel
