// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridloom::cost {

/// Integers from `first` to `last`; none where `last < first`.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = -1;
};

/// One range per dimension.
using Box = std::vector<Range>;

/// Number of integer points that lie in at least one of the boxes, which have as many dimensions as
/// each other. Without dimensions, a box is one point.
double pointsInAny(const std::vector<Box>& boxes);

}  // namespace gridloom::cost
