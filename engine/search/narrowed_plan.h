// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "search/plan.h"

namespace gridloom::search {

/// The space, or a part of it that can be searched.
struct NarrowedPlan {
  Plan plan;
  /// Loops that are not tiled, since tiles of all loops make a space too large to search: the
  /// smallest, of at most `kMostWhole` elements, reductions first, such as those over the window of
  /// a convolution.
  std::vector<mapping::LoopId> whole;
};

constexpr std::int64_t kMostWhole = 32;

/// As makePlan; loops that directives tile or place are not kept whole. Errors also: a space that
/// is too large even so.
base::Result<NarrowedPlan> makeNarrowedPlan(const kernel::Kernel& kernel,
                                            const cost::Evaluator& evaluator,
                                            const hardware::ComputeModel& compute,
                                            const mapping::Constraints& constraints,
                                            const base::Progress& progress);

}  // namespace gridloom::search
