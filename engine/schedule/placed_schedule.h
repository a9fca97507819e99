// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/tile_nest.h"
#include "schedule/output_tiles.h"
#include "schedule/placement.h"
#include "schedule/resolved_code.h"
#include "schedule/schedule.h"
#include "schedule/wiring.h"

namespace gridloom::schedule {

/// A schedule on its cores with all addresses resolved: everything a run needs except its state.
/// Immutable. Refers to the kernel, its nest and the hardware, which must outlive it.
struct PlacedSchedule {
  /// After `progress` is cancelled, the object is incomplete and must not be used.
  PlacedSchedule(Schedule s, const kernel::Kernel& k, const kernel::TileNest& n,
                 const hardware::Topology& h, const base::Progress* progress = nullptr)
      : schedule(std::move(s)),
        kernel(k),
        nest(n),
        hw(h),
        placement(schedule, hw),
        wiring(schedule, placement, progress),
        code(schedule),
        outputsAtStart(schedule, placement) {}
  PlacedSchedule(const PlacedSchedule&) = delete;
  PlacedSchedule& operator=(const PlacedSchedule&) = delete;

  const Schedule schedule;
  const kernel::Kernel& kernel;
  const kernel::TileNest& nest;
  const hardware::Topology& hw;
  const Placement placement;
  const Wiring wiring;
  const ResolvedCode code;
  const OutputTiles outputsAtStart;  ///< before any tile is computed
};

}  // namespace gridloom::schedule
