// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "schedule/findings.h"

namespace gridloom::schedule {

/// The part of `verify` that needs no run: loops nest, names exist, buffers fit local memory, the
/// schedule matches this hardware.
void findInTables(const Schedule& schedule, const kernel::TileNest& nest,
                  const hardware::Topology& hw, Findings& findings);
/// Part of `findInTables`: slots hold their tiles, and memories hold the slots.
void findInCapacities(const Schedule& schedule, const kernel::TileNest& nest,
                      const hardware::Topology& hw, Findings& findings);
void findInPrograms(const Schedule& schedule, Findings& findings);
/// What each instruction of a process names, and the loops around it.
void findInProcess(const Schedule& schedule, std::size_t program, std::size_t process,
                   Findings& findings);
/// Where cores move tiles in shares around a ring, every core has each share of a tile once.
void findInRings(const Schedule& schedule, const hardware::Topology& hw, Findings& findings);
/// Tokens have one process at each end, and the DMA channels of the hardware suffice for the DMA
/// constraints. Notes say which processes share a channel.
void findInDmaConstraints(const Schedule& schedule, const kernel::TileNest& nest,
                          const hardware::Topology& hw, Findings& findings);
/// Every core with tiles has a program, and no other core has one. The epilogue runs exactly where
/// reductions end.
void findInPlacement(const Schedule& schedule, const kernel::TileNest& nest,
                     const hardware::Topology& hw, Findings& findings);
/// What is read of a stationary tile was made in the core that reads it.
void findInStationary(const Schedule& schedule, const kernel::Kernel& kernel,
                      const kernel::TileNest& nest, Findings& findings);

}  // namespace gridloom::schedule
