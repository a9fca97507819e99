// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/tile_nest.h"

namespace gridloom::schedule {

/// What a statement reads of an input tensor, and in which tiles of the nest. It is derived from
/// the access and the statement's domain alone, independently of the schedule. `verify` checks the
/// fills of a schedule's buffers against it.
struct Demand {
  kernel::Access access;
  kernel::TileGuard guard;            ///< tiles that hold an element of the domain
  std::vector<std::size_t> operands;  ///< of TileNest::inputs: the windows on this tensor
};

/// The demands of all statements on tensors that the kernel does not compute itself.
std::vector<Demand> demandsOf(const kernel::Kernel& kernel, const kernel::TileNest& nest);

/// The windows of the nest with the same indices as an access. Where there is none, all on its
/// tensor: some may contain its elements in some tiles.
std::vector<std::size_t> windowsFor(const kernel::Access& read, const kernel::TileNest& nest);

/// Whether an operand's window, at one tile of every loop, contains all that the demand reads
/// there.
bool covers(const kernel::Operand& window, const Demand& demand,
            std::span<const kernel::TileSpan> tile);

}  // namespace gridloom::schedule
