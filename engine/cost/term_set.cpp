// SPDX-License-Identifier: Apache-2.0
#include "cost/term_set.h"

#include <array>

namespace gridloom::cost {

namespace {

constexpr auto kNames = std::to_array<std::string_view>(
    {"shared chains",  "burst stall",     "multicast pace",  "inner bursts",
     "first bursts",   "first tiles",     "last tiles",      "staggered ends",
     "late inputs",    "scope ends",      "joined partials", "all-reduce behind transfers",
     "buffer release", "stream fill",     "remaining work",  "DMA channels",
     "dependence",     "step contention", "edge tiles",      "port share",
     "few pages"});
static_assert(kNames.size() == static_cast<std::size_t>(TermId::FewPages) + 1);

constexpr auto kAll = [] {
  std::array<TermId, kNames.size()> all{};
  for (std::size_t t = 0; t < all.size(); ++t) all[t] = static_cast<TermId>(t);
  return all;
}();

}  // namespace

std::string_view nameOf(TermId term) { return kNames[static_cast<std::size_t>(term)]; }

std::span<const TermId> allTerms() { return kAll; }

}  // namespace gridloom::cost
