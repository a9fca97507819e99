// SPDX-License-Identifier: Apache-2.0
#include "ranking/further_search.h"

#include <utility>

namespace gridloom::ranking {

namespace {

/// Work of one step of a search: 0.2 us, in short searches more. The space and its traffic
/// patterns, which take most of the time of a short search, are there already.
constexpr std::int64_t kWorkPerStep = 12;

}  // namespace

FurtherRanking searchFurther(const FirstSearch& first, int most, double below,
                             std::int64_t mostWork, base::Progress& progress) {
  search::Options options = first.options;
  options.top = most;
  options.below = below;
  options.workLimit = mostWork / kWorkPerStep;
  options.timeLimit = 0;
  options.onImproved = {};
  if (first.space.stopped != search::Stop::None || first.space.work > options.workLimit) return {};
  search::Outcome found = first.search.topK(options, progress);
  FurtherRanking out;
  out.work = found.space.work * kWorkPerStep;
  if (found.space.stopped == search::Stop::None) out.all = std::move(found.top);
  return out;
}

}  // namespace gridloom::ranking
