// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace gridloom::kernel
