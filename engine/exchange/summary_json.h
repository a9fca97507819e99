// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "report/comparison.h"

namespace gridloom::exchange {

/// The numbers that `gridloom compare` and `--baseline` need from a result file: an exploration
/// (its best mapping), a simulation or an explanation. Errors are located.
base::Result<report::Summary> readSummary(base::SourceRef json);

/// Located errors in the structure of any result file: those above, access counts, differences,
/// replays and states.
base::Diagnostics checkResult(base::SourceRef json);

}  // namespace gridloom::exchange
