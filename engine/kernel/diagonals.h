// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// The recurrence of a square output may have one value for each index in a tensor of its own:
///
///     p[j] = 1 / sqrt(A[j, j] - sum(k) L[j, k] * L[j, k])  where k < j
///     L[i, j] = (A[i, j] - sum(k) L[i, k] * L[j, k]) * p[j]  where i >= j, k < j
///
/// Tiles of outputs that need each other share their loops. The draft has these values on the
/// diagonal of a local of the output's shape, `p_diagonal`, which may be stored like the output
/// (withStoredLocals):
///
///     d[i, j] = 1 / sqrt(A[j, j] - sum(k) L[j, k] * L[j, k])  where k < j, i == j
///     L[i, j] = (A[i, j] - sum(k) L[i, k] * L[j, k]) * d[j, j]  where i >= j, k < j
///
/// An output, `p`, copies the diagonal; in one nest of tiles, it cannot. So outputs are placed only
/// for kernels that run apart. Nothing where there is no such tensor, or where its loop is none of
/// the square's. Needs Statement::loops.
std::optional<Kernel> withDiagonalLocals(const Kernel& kernel);
std::optional<Kernel> withDiagonalOutputs(const Kernel& kernel);

}  // namespace gridloom::kernel
