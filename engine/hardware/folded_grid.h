// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hardware/grid.h"

namespace gridloom::hardware {

/// A logical grid on cores that need not be whole lines of the described one.
struct FoldedGrid {
  std::vector<std::int64_t> sizes;  ///< empty: there is none
  std::vector<std::int64_t> cores;  ///< described core of each logical one
};

/// Folds an array of two dimensions whose lines have different lengths, such as a triangle: a short
/// line continues a long one, so that all lines of the logical grid have the same length. Of all
/// lengths and both dimensions, the one with the most cores; a core is used once at most. Of the
/// directions in which lines can be walked, those in which neighbours are nearest, counted on a
/// mesh without wraparound.
FoldedGrid foldedGrid(const Grid& grid, const std::vector<bool>& disabled);

}  // namespace gridloom::hardware
