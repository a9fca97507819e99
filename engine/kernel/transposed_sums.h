// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// The dimensions of the target at whose index a sum of the statement ends: `k < i` at that of i.
std::set<std::size_t> sumEnds(const Statement& statement);

/// Sums over elements of outputs that need each other may end at different indices:
///
///     U[i, j] = A[i, j] - sum(k) L[i, k] * U[k, j]  where i <= j, k < i
///     L[i, j] = (A[i, j] - sum(k) L[i, k] * U[k, j]) / U[j, j]  where j < i, k < j
///
/// Tiles follow one end only. The draft computes outputs whose sums end at their first index in
/// another output, with both indices exchanged, and writes them from its tiles:
///
///     V[i, j] = A[j, i] - sum(k) L[j, k] * V[i, k]  where j <= i, k < j
///     L[i, j] = (A[i, j] - sum(k) L[i, k] * V[j, k]) / V[j, j]  where j < i, k < j
///     U[j, i] = V[i, j]
///
/// Nothing where all sums end at one index, or an output has ends of both kinds.
std::optional<Kernel> withTransposedSums(const Kernel& kernel);

}  // namespace gridloom::kernel
