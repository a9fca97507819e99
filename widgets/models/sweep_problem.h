// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/project.h"
#include "sweep/parameters.h"

namespace gridloom::widgets {

using report::SweepAxis;
using report::SweepFound;
using report::SweepParameter;
using report::SweepPoint;
using report::SweepRecord;

/// The numbers of a project that a sweep may vary, as sweep::sweepParameters.
std::vector<SweepParameter> sweepParameters(const Project& project,
                                            const service::KernelValues& kernelValues);

/// The project with the values of a point; all else of its texts stays.
Project projectAt(Project project, const std::vector<SweepAxis>& axes, const SweepPoint& point);

/// As report::sweepTable, with the names that the window has for bottlenecks.
report::Table shownSweepTable(const SweepRecord& sweep);

}  // namespace gridloom::widgets
