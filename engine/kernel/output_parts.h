// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// One output may hold results of several statements that need each other, as both factors of LU:
///
///     F[i, j] = A[i, j] - sum(k) F[i, k] * F[k, j]  where i <= j, k < i
///     F[i, j] = (A[i, j] - sum(k) F[i, k] * F[k, j]) / F[j, j]  where j < i, k < j
///
/// Each read is of elements that one of them defines. The draft computes what is read in outputs of
/// their own, and copies these:
///
///     U[i, j] = A[i, j] - sum(k) L[i, k] * U[k, j]  where i <= j, k < i
///     L[i, j] = (A[i, j] - sum(k) L[i, k] * U[k, j]) / U[j, j]  where j < i, k < j
///     F[i, j] = U[i, j]  where i <= j
///     F[i, j] = L[i, j]  where j < i
///
/// Nothing where no output that needs itself has two such parts that are read. Needs extents and
/// Statement::loops.
std::optional<Kernel> withOutputParts(const Kernel& kernel);

}  // namespace gridloom::kernel
