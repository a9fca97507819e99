// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontMetricsF>
#include <QMarginsF>
#include <QPainter>
#include <algorithm>

#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "canvas/mesh_states.h"
#include "charts/chart_parts.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kScaleLine = 16;   // pixels
constexpr double kMostScale = 300;  // the widest
const QMarginsF kMargins(10, 10, 10, 10);

/// What the colours say: operands, then states of cores.
std::vector<ChartKey> meshKeysOf(const MeshScene& scene, const Tokens& tokens) {
  std::vector<ChartKey> keys;
  for (const Flow& flow : scene.flows)
    keys.push_back({tokens.operand(flow.colour), flow.operand + QLatin1Char(' ') + flow.movement});
  if (!showsStates(scene)) return keys;
  for (const StateKey& key : stateKeys(scene))
    keys.push_back({stateBar(tokens, key.state), key.words});
  return keys;
}

bool hasHeatRange(const MeshScene& scene) {
  return !showsStates(scene) && scene.heat != Heat::None && !scene.heatOfCore.empty();
}

/// The keys, and below them a scale for cores and one for links.
double meshLegendHeight(const QFont& font, double width, const MeshScene& scene) {
  return keysHeight(font, width, meshKeysOf(scene, lightTokens())) +
         kScaleLine * ((hasHeatRange(scene) ? 1 : 0) + (hasLinkScale(scene) ? 1 : 0)) + 6;
}

void paintMeshLegend(QPainter& painter, const QRectF& foot, const MeshScene& scene,
                     const Tokens& tokens) {
  const auto keys = meshKeysOf(scene, tokens);
  paintKeys(painter, foot, keys, tokens);
  QRectF line(foot.left(), foot.top() + keysHeight(painter.font(), foot.width(), keys),
              std::min(foot.width(), kMostScale), kScaleLine);
  painter.setFont(chartFont(painter.font(), kLabelPixels));
  if (hasHeatRange(scene)) {
    paintHeatScale(painter, line, scene, tokens, titleOf(scene.heat));
    line.translate(0, kScaleLine);
  }
  paintLinkScale(painter, line, scene, tokens);
}

}  // namespace

QSizeF meshFigureSize(const MeshScene& scene, const ChartHead& head, double width, double most) {
  const QFont font;
  const double inner = width - kMargins.left() - kMargins.right();
  const double around = kMargins.top() + kMargins.bottom() + headHeight(font, inner, head) +
                        meshLegendHeight(font, inner, scene);
  const double pitch = fitted(scene, QRectF(0, 0, inner, most - around)).pitch;
  const double mesh = scene.bounds().height() * pitch + 2 * kScaleLine;
  return {width, std::min(most, around + mesh)};
}

void paintMeshFigure(QPainter& painter, const QRectF& area, const MeshScene& scene,
                     const Tokens& tokens, const ChartHead& head) {
  painter.save();
  painter.fillRect(area, tokens.panel);
  const QRectF rest = paintHead(painter, area.marginsRemoved(kMargins), head, tokens);
  const double legend = meshLegendHeight(painter.font(), rest.width(), scene);
  const QRectF mesh = rest.adjusted(0, 0, 0, -legend);
  painter.save();
  painter.setFont(chartFont(painter.font(), 12));
  painter.translate(mesh.topLeft());
  MeshHighlight plain;
  paintMesh(painter, scene, fitted(scene, QRectF(QPointF(), mesh.size())), tokens, plain);
  painter.restore();
  paintMeshLegend(painter,
                  QRectF(rest.left(), rest.bottom() - legend + 6, rest.width(), legend - 6), scene,
                  tokens);
  painter.restore();
}

}  // namespace gridloom::widgets
