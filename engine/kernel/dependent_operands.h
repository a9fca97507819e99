// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/embedded_statements.h"
#include "kernel/tile_nest.h"

namespace gridloom::kernel {

/// Adds the operands of a kernel whose outputs depend on each other to its nest: one input per
/// window of a tensor, with the tiles that need it as its guard, and one output per output. Reads
/// of other tiles of an output are inputs that the kernel itself produces. `atEnd`: the tiles in
/// which the sums of `nest.ends` end; reads outside of sums are made there.
void addDependentOperands(const Kernel& kernel, const EmbeddedStatements& statements,
                          const std::vector<Difference>& atEnd, TileNest& nest);

}  // namespace gridloom::kernel
