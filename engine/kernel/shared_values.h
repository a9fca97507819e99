// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A value that costs a function or a reduction may be written in several statements:
///
///     l[i] = sum(j) exp(x[i, j] - m[i])
///     Y[i, j] = exp(x[i, j] - m[i]) / l[i]
///
/// The draft with one such value in a `local` of its own (`l_value[i, j]`), which all of them read;
/// nothing where there is none, the statements differ in `where`, or the kernel has state. Needs
/// extents, Statement::loops and loop kinds.
std::optional<Kernel> withSharedValue(const Kernel& kernel);

}  // namespace gridloom::kernel
