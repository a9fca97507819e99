// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// The kernel with one loop in place of several that index an output alike:
///
///     Y[2 * a] = X[a]
///     Y[2 * b + 1] = Z[b]
///
/// Only statements with a loop are computed in its tiles, so that neither `a` nor `b` could be
/// tiled alone. Two loops become one, named as the first, if they have the same extent, the same
/// factor in the same index of the output, and no statement in common. Extents may differ where
/// both are the whole index, `O[u] = 0` for u in 0..2 beside `O[t] = ... where t >= 2`: the longer
/// loop then replaces the shorter one in the statements of this output. So do loops of outputs that
/// need each other, `U[p, q]` beside `L[i, j]`. Nothing where there are no such loops, or where the
/// joined loops cannot be tiled either.
std::optional<Kernel> withJoinedLoops(const Kernel& kernel);

/// As above, whether the joined loops can be tiled or not.
std::optional<Kernel> withAlikeLoops(const Kernel& kernel);

/// The loop of the kernel that a loop of the kernel as it was written has become part of. Nothing
/// where none of this name was joined.
std::optional<LoopId> joinedLoop(const Kernel& kernel, std::string_view name);

}  // namespace gridloom::kernel
