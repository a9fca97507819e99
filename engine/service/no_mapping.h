// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "mapping/constraints.h"
#include "service/workspace.h"

namespace gridloom::service {

/// Why a search that covered the whole space found no mapping, beside the reasons that it counted:
/// the loops that are not tiled, each with the cause, and sizes with which a short search finds a
/// mapping, one parameter smaller or, where that is not enough, all of them. Sizes only where no
/// directives narrow the space.
NoMapping whyNoMapping(const Exploration& exploration, const mapping::Constraints& constraints,
                       base::Progress& progress);

/// As the command says it, a line each: sizes as its options.
std::vector<std::string> linesOf(const NoMapping& why);

}  // namespace gridloom::service
