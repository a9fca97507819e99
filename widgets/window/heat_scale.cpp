// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/heat_scale.h"

#include <QPainter>

#include "canvas/mesh_canvas.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

HeatScale::HeatScale(const MeshCanvas* canvas, QWidget* parent)
    : QWidget(parent), m_canvas(canvas) {
  setFixedSize(kSideLegend, 22);
}

LinkScale::LinkScale(const MeshCanvas* canvas, QWidget* parent)
    : QWidget(parent), m_canvas(canvas) {
  setFixedSize(kSideLegend, 22);
  setToolTip(QStringLiteral(
      "Links: share of the cycles in which a link carries packets. The scale is that "
      "of the data"));
}

void LinkScale::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (m_canvas->isStale()) painter.setOpacity(kStaleInk);
  paintLinkScale(painter, QRectF(rect()), m_canvas->scene(), tokensFor(palette()));
}

void HeatScale::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (m_canvas->isStale()) painter.setOpacity(kStaleInk);
  paintHeatScale(painter, QRectF(rect()), m_canvas->scene(), tokensFor(palette()), {});
}

}  // namespace gridloom::widgets
