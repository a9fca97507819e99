// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "schedule/findings.h"

namespace gridloom::schedule {

/// The static part of `verify`: see `checkPrograms`.
void findInTables(const Schedule& schedule, const kernel::TileNest& nest,
                  const hardware::Topology& hw, Findings& findings);
void findInPrograms(const Schedule& schedule, Findings& findings);
/// Every core with tiles has a program, and no other core.
void findInPlacement(const Schedule& schedule, const hardware::Topology& hw, Findings& findings);

}  // namespace gridloom::schedule
