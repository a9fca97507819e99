// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.h"
#include "report/comparison.h"
#include "terminal.h"

namespace gridloom::cli {

/// What is said of a figure that `report::regressions` counts.
std::string failureText(const report::Difference& difference, double tolerance);

/// Writes a comparison as test cases, one per figure in cycles, to the file that --junit names: a
/// case fails where `report::regressions` counts it. Its details are the comparison itself.
Exit writeVerdict(const Options& options, const report::Comparison& comparison, double tolerance);

}  // namespace gridloom::cli
