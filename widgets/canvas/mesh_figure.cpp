// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>

#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kLine = 20;  // pixels per line of the legend

void paintOperands(QPainter& painter, QRectF area, const MeshScene& scene, const Tokens& tokens) {
  for (const Flow& flow : scene.flows) {
    const QRectF swatch(area.left(), area.top() + kLine / 2 - 2, 18, 4);
    painter.fillRect(swatch, tokens.operand(flow.colour));
    painter.setPen(tokens.text);
    painter.drawText(QRectF(area.left() + 26, area.top(), area.width() - 26, kLine),
                     Qt::AlignVCenter | Qt::AlignLeft,
                     flow.operand + QStringLiteral("  ") + flow.movement);
    area.translate(0, kLine);
  }
}

}  // namespace

void paintMeshFigure(QPainter& painter, const QRectF& area, const MeshScene& scene,
                     const Tokens& tokens, const QString& title) {
  painter.save();
  painter.fillRect(area, tokens.panel);
  const QRectF page = area.adjusted(20, 14, -20, -14);
  QFont font = painter.font();
  font.setPixelSize(15);
  font.setWeight(QFont::DemiBold);
  painter.setFont(font);
  painter.setPen(tokens.text);
  painter.drawText(
      QRectF(page.left(), page.top(), page.width(), 24), Qt::AlignVCenter | Qt::AlignLeft,
      painter.fontMetrics().elidedText(title, Qt::ElideRight, static_cast<int>(page.width())));
  font.setPixelSize(12);
  font.setWeight(QFont::Normal);
  painter.setFont(font);
  const double legend =
      kLine * static_cast<double>(std::max<std::size_t>(scene.flows.size(), 1)) + 8;
  const QRectF mesh(page.left(), page.top() + 30, page.width(), page.height() - 30 - legend);
  painter.save();
  painter.translate(mesh.topLeft());
  MeshHighlight plain;
  paintMesh(painter, scene, fitted(scene, QRectF(QPointF(), mesh.size())), tokens, plain);
  painter.restore();
  const QRectF foot(page.left(), page.bottom() - legend + 8, page.width(), legend - 8);
  paintOperands(painter, foot, scene, tokens);
  paintHeatScale(painter, QRectF(foot.right() - 330, foot.top(), 330, kLine), scene, tokens);
  painter.restore();
}

}  // namespace gridloom::widgets
