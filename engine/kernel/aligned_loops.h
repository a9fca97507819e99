// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Statements that need each other advance along one loop, which they may call by different names,
/// in any index:
///
///     r[j, i] = r[j - 1, i] - L[i, j - 1] * x[j - 1]  where j >= 1
///     x[i] = r[i, i] / L[i, i]
///
/// The draft gives loops that index the same elements one name, `x[j] = r[j, j] / L[j, j]`: what is
/// read says which they are. A shorter one is limited to its range. Sums of such statements have
/// one loop, too. Nothing where names are so.
std::optional<Kernel> withAlignedLoops(const Kernel& kernel);

}  // namespace gridloom::kernel
