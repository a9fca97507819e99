// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/rounds.h"

namespace gridloom::search {

/// The mapping of a point of the space.
mapping::Mapping mappingOf(const Plan& plan, const kernel::TileNest& nest, const Entry& entry);

/// The part of the space that a search has covered so far.
SpaceCount countOf(const Rounds& search, const Plan& plan, const kernel::Kernel& kernel,
                   const cost::Evaluator& evaluator);

}  // namespace gridloom::search
