// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A recurrence may reduce over few neighbours of the step before:
///
///     u[t, i] = sum(r) w[r] * u[t - 1, i + r - 1]
///
/// The draft in which such reductions are written term by term (`w[0] * u[t - 1, i - 1] + ...`), so
/// that tiles exchange their borders, as they do for neighbours that are named. Nothing where no
/// statement has such a reduction, it has many terms, or a `where` limits it.
std::optional<Kernel> withUnrolledStencils(const Kernel& kernel);

}  // namespace gridloom::kernel
