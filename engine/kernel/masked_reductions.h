// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A choice may say what a reduction runs over:
///
///     x[i] = (b[i] - sum(j) select(j < i, L[i, j] * x[j], 0)) / L[i, i]
///
/// The draft in which such choices are limits of the statement (`where j < i`), which leave out
/// whole tiles. Nothing where there are none: the condition compares loops, names one of the
/// reduction's in each comparison, and no other reduction of the statement has these.
std::optional<Kernel> withMaskedReductions(const Kernel& kernel);

}  // namespace gridloom::kernel
