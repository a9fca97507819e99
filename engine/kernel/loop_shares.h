// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernel/nest_structure.h"

namespace gridloom::kernel {

/// Finds the two-pass reduction loops of which each core may take one share (Whole::inShares), and
/// the all-reduces they need. For the other candidates, Whole::noShares names the reason.
///
/// A loop qualifies when only local tensors are reduced over it, each by sums or extrema of its own
/// statement; when every output runs over it, so that each core writes its own part; and when no
/// other loop beside it is tiled in time, as the cores all-reduce in every tile. The domain is a
/// box.
///
/// The all-reduces come in the order of their statements. `TileOp::stage` is the number of them
/// that must be complete before the operation. Two tensors that could travel in one message (a mean
/// and a mean of squares in two statements) are two all-reduces.
void findShares(const Kernel& kernel, const std::vector<LoopId>& candidates,
                NestStructure& structure);

/// The function that combines two partial results of a reduction.
VectorFn joinFn(ExprOp reduction);

/// The outermost reductions of a statement over any of these loops: nodes of its expression, in
/// order.
std::vector<std::size_t> outermostReductions(const Statement& statement,
                                             const std::vector<LoopId>& loops);

/// Whether the value of a statement is more than one reduction over these loops: what is more has
/// to wait for the last tile, even if it is a constant.
bool doesMoreThanSum(const Statement& statement, const std::vector<LoopId>& loops);

}  // namespace gridloom::kernel
