// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "kernel/tile_op.h"

namespace gridloom::kernel {

/// Sets TileOp::innermost of vector operations: the loop along which a statement's elements lie
/// together. The loops of the last index of its target follow those of the others, and reductions
/// follow both, the inner ones last. In which order loops were declared does not matter.
void setInnermost(const Kernel& kernel, std::vector<TileOp>& ops);

}  // namespace gridloom::kernel
