// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A reduction over few elements may be written term by term, as the maximum of a window:
///
///     O[p] = max(max(I[p], I[p + 1]), I[p + 2])
///
/// The draft in which such a chain of `+`, `*`, `max` or `min` is a reduction over new loops (`max
/// (p_offset) I[p + p_offset]`): units have rates for reductions of their own. Its terms, at least
/// three, differ in the constants of their indices alone, and these fill a box; other terms of the
/// chain read other tensors. Nothing where there is none. In recurrences, and inside reductions,
/// terms stay as they are (withUnrolledStencils).
std::optional<Kernel> withRolledTerms(const Kernel& kernel);

}  // namespace gridloom::kernel
