// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_scene.h"

namespace gridloom::widgets {

/// Adds to the rows of B what the same cores, links and channels do in the run of A, and after them
/// the classes of cores that only A has. Cores are the same at the same place, classes with the
/// same duties, links and channels of the same name. A row that is equal in both gets nothing, so
/// that a run beside itself looks like that run alone.
void showAgainst(TimelineScene& b, const std::shared_ptr<const Recording>& a,
                 const TimelineChoice& choice);

/// "A above B: 3 of 12 differ", and how many only one run has; empty where nothing is compared.
QString comparisonText(const TimelineScene& scene);

}  // namespace gridloom::widgets
