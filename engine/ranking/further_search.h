// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ranking/ranked.h"
#include "search/prepared_search.h"

namespace gridloom::ranking {

/// The search that made a ranking, to be repeated for a longer one.
struct FirstSearch {
  const search::PreparedSearch& search;
  const mapping::Constraints& constraints;
  search::Options options;
  const search::SpaceCount& space;  ///< of its outcome
};

struct FurtherRanking {
  std::vector<search::Candidate> all;  ///< best first; empty: not found within the work
  std::int64_t work = 0;               ///< in events
};

/// The first `most` mappings that are predicted to take at most `below` cycles. None where the
/// first search did not cover its space or took more than `mostWork` events, or this one would.
FurtherRanking searchFurther(const FirstSearch& first, int most, double below,
                             std::int64_t mostWork, base::Progress& progress);

}  // namespace gridloom::ranking
