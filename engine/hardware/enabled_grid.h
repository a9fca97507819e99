// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hardware/grid.h"

namespace gridloom::hardware {

/// Coordinates kept along each dimension, ascending.
using KeptLines = std::vector<std::vector<std::int64_t>>;

/// The largest grid of whole lines without a disabled core: for every disabled core, one of its
/// lines is dropped. Exact for a few disabled cores; with many, the best of the first choices
/// tried. Empty when every core is disabled.
KeptLines largestEnabledGrid(const Grid& grid, const std::vector<bool>& disabled);

}  // namespace gridloom::hardware
