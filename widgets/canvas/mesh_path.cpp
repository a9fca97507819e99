// SPDX-License-Identifier: GPL-3.0-or-later

// What a core holds at a cycle: how full its memory is, and the followed tile.

#include <QPainter>
#include <QStringList>
#include <algorithm>

#include "canvas/mesh_moment.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "models/quantity_text.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kLeastCell = 20;  // pixels; a narrower cell has no room for a second bar

}  // namespace

QString heldText(const MeshMoment& moment, int core) {
  QStringList parts;
  std::int64_t bytes = 0;
  auto held = std::ranges::lower_bound(moment.buffers, core, {}, &HeldBuffer::core);
  for (; held != moment.buffers.end() && held->core == core; ++held) {
    parts << QStringLiteral("%1%2 %3 of %4")
                 .arg(held->name, held->shared ? QStringLiteral(" (shared buffer)") : QString())
                 .arg(held->used)
                 .arg(held->slots);
    if (!held->shared) bytes += held->bytes;
  }
  if (parts.isEmpty()) return {};
  return QStringLiteral("%1; %2 of %3 of local memory")
      .arg(parts.join(QStringLiteral(", ")), bytesText(static_cast<double>(bytes)),
           bytesText(static_cast<double>(moment.capacity)));
}

void paintFill(QPainter& painter, const MeshMoment& moment, int core, const QRectF& cell,
               const Tokens& tokens) {
  const auto at = static_cast<std::size_t>(core);
  if (at >= moment.fill.size() || cell.width() < kLeastCell) return;
  const double inset = std::max(2.0, cell.height() * 0.13);
  const QRectF bar(cell.right() - 6, cell.top() + inset, 4, cell.height() - 2 * inset);
  QRectF level = bar;
  level.setTop(bar.bottom() -
               bar.height() * std::clamp(static_cast<double>(moment.fill[at]), 0.0, 1.0));
  painter.fillRect(bar, tokens.panel);
  painter.fillRect(level, tokens.faint);
}

void paintPath(QPainter& painter, const MeshScene& scene, const Viewport& view,
               const Tokens& tokens) {
  if (!scene.moment || scene.moment->path.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  const double half = std::max(kCellHalf, 1.5 / view.pitch);
  for (const PathCell& on : scene.moment->path) {
    if (on.core >= scene.coreCount()) continue;
    const QPointF cell(scene.positionOf(scene.cellOfCore[static_cast<std::size_t>(on.core)]));
    const QRectF box =
        view.rectOf({cell + QPointF(0.5 - half, 0.5 - half), QSizeF(2 * half, 2 * half)});
    QPen pen(tokens.operand(scene.moment->pathColour), 1.2);
    if (on.phase == PathCell::Phase::There) pen.setWidthF(3);
    if (on.phase == PathCell::Phase::Before) pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.drawRoundedRect(box, view.pitch * 0.09, view.pitch * 0.09);
  }
}

}  // namespace gridloom::widgets
