// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "syntax/schedule_cursor.h"

namespace gridloom::syntax {

/// `j <= i and tile i >= tile j + 1 or ...`; the cursor is at the first comparison.
bool parseDomain(ScheduleCursor& at, ScheduleText::Domain& out);

/// `X[i - 1 to i + 1, j]`; the cursor is at the tensor.
bool parseAwaited(ScheduleCursor& at, ScheduleText::Awaited& out);

}  // namespace gridloom::syntax
