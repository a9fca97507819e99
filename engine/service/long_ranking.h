// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "search/prepared_search.h"
#include "service/workspace.h"

namespace gridloom::service {

/// Lists the points of a ranking after those that are candidates, as `Exploration::more`. `fold`:
/// mappings equivalent to an earlier one of the list are counted there instead. `threads` as in
/// ExploreOptions. A cancel leaves the first of them.
void listMore(Exploration& exploration, const search::PreparedSearch& search,
              const search::Outcome& found, bool fold, int threads, base::Progress& progress);

}  // namespace gridloom::service
