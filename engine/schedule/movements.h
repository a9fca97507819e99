// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedule/schedule.h"

namespace gridloom::schedule {

/// Derives the movements from a schedule's buffers and channels and writes them into its mapping,
/// which the cost model, the picture of the mesh and the reports read. Hoist levels do not change.
void readMovements(Schedule& schedule, const kernel::TileNest& nest);

}  // namespace gridloom::schedule
