// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "report/sweep.h"

namespace gridloom::exchange {

/// A sweep as JSON (resources/docs/schema/sweep.json): the points that are known.
std::string sweepJson(const report::SweepRecord& sweep);
/// The same read back, with all that a chart of it shows. Errors: not a sweep of this version,
/// values that are missing or of another kind, more than report::kMostSweepPoints points.
base::Result<report::SweepRecord> readSweep(base::SourceRef text);

}  // namespace gridloom::exchange
