// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "syntax/schedule_text.h"

namespace gridloom::syntax {

/// Reads the text form of a schedule (`.prog`). Names inside the text are resolved against each other only;
/// `bindSchedule` resolves them against a kernel and a hardware. Several errors per run.
base::Result<ScheduleText> parseSchedule(base::SourceRef source);

}  // namespace gridloom::syntax
