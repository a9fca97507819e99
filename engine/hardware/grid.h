// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gridloom::hardware {

/// A box of integer points, numbered row-major (the last dimension varies fastest).
struct Grid {
  std::vector<std::int64_t> sizes;

  std::int64_t count() const;
  bool contains(std::span<const std::int64_t> point) const;
  std::int64_t indexOf(std::span<const std::int64_t> point) const;
  void pointOf(std::int64_t index, std::span<std::int64_t> out) const;
};

/// "(3, 1)"
std::string pointName(std::span<const std::int64_t> point);

}  // namespace gridloom::hardware
