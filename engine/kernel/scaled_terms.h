// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Groups of a product may be scaled after they are summed:
///
///     Y[m, n] = sum(g) scale[g, n] * (sum(r) X[m, g, r] * W[g, r, n])
///
/// The draft scales the terms, which takes fewer operations where a group has at most as many terms
/// as there are sums that share its scale, and leaves one product of matrices:
///
///     Y[m, n] = sum(g, r) X[m, g, r] * (W[g, r, n] * scale[g, n])
///
/// Nothing where there is no such sum, or the scale has a loop that neither factor has.
std::optional<Kernel> withScaledTerms(const Kernel& kernel);

}  // namespace gridloom::kernel
