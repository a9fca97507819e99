// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "schedule/source_map.h"
#include "syntax/schedule_text.h"

namespace gridloom::syntax {

/// A schedule and the source locations of its parts.
struct BoundSchedule {
  schedule::Schedule schedule;
  schedule::SourceMap places;
};

/// Resolves a schedule's names against a kernel and a hardware. Errors, all located: another
/// kernel, other sizes, unknown or duplicate names, coordinates outside the mesh, loops that do not
/// nest in the order, an illegal mapping. `schedule::verify` checks the programs.
base::Result<BoundSchedule> bindSchedule(const ScheduleText& text, const kernel::Kernel& kernel,
                                         const kernel::TileNest& nest,
                                         const hardware::Topology& hw);

}  // namespace gridloom::syntax
