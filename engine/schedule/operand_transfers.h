// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedule/schedule.h"

namespace gridloom::schedule {

/// Writes what follows from the mapping of a schedule into the schedule itself: its temporal loops
/// and `Schedule::inputs` and `outputs`. To be called whenever its mapping has changed.
void describeOperands(Schedule& schedule, const kernel::TileNest& nest);

}  // namespace gridloom::schedule
