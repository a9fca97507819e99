// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/tile_nest.h"

namespace gridloom::schedule {

/// What a statement reads of an input tensor, and in which tiles of the nest it does. Derived from the access and
/// the statement's domain alone: `verify` holds what a schedule fills its buffers with against it.
struct Demand {
  kernel::Access access;
  kernel::TileGuard guard;            ///< tiles that hold an element of the domain
  std::vector<std::size_t> operands;  ///< of TileNest::inputs: the windows onto this tensor
};

/// The demands of all statements on tensors that the kernel does not make itself.
std::vector<Demand> demandsOf(const kernel::Kernel& kernel, const kernel::TileNest& nest);

/// Whether a window of an operand, at one tile of every loop, holds all that the demand reads there.
bool covers(const kernel::Operand& window, const Demand& demand,
            std::span<const kernel::TileSpan> tile);

}  // namespace gridloom::schedule
