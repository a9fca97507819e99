// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "affine/affine_map.h"
#include "hardware/grid.h"

namespace gridloom::hardware {

/// A map whose results depend on at most one dimension each, as most do, as tables: a wafer has a
/// million cores, but a thousand coordinates.
struct CoordinateTables {
  struct Result {
    std::size_t dim = 0;               ///< the dimension that it depends on
    std::vector<std::int64_t> values;  ///< by its coordinate
  };
  std::vector<Result> results;

  /// Every result is a coordinate of `to`.
  bool fitInto(const Grid& to) const;
  /// Where the map leads from each member of `from`: its index in `to`, into which the results fit.
  std::vector<std::int64_t> indices(const Grid& from, const Grid& to) const;
};

/// None where a result depends on several dimensions.
std::optional<CoordinateTables> coordinateTables(const affine::AffineMap& map, const Grid& from);

}  // namespace gridloom::hardware
