// SPDX-License-Identifier: Apache-2.0
#include "hardware/grid.h"

namespace gridloom::hardware {

std::int64_t Grid::count() const {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return count;
}

bool Grid::contains(std::span<const std::int64_t> point) const {
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (point[d] < 0 || point[d] >= sizes[d]) return false;
  }
  return true;
}

std::int64_t Grid::indexOf(std::span<const std::int64_t> point) const {
  std::int64_t index = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) index = index * sizes[d] + point[d];
  return index;
}

void Grid::pointOf(std::int64_t index, std::span<std::int64_t> out) const {
  for (std::size_t d = sizes.size(); d-- > 0;) {
    out[d] = index % sizes[d];
    index /= sizes[d];
  }
}

std::string pointName(std::span<const std::int64_t> point) {
  std::string name = "(";
  for (std::size_t d = 0; d < point.size(); ++d) {
    if (d != 0) name += ", ";
    name += std::to_string(point[d]);
  }
  return name + ")";
}

}  // namespace gridloom::hardware
