// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/tile_way.h"
#include "timeline/timeline_scene.h"

namespace gridloom::widgets {

/// Adds the way of a tile above all other rows: one row per core, in the order in which it gets the
/// tile, with the transfers and, paler, the cycles in which a buffer holds it. Of more cores than
/// kMostWayRows, the first ones and `chosen` (-1: none), below a heading that says so.
void showFollowed(TimelineScene& scene, const report::TileWay& way, int chosen);

/// "Tile of A: cycles 1,200 to 9,840, 8 cores".
QString wayText(const report::TileWay& way);

/// Rows of a way.
constexpr std::size_t kMostWayRows = 64;

}  // namespace gridloom::widgets
