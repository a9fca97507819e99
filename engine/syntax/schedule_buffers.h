// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "syntax/schedule_binder.h"
#include "syntax/schedule_scope.h"

namespace gridloom::syntax {

/// A step of `bindSchedule`: the buffers of the text, and with them the movement of each input and
/// the layout of each output. Loops and their order are bound already. Reports unknown operands,
/// a hoist level that is no loop of the order, tiles that the kernel does not need, and what a
/// buffer waits for without need, or does not although it must.
void bindBuffers(const ScheduleText& text, ScheduleScope& scope, const kernel::Kernel& kernel,
                 const kernel::TileNest& nest, BoundSchedule& out);

/// The domain follows from the kernel; a schedule repeats it for its readers. Reports one that
/// differs, at `text`, or at `whole` where the schedule gives none. `what`: "iterations have work".
void checkDomain(const ScheduleText::Domain& text, const kernel::TileGuard& given,
                 const kernel::TileGuard& wanted, std::string_view what, base::Span whole,
                 const kernel::Kernel& kernel, ScheduleScope& scope);

}  // namespace gridloom::syntax
