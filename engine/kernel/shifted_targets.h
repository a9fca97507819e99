// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A recurrence may define the next step:
///
///     u[0, i] = A[i]
///     u[t + 1, i] = u[t, i - 1] + u[t, i + 1]
///
/// The draft in which it defines the present one, from the step before, so that every index of its
/// target is a loop:
///
///     u[t, i] = u[t - 1, i - 1] + u[t - 1, i + 1]  where t >= 1
///
/// Where the loop is too short for that, it is a longer one of the same name. Nothing where no
/// target of a recurrence is so.
std::optional<Kernel> withShiftedTargets(const Kernel& kernel);

}  // namespace gridloom::kernel
