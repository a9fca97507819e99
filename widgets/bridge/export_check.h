// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "service/workspace.h"

namespace gridloom::widgets {

/// That nothing is exported or copied, why, and what to do.
base::Diagnostics nothingExported(const std::string& why, const std::string& hint);

/// Errors in the figures of a mapping: a utilization above 100%, parts that do not sum to the
/// whole, bytes that appear or get lost. Empty unless the engine has a bug; `run` is null without a
/// simulation.
base::Diagnostics doubtsOf(const ranking::Ranked& ranked, const service::SimulationRun* run);

/// Why they must not be exported, of that candidate.
base::Diagnostics insaneFigures(int candidate, const ranking::Ranked& ranked,
                                const service::SimulationRun* run);

}  // namespace gridloom::widgets
