// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMarginsF>
#include <QPainter>
#include <algorithm>

#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "canvas/mesh_states.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kLine = 20;  // pixels per line of the legend
constexpr double kTitle = 30;
constexpr double kScale = 330;
const QMarginsF kMargins(20, 14, 20, 14);

double legendHeight(const MeshScene& scene) {
  return kLine * static_cast<double>(std::max<std::size_t>(scene.flows.size(), 2)) + 8;
}

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

/// What the colours of cores and links say, one below the other at the right.
void paintScales(QPainter& painter, const QRectF& foot, const MeshScene& scene,
                 const Tokens& tokens) {
  QRectF line(foot.right() - kScale, foot.top(), kScale, kLine);
  if (showsStates(scene)) {
    const auto keys = stateKeys(scene);
    const double width = std::min(foot.width(), widthOfKeys(painter, keys));
    paintStateKeys(painter, QRectF(foot.right() - width, line.top(), width, kLine), keys, tokens);
  } else {
    paintHeatScale(painter, line, scene, tokens, titleOf(scene.heat));
  }
  line.translate(0, kLine);
  paintLinkScale(painter, line, scene, tokens);
}

}  // namespace

QSizeF meshFigureSize(const MeshScene& scene, double width, double most) {
  const double around = kMargins.top() + kMargins.bottom() + kTitle + legendHeight(scene);
  const QSizeF room(width - kMargins.left() - kMargins.right(), most - around);
  const double pitch = fitted(scene, QRectF(QPointF(), room)).pitch;
  const double mesh = scene.bounds().height() * pitch + 2 * kLine;
  return {width, std::min(most, around + mesh)};
}

void paintMeshFigure(QPainter& painter, const QRectF& area, const MeshScene& scene,
                     const Tokens& tokens, const QString& title) {
  painter.save();
  painter.fillRect(area, tokens.panel);
  const QRectF page = area.marginsRemoved(kMargins);
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
  const double legend = legendHeight(scene);
  const QRectF mesh(page.left(), page.top() + kTitle, page.width(),
                    page.height() - kTitle - legend);
  painter.save();
  painter.translate(mesh.topLeft());
  MeshHighlight plain;
  paintMesh(painter, scene, fitted(scene, QRectF(QPointF(), mesh.size())), tokens, plain);
  painter.restore();
  const QRectF foot(page.left(), page.bottom() - legend + 8, page.width(), legend - 8);
  paintOperands(painter, foot, scene, tokens);
  paintScales(painter, foot, scene, tokens);
  painter.restore();
}

}  // namespace gridloom::widgets
