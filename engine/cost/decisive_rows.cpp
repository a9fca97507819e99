// SPDX-License-Identifier: Apache-2.0
#include "cost/decisive_rows.h"

#include <algorithm>
#include <utility>

namespace gridloom::cost {

std::vector<std::size_t> decisiveRows(const std::vector<const std::vector<double>*>& loads,
                                      std::size_t resources, const base::Progress* progress) {
  const auto covers = [&](std::size_t a, std::size_t b) {
    return std::ranges::all_of(loads, [&](const auto* load) { return (*load)[a] >= (*load)[b]; });
  };
  std::vector<std::pair<double, std::size_t>> byWeight;
  for (std::size_t r = 0; r < resources; ++r) {
    double weight = 0;
    for (const auto* load : loads) weight += (*load)[r];
    if (weight > 0) byWeight.emplace_back(-weight, r);
  }
  std::ranges::sort(byWeight);
  // Heavier resources come first, so a kept one is never covered by a later one.
  std::vector<std::size_t> kept;
  for (const auto& [weight, candidate] : byWeight) {
    if (progress != nullptr && progress->cancelled()) break;
    const bool covered =
        std::ranges::any_of(kept, [&, r = candidate](std::size_t k) { return covers(k, r); });
    if (!covered) kept.push_back(candidate);
  }
  return kept;
}

}  // namespace gridloom::cost
