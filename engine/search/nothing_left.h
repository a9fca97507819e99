// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/plan.h"

namespace gridloom::search {

/// Of directives whose tile sizes and placements contradict each other, for a loop that cannot be
/// tiled.
base::Diagnostic noShare(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                         const mapping::Constraints& constraints);

/// The first axis that directives leave without a choice, at the directive that causes it.
/// `anyPlacement`, `anyOrder`: whether the plan found one.
base::Diagnostic nothingLeft(const Plan& plan, const kernel::Kernel& kernel,
                             const kernel::TileNest& nest, const mapping::Constraints& constraints,
                             bool anyPlacement, bool anyOrder);

}  // namespace gridloom::search
