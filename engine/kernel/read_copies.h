// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Statements that read state which an output copies may read the output:
///
///     v[t, s] = (max(q) v[t - 1, q] * A[q, s]) + E[t, s]
///     B[t, s] = max(q) v[t - 1, q] + A[q, s]
///     V[t, s] = v[t, s]
///
/// B then reads `select(t >= 1, V[t - 1, q], 0)`, of which 0 is the initial value of `v`, and the
/// copy stands before it. So the statements of B may be a kernel of their own. Only state with an
/// initial value is replaced, and not in the recurrence itself. State that no output copies gets a
/// local that does, `v_value`, where a statement outside of the recurrence reads all of it. Needs
/// extents.
Kernel withCopiesRead(const Kernel& kernel);

}  // namespace gridloom::kernel
