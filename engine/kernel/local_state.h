// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Outputs that are computed from their own elements, as state that they copy, borders included:
///
///     H[i, j] = max(H[i - 1, j], H[i, j - 1]) + s[i, j]  where i >= 1, j >= 1
///     H[0, j] = s[0, j]
///
/// becomes `h[i, j] = ... where i >= 1, j >= 1`, `h[i, j] = s[0, j] where i == 0` and
/// `H[i, j] = h[i, j]`. It is the reverse of withOutputState. Nothing where there are no such
/// outputs, where one is not written with a loop for each index, or where a loop has steps whose
/// elements are independent of each other. Needs extents and Statement::loops.
std::optional<Kernel> withLocalState(const Kernel& kernel);

}  // namespace gridloom::kernel
