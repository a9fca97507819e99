// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.h"
#include "service/workspace.h"
#include "terminal.h"

namespace gridloom::cli {

/// The cycle of --at. Errors: no number of at least 0.
base::Result<double> cycleOf(const std::string& text);

/// Prints or writes the state of the run at the cycle, which its trace must cover. `BadInput`,
/// with the range, where the run has no such cycle.
Exit writeStateAt(double cycle, const Options& options, const service::SimulationRun& run);

}  // namespace gridloom::cli
