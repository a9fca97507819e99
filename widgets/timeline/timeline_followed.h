// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/tile_path.h"
#include "timeline/timeline_scene.h"

namespace gridloom::widgets {

/// Adds the path of a tile above all other rows: one row per core, in the order in which it gets
/// the tile, with the transfers and, paler, the cycles in which a buffer holds it. Of more cores
/// than kMostPathRows, the first ones and `chosen` (-1: none), below a heading that says so.
void showFollowed(TimelineScene& scene, const report::TilePath& path, int chosen);

/// "Tile of A: cycles 1,200 to 9,840, 8 cores".
QString pathText(const report::TilePath& path);

/// Rows of a path.
constexpr std::size_t kMostPathRows = 64;

}  // namespace gridloom::widgets
