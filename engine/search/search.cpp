// SPDX-License-Identifier: Apache-2.0
#include "search/search.h"

#include "search/prepared_search.h"

namespace gridloom::search {

std::string_view nameOf(Stop stop) {
  constexpr std::string_view kNames[] = {"", "interrupted", "work limit", "time limit"};
  return kNames[static_cast<std::size_t>(stop)];
}

base::Result<Outcome> topK(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                           const hardware::Topology& hw, const mapping::Constraints& constraints,
                           const Options& options, base::Progress& progress) {
  auto search = PreparedSearch::over(kernel, nest, hw, constraints, options, progress);
  if (!search) return search.takeDiagnostics();
  return (*search)->topK(options, progress);
}

}  // namespace gridloom::search
