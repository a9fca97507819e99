// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Weights of a softmax may be divided before they are summed:
///
///     p[i, j] = exp(s[i, j] - m[i]) / l[i]
///     Y[i, e] = sum(j) p[i, j] * V[j, e]
///
/// The divisor does not depend on the loop of the sum, so it divides the sum as well:
/// `Y[i, e] = (sum(j) p[i, j] * V[j, e]) / l[i]` of `p[i, j] = exp(s[i, j] - m[i])`.
///
/// The draft of that form for the weights in statement `s` of a checked kernel; nothing where the
/// statement is no local quotient of that kind, or its elements are needed outside of such sums.
std::optional<Kernel> withWholeWeights(const Kernel& kernel, std::size_t s);

}  // namespace gridloom::kernel
