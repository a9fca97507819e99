// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A mask of a softmax may be written as a choice:
///
///     s[i, j] = select(j <= i, x, -inf)
///     m[i] = max(j) s[i, j]
///     Y[i, e] = (sum(j) exp(s[i, j] - m[i]) * V[j, e]) / (sum(j) exp(s[i, j] - m[i]))
///
/// What is not chosen adds nothing to the maximum and has the weight 0. So it is the same as
/// `where j <= i` behind each of the statements, which leaves out whole tiles.
///
/// The draft of that form for the maximum in statement `s` of a checked kernel; nothing where the
/// statement is no maximum of such a softmax, its elements are needed in another way, or the
/// condition is more than comparisons of loops that hold together.
std::optional<Kernel> withMaskedSoftmax(const Kernel& kernel, std::size_t s);

}  // namespace gridloom::kernel
