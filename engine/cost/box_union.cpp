// SPDX-License-Identifier: Apache-2.0
#include "cost/box_union.h"

#include <algorithm>

namespace gridloom::cost {

namespace {

using Chosen = std::vector<const Box*>;

// Cuts the first dimension where a box begins or ends: in between, the same boxes hold everywhere.
double pointsFrom(const Chosen& boxes, std::size_t dim) {
  if (boxes.empty()) return 0;
  if (dim == boxes.front()->size()) return 1;
  if (boxes.size() == 1) {
    const Range range = (*boxes.front())[dim];
    return static_cast<double>(range.last - range.first + 1) * pointsFrom(boxes, dim + 1);
  }
  std::vector<std::int64_t> cuts;
  for (const Box* box : boxes) {
    cuts.push_back((*box)[dim].first);
    cuts.push_back((*box)[dim].last + 1);
  }
  std::ranges::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  double points = 0;
  for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
    Chosen holding;
    for (const Box* box : boxes) {
      const Range range = (*box)[dim];
      if (range.first <= cuts[c] && cuts[c] <= range.last) holding.push_back(box);
    }
    points += static_cast<double>(cuts[c + 1] - cuts[c]) * pointsFrom(holding, dim + 1);
  }
  return points;
}

}  // namespace

double pointsInAny(const std::vector<Box>& boxes) {
  Chosen filled;
  for (const Box& box : boxes) {
    if (std::ranges::all_of(box, [](const Range& r) { return r.first <= r.last; }))
      filled.push_back(&box);
  }
  return pointsFrom(filled, 0);
}

}  // namespace gridloom::cost
