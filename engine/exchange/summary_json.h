// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "report/comparison.h"

namespace gridloom::exchange {

/// What `gridloom compare` and `--baseline` need of a result file: an exploration (its best mapping), a
/// simulation or an explanation. Errors are located.
base::Result<report::Summary> readSummary(base::SourceRef json);

/// Located errors in the form of any result file: those above, counted accesses and replays.
base::Diagnostics checkResult(base::SourceRef json);

}  // namespace gridloom::exchange
