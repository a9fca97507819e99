// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A step of a recurrence may need all elements of the same step, as a norm of them:
///
///     x[t, i] = y[t - 1, i] / n[t - 1]
///     y[t, i] = sum(j) A[i, j] * x[t, j]
///     n[t] = sqrt(sum(i) y[t, i] * y[t, i])
///
/// Tiles of one step are parallel only if they need elements of earlier steps. The draft in which
/// each computes again, from these, what it needs of its own step, and what has fewer loops than
/// the outputs:
///
///     x[t, i] = y[t - 1, i] / sqrt(sum(q) y[t - 1, q] * y[t - 1, q])
///     y[t, i] = sum(j) A[i, j] * (y[t - 1, j] / sqrt(sum(q) y[t - 1, q] * y[t - 1, q]))
///
/// Locals of as many loops become outputs, of the same extents. Targets are of the present step
/// (withShiftedTargets). Nothing where there is no such row, or where computing it again would take
/// much of the work of a step.
std::optional<Kernel> withStepRows(const Kernel& kernel);

}  // namespace gridloom::kernel
