// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A softmax whose weights are summed along the loop of its maximum needs no whole row: its sums
/// are rescaled whenever the maximum grows (Milakov and Gimelshein, 2018; Dao et al., 2022). So
///
///     m[i] = max(j) s[i, j]
///     p[i, j] = exp(s[i, j] - m[i])
///     Y[i, e] = (sum(j) p[i, j] * V[j, e]) / (sum(j) p[i, j])
///
/// becomes state along j, which tiles of j and shares of j can compute: `m[i, j] = max(m[i, j - 1],
/// s[i, j])`, and for each sum `x[i, j] = x[i, j - 1] * exp(m[i, j - 1] - m[i, j]) + ...`. State
/// starts at the lowest finite number, which leaves weights of keys at -inf 0.
///
/// The draft of that form for the maximum in statement `s` of a checked kernel; nothing where the
/// statement is no such maximum, a weight is needed outside of the sums, or a `where` leaves no
/// affine last index. The draft needs Statement::loops and loop kinds.
std::optional<Kernel> withRunningSoftmax(const Kernel& kernel, std::size_t s);

}  // namespace gridloom::kernel
