// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernel/state_merge.h"

namespace gridloom::kernel {

/// The operations that combine one share of the states with another, on tiles of the states, in
/// the order of `merge.states`; `merge.ops` is not read. States with the same scale share its
/// factors. They belong to the epilogue and do no useful work.
std::vector<TileOp> combineOps(const Kernel& kernel, const StateMerge& merge);

}  // namespace gridloom::kernel
