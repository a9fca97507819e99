// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "mapping/known_dependences.h"
#include "search/plan.h"

namespace gridloom::search {

/// The first order that leaves a produced operand without a legal movement in the innermost
/// iteration, and why. `dependences`: those of the mapping's tile sizes.
std::string tooEarlyExample(const kernel::Kernel& kernel, const cost::Evaluator& evaluator,
                            mapping::Mapping mapping, const MovementPlan& movements,
                            const mapping::TileDependences& dependences);

}  // namespace gridloom::search
