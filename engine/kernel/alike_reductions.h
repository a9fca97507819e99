// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// One reduction may be written over two loops:
///
///     Y[i, j] = (sum(k) X[i, k] * G[j, k]) * exp(sum(l) X[i, l] * G[j, l])
///
/// The draft in which all reductions of one value have the loops of the first, so that they are
/// computed once; and sums of one element over equally many terms, as in
///
///     C[i, j] = (sum(l) A[i, l] * B[j, l]) + (sum(k) A[j, k] * B[i, k])
///
/// those of the first, so that they are tiled together, also where a local of the same indices has
/// one of them. Nothing where names are so. Needs extents and Statement::loops.
std::optional<Kernel> withAlikeReductions(const Kernel& kernel);

}  // namespace gridloom::kernel
