// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernel/nest_structure.h"

namespace gridloom::kernel {

/// Which of the loops that are reduced and free again cores may take shares of, one each (Whole::inShares), with the
/// all-reduces this takes. For the others, Whole::noShares says why not.
///
/// A loop can be dealt so when all that is reduced over it are local tensors, each by sums or
/// extrema of its own statement; when every output runs over it, so that a core writes what it has;
/// and when nothing else is tiled in time beside it, as the cores have to meet in every tile. The
/// domain is a box.
///
/// The all-reduces come in the order of their statements. `TileOp::stage` is the number of them
/// that must be complete before the operation. Two tensors that could travel in one message (a mean
/// and a mean of squares in two statements) are two all-reduces.
void findShares(const Kernel& kernel, const std::vector<LoopId>& candidates,
                NestStructure& structure);

/// The outermost reductions of a statement over any of these loops: nodes of its expression, in order.
std::vector<std::size_t> outermostReductions(const Statement& statement,
                                             const std::vector<LoopId>& loops);

}  // namespace gridloom::kernel
