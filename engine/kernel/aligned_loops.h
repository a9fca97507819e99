// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Statements that need each other advance along one loop, which they may call by different names,
/// in any index:
///
///     r[j, i] = r[j - 1, i] - L[i, j - 1] * x[j - 1]  where j >= 1
///     x[i] = r[i, i] / L[i, i]
///
/// The draft gives loops that index the same elements one name, `x[j] = r[j, j] / L[j, j]`: what is
/// read says which they are. A shorter one is limited to its range. Sums of such statements have
/// one loop, too. Nothing where names are so.
///
/// Where reads say different things, as in `D[i]` beside `L[i, j]` that reads `D[j]` and is read as
/// `L[i, k]` by D, the first one counts, or the last. Reads of a diagonal, `R[i, i]`, count less
/// than others, or more. Or names count: one name is one loop in each recurrence, but another one
/// in the next, as `i` of `L[i, j]` and that of `y[i] = B[i] - sum(j) L[i, j] * y[j]`.
enum class Reads : std::uint8_t { FirstCounts, LastCounts, DiagonalsCount, NamesCount };
std::optional<Kernel> withAlignedLoops(const Kernel& kernel, Reads reads = Reads::FirstCounts);

}  // namespace gridloom::kernel
