// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_hits.h"

#include <algorithm>
#include <cmath>

#include "canvas/mesh_lines.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"

namespace gridloom::widgets {

namespace {

constexpr double kLinkPitch = 16;  // as `paintMesh` draws links
constexpr double kReach = 5;       // pixels beside a link that still hit it

double distanceTo(QPointF from, QPointF to, QPointF position) {
  const QPointF way = to - from, off = position - from;
  const double length = way.x() * way.x() + way.y() * way.y();
  const double part =
      length > 0 ? std::clamp((off.x() * way.x() + off.y() * way.y()) / length, 0.0, 1.0) : 0;
  const QPointF rest = off - way * part;
  return std::hypot(rest.x(), rest.y());
}

}  // namespace

int linkAt(const MeshScene& scene, const Viewport& view, QPointF position) {
  if (view.pitch < kLinkPitch || scene.linkBegin.empty()) return -1;
  int best = -1;
  double nearest = kReach;
  const QPointF at = view.cellAt(position);
  const int left = std::max(0, static_cast<int>(at.x()) - 1);
  const int right = std::min(scene.columns - 1, static_cast<int>(at.x()) + 1);
  const int top = std::max(0, static_cast<int>(at.y()) - 1);
  const int bottom = std::min(scene.rows - 1, static_cast<int>(at.y()) + 1);
  for (int row = top; row <= bottom; ++row) {
    for (int cell = row * scene.columns + left; cell <= row * scene.columns + right; ++cell) {
      const auto c = static_cast<std::size_t>(cell);
      for (int l = scene.linkBegin[c]; l < scene.linkBegin[c + 1]; ++l) {
        const int index = scene.linkOrder[static_cast<std::size_t>(l)];
        const LinkUse& link = scene.links[static_cast<std::size_t>(index)];
        const QPointF from = view.centreOf(QPointF(scene.positionOf(link.from)));
        const QPointF to = view.centreOf(QPointF(scene.positionOf(link.to)));
        const double length = std::hypot(to.x() - from.x(), to.y() - from.y());
        // Of a link around the edge, a stub is drawn; a click on a neighbour is not meant for it.
        if (length <= 0 || isStub(scene.positionOf(link.to) - scene.positionOf(link.from)))
          continue;
        const QPointF direction = (to - from) / length;
        const QPointF side = QPointF(-direction.y(), direction.x()) * view.pitch * 0.05;
        const double gap = kLinkGap * view.spanOf(direction);
        const double distance =
            distanceTo(from + side + direction * gap, to + side - direction * gap, position);
        if (distance >= nearest) continue;
        nearest = distance;
        best = index;
      }
    }
  }
  return best;
}

bool MeshScene::hasAllPorts(std::int64_t channels) const {
  return static_cast<std::size_t>(channels) == memories.size() &&
         std::ranges::none_of(memories, [](const auto& block) { return block.ports.empty(); });
}

std::size_t MeshScene::nearestPort(const MemoryBlock& block) const {
  std::size_t nearest = 0;
  double least = 1e300;
  for (std::size_t port = 0; port < block.ports.size(); ++port) {
    const QPointF off =
        QPointF(positionOf(block.ports[port])) + QPointF(0.5, 0.5) - block.box.center();
    const double distance = off.x() * off.x() + off.y() * off.y();
    if (distance >= least) continue;
    least = distance;
    nearest = port;
  }
  return nearest;
}

QRectF portMark(const MeshScene& scene, const Viewport& view, int cell) {
  const QRectF box = view.rectOf(QRectF(scene.positionOf(cell), QSizeF(1, 1)));
  const double side = std::clamp(view.pitch * 0.22, 8.0, 14.0);
  return {box.right() - side - 1, box.bottom() - side - 1, side, side};
}

int portAt(const MeshScene& scene, const Viewport& view, int memory, QPointF position) {
  if (memory < 0 || static_cast<std::size_t>(memory) >= scene.memories.size()) return -1;
  const MemoryBlock& block = scene.memoryOf(memory);
  if (block.ports.size() < 2 || view.pitch < kPortPitch) return -1;
  for (std::size_t port = 0; port < block.ports.size(); ++port) {
    if (portMark(scene, view, block.ports[port]).adjusted(-2, -2, 2, 2).contains(position))
      return static_cast<int>(port);
  }
  return -1;
}

int memoryAt(const MeshScene& scene, const Viewport& view, QPointF position) {
  for (std::size_t m = 0; m < scene.memories.size(); ++m) {
    const MemoryBlock& memory = scene.memories[m];
    if (!memory.ports.empty() && view.rectOf(memory.box).contains(position))
      return static_cast<int>(m);
  }
  return -1;
}

}  // namespace gridloom::widgets
