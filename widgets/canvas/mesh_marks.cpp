// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_marks.h"

#include <QPainter>
#include <algorithm>

#include "canvas/mesh_hits.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

void paintSelection(QPainter& painter, const MeshScene& scene, const Viewport& view,
                    const Tokens& tokens, int core) {
  if (core < 0 || core >= scene.coreCount()) return;
  const QPoint at = scene.positionOf(scene.cellOfCore[static_cast<std::size_t>(core)]);
  const double inset = view.pitch >= kTextPitch ? 0.08 : 0.0;
  QRectF box = view.rectOf({at.x() + inset, at.y() + inset, 1 - 2 * inset, 1 - 2 * inset});
  if (box.width() < 5) box = QRectF(box.center() - QPointF(3, 3), QSizeF(6, 6));
  painter.setPen(QPen(tokens.accent, 2.2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(box, view.pitch * 0.1, view.pitch * 0.1);
}

void paintPortMarks(QPainter& painter, const MeshScene& scene, const Viewport& view,
                    const Tokens& tokens, int memory) {
  if (memory < 0 || static_cast<std::size_t>(memory) >= scene.memories.size()) return;
  const MemoryBlock& block = scene.memoryOf(memory);
  if (block.ports.size() < 2 || view.pitch < kPortPitch) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(tokens.panel, 1));
  painter.setBrush(tokens.accent);
  const QRectF page(QPointF(), view.size);
  for (const int cell : block.ports) {
    const QRectF mark = portMark(scene, view, cell);
    if (page.intersects(mark)) painter.drawRoundedRect(mark, 2, 2);
  }
}

void paintResource(QPainter& painter, const MeshScene& scene, const Viewport& view,
                   const Tokens& tokens, const MeshHighlight& highlight) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  const auto memory = static_cast<std::size_t>(highlight.memory);
  if (highlight.memory >= 0 && memory < scene.memories.size()) {
    painter.setPen(QPen(tokens.accent, 2.2));
    painter.drawRoundedRect(view.rectOf(scene.memories[memory].box).adjusted(-2, -2, 2, 2), 4, 4);
  }
  const auto link = static_cast<std::size_t>(highlight.link);
  if (highlight.link < 0 || link >= scene.links.size() || scene.links[link].from < 0) return;
  const QPointF from = view.centreOf(QPointF(scene.positionOf(scene.links[link].from)));
  const QPointF to = view.centreOf(QPointF(scene.positionOf(scene.links[link].to)));
  painter.setPen(
      QPen(tokens.accent, std::clamp(view.pitch * 0.07, 2.0, 5.0), Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(from, to);
  painter.setBrush(tokens.accent);
  painter.drawEllipse(to, std::max(3.0, view.pitch * 0.06), std::max(3.0, view.pitch * 0.06));
}

}  // namespace gridloom::widgets
