// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/memory_places.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "canvas/mesh_scene.h"

namespace gridloom::widgets {

namespace {

enum class Side { Left, Right, Top, Bottom };

/// Windows are wide: at the left or right, a channel takes no height from the mesh. It goes above
/// or below where that is much nearer.
Side nearestSide(const MeshScene& scene, const QPointF& centre) {
  constexpr double kMuchNearer = 0.5;
  const std::array<double, 4> distance{kMuchNearer * centre.x(),
                                       kMuchNearer * (scene.columns - centre.x()), centre.y(),
                                       scene.rows - centre.y()};
  return static_cast<Side>(std::min_element(distance.begin(), distance.end()) - distance.begin());
}

/// Distributes memory boxes along one side, near their ports and without overlap.
void placeAlong(std::vector<std::pair<double, MemoryBlock*>>& blocks, Side side,
                const MeshScene& scene) {
  std::sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second->channel) < std::pair(b.first, b.second->channel);
  });
  const bool vertical = side == Side::Left || side == Side::Right;
  const double length = vertical ? scene.rows : scene.columns;
  const double step = length / static_cast<double>(blocks.size());
  const double along = std::min(vertical ? 1.4 : 1.8, step * 0.86);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const double at = step * (static_cast<double>(i) + 0.5) - along / 2;
    // At the side, a box is wide enough for its name where cells are as small as to have names.
    const double across = vertical ? 1.2 : 1.0;
    const double outside = side == Side::Left || side == Side::Top
                               ? -0.45 - across
                               : (vertical ? scene.columns : scene.rows) + 0.45;
    blocks[i].second->box =
        vertical ? QRectF(outside, at, across, along) : QRectF(at, outside, along, across);
  }
}

}  // namespace

void placeMemories(MeshScene& scene) {
  std::array<std::vector<std::pair<double, MemoryBlock*>>, 4> sides;
  for (MemoryBlock& block : scene.memories) {
    QPointF sum;
    for (const int cell : block.ports) sum += QPointF(scene.positionOf(cell)) + QPointF(0.5, 0.5);
    const QPointF centre =
        block.ports.empty() ? QPointF() : sum / static_cast<double>(block.ports.size());
    const Side side = nearestSide(scene, centre);
    const double along = side == Side::Left || side == Side::Right ? centre.y() : centre.x();
    sides[static_cast<std::size_t>(side)].emplace_back(along, &block);
  }
  for (std::size_t side = 0; side < sides.size(); ++side) {
    if (!sides[side].empty()) placeAlong(sides[side], static_cast<Side>(side), scene);
  }
}

}  // namespace gridloom::widgets
