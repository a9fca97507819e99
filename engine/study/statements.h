// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/reproduction.h"
#include "study/runs.h"
#include "study/study_file.h"

namespace gridloom::study {

/// Works through the statements of one file, in their order. A rehearsal runs nothing, and finds
/// every fault; otherwise the first fault ends the work. Stops when cancelled, without an error.
report::Reproduction workThrough(const StudyFile& file, const Kind& kind, Runner& runner,
                                 bool rehearsal, base::Diagnostics& errors);

}  // namespace gridloom::study
