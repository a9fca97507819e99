// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernel/nest_structure.h"

namespace gridloom::kernel {

/// Chooses `structure.inner`: the reduction and sequential loops that are tiled inside the parallel
/// ones. The nest is perfect, so every statement runs in all of them or in none. A loop for which
/// this cannot be is marked whole, with the reason. `consumers[s][c]`: statement c needs a value of
/// statement s, directly or through others. Uses `structure.ops` and `structure.whole`.
void chooseInnerLoops(const Kernel& kernel, const std::vector<std::vector<bool>>& consumers,
                      NestStructure& structure);

/// Per statement, whether its values are there behind the last tile of the inner loops only: it
/// reduces over some of them, or has none of them and reads such values.
std::vector<bool> endBehind(const Kernel& kernel, const std::vector<LoopId>& inner);

/// Per statement, whether it runs in every tile of the inner loops: it has some of them, or a
/// statement that does reads its local tensor, which does not end behind them. The latter computes
/// the same values in every tile.
std::vector<bool> runInside(const Kernel& kernel, const std::vector<LoopId>& inner);

/// The loops of `a` that are also in `b`, in the order of `a`.
std::vector<LoopId> commonLoops(const std::vector<LoopId>& a, const std::vector<LoopId>& b);

}  // namespace gridloom::kernel
