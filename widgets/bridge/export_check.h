// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "service/workspace.h"

namespace gridloom::widgets {

/// Errors in figures that must not be exported: a utilization above 100%, parts that do not sum to
/// the whole, bytes that appear or get lost. Empty unless the engine has a bug; `run` is null
/// without a simulation.
base::Diagnostics insaneFigures(int candidate, const ranking::Ranked& ranked,
                                const service::SimulationRun* run);

}  // namespace gridloom::widgets
