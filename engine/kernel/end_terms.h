// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A reduction may take what state is at one of its indices, as the mean over paths at their end:
///
///     s[t, p] = s[t - 1, p] * exp(Z[t, p])
///     price[0] = (sum(p) max(s[T - 1, p] - 1, 0)) / P
///
/// The draft in which its terms are a local, `price_term[p] = max(s[T - 1, p] - 1, 0)`: with them,
/// the steps run over p and need no sum. All such terms stand before the first sum of them, as far
/// as what they read does. Nothing where there are none, or a `where` limits the statement. Needs
/// extents, Statement::loops and loop kinds.
std::optional<Kernel> withEndTerms(const Kernel& kernel);

}  // namespace gridloom::kernel
