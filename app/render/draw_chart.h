// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "render_request.h"
#include "report/sweep.h"
#include "service/workspace.h"

namespace gridloom::render {

Outcome failed(base::ExitStatus status, base::Diagnostics errors);

/// Simulates what the chart of a request needs, and writes its file.
Outcome drawChart(const Request& request, const service::Exploration& exploration,
                  base::Progress& progress);

/// Writes the chart of a sweep.
Outcome drawSweep(const Request& request, const report::SweepRecord& sweep);

}  // namespace gridloom::render
