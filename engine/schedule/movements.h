// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedule/schedule.h"

namespace gridloom::schedule {

/// The movements that a schedule's buffers and channels amount to, written into its mapping: what the
/// cost model, the picture of the mesh and the reports know it by. Hoist levels stay as they are.
void readMovements(Schedule& schedule, const kernel::TileNest& nest);

}  // namespace gridloom::schedule
