// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"
#include "kernel/local_state.h"

namespace gridloom::kernel {

/// Borders of an output are often statements of their own:
///
///     B[0, j] = A[0, j]
///     B[i, j] = A[i - 1, j] + A[i, j]  where i >= 1
///
/// The first does not run over i, and tiles of i would leave it out. So it becomes one of the loop,
/// `B[i, j] = A[i, j] where i == 0`. An input that has another constant in the same dimension
/// elsewhere, such as A[N - 1, j], is read by the loop, too: a tile then needs only what lies
/// beside it, while a window of the first and the last row would span all rows. So are elements of
/// the row itself, as in `B[0, j] = B[0, j - 1] + 1`.
///
/// Nothing where no output has such a statement beside one of which every index is a loop. Of
/// outputs that need each other, only borders that read by the loop and sum nothing. Needs extents
/// and Statement::loops.
std::optional<Kernel> withOutputRows(const Kernel& kernel);

/// Writes all statements of one output with a loop for each index, as above; false where one of
/// them cannot be, which may leave some of them changed. `Diagonals::Kept` leaves diagonals as they
/// are.
bool placeRows(Kernel& kernel, TensorId output, Diagonals diagonals);

}  // namespace gridloom::kernel
