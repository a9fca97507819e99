// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "syntax/schedule_text.h"

namespace gridloom::syntax {

/// Reads the text form of a schedule (`.prog`). Resolves names inside the text only; `bindSchedule`
/// resolves them against a kernel and a hardware. Reports several errors per run.
base::Result<ScheduleText> parseSchedule(base::SourceRef source);

}  // namespace gridloom::syntax
