// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Several loops may address one dimension of a local, or one of them with a factor:
///
///     T[4 * a + b, r] = A[a, r] * B[b, r]
///     Y[n, r] = sum(p) X[p, n] * T[p, r]
///
/// Gives the local of a draft a dimension for each, `T[a, b, r]`. Where one loop runs over both, it
/// is divided: `T[p / 4, mod(p, 4), r]`, as if it were written so. Leaves locals as they are of
/// which an access has another form.
void separateJoinedIndices(Kernel& kernel);

/// How many elements a dimension of a local must have so that its indices are separated. Nothing
/// where an access has another form, whatever the size is; without `alsoReads`, where one on the
/// left of `=` has.
std::optional<std::int64_t> separableSize(Kernel kernel, TensorId local, std::size_t dim,
                                          bool alsoReads);

}  // namespace gridloom::kernel
