// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Weights of a softmax may be scaled before they are summed, in a `local` or within the sum:
///
///     p[i, j] = exp(s[i, j] - m[i]) / l[i]
///     Y[i, e] = sum(j) p[i, j] * V[j, e]
///
/// The scale does not depend on the loop of the sum, so it scales the sum as well: `Y[i, e] =
/// (sum(j) p[i, j] * V[j, e]) / l[i]` of `p[i, j] = exp(s[i, j] - m[i])`.
///
/// The draft of a checked kernel in which sums have no such factors; nothing where there are none.
/// Whoever reads a local outside of a sum scales what it reads.
std::optional<Kernel> withWholeWeights(const Kernel& kernel);

}  // namespace gridloom::kernel
