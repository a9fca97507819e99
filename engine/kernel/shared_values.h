// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"
#include "kernel/kernel_forms.h"

namespace gridloom::kernel {

/// At most so many values of a kernel get locals of their own.
inline constexpr int kMostSharedValues = 8;

/// A value that costs a function or a reduction may be written in several statements:
///
///     l[i] = sum(j) exp(x[i, j] - m[i])
///     Y[i, j] = exp(x[i, j] - m[i]) / l[i]
///
/// The draft with one such value in a `local` of its own (`l_value[i, j]`), which all of them read;
/// nothing where there is none, the statements differ in `where`, or the kernel has state. Needs
/// extents, Statement::loops and loop kinds.
std::optional<Kernel> withSharedValue(const Kernel& kernel);

/// A reduction may be the same for all indices of a loop around it, of the output or of another
/// reduction:
///
///     Y[m, n] = sum(r) (sum(k) X[m, k] * A[k, r]) * B[r, n]
///     Z[i, j] = X[i, j] / sqrt(sum(k) X[i, k] * X[i, k])
///
/// The draft with one such reduction in a `local` of its own (`Y_value[m, r]`, `Z_value[i]`), as if
/// it were a statement. Nothing where there is none, a `where` limits it by other loops, or the
/// kernel has state.
std::optional<Kernel> withOwnReduction(const Kernel& kernel);

/// The kernel with all of these, as far as there are not too many and the kernel holds.
Kernel withOwnReductions(Kernel kernel, const HoldsForm& holds);

}  // namespace gridloom::kernel
