// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// An intermediate result may be an output, too:
///
///     A[i, k] = sum(j) X[i, j] * X[k, j]
///     Y[i, j] = sum(k) A[i, k] * X[k, j]
///
/// Such outputs do not need themselves. Statements then read a local tensor, `A_value`, that the
/// output copies. Nothing where no other statement reads an output, where elements of a tensor need
/// others of the same tensor, or where an output has several statements.
std::optional<Kernel> withLocalIntermediates(const Kernel& kernel);

}  // namespace gridloom::kernel
