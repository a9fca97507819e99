// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "syntax/schedule_binder.h"
#include "syntax/schedule_scope.h"

namespace gridloom::syntax {

/// The last step of `bindSchedule`: herds become programs and are assigned to their cores, and
/// loops get their position in the order. Buffers and channels are bound already.
void bindPrograms(const ScheduleText& text, ScheduleScope& scope, const kernel::TileNest& nest,
                  const hardware::Topology& hw, BoundSchedule& out);

}  // namespace gridloom::syntax
