// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/rounds.h"

namespace gridloom::search {

/// The mapping of a point of the space.
mapping::Mapping mappingOf(const Plan& plan, const kernel::TileNest& nest, const Entry& entry);

/// What a search has covered of the space by now.
SpaceCount countOf(const Rounds& search, const Plan& plan, const kernel::Kernel& kernel,
                   const cost::Evaluator& evaluator);

}  // namespace gridloom::search
