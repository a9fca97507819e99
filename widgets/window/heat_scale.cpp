// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/heat_scale.h"

#include <QPainter>

#include "canvas/mesh_canvas.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

HeatScale::HeatScale(const MeshCanvas* canvas, QWidget* parent)
    : QWidget(parent), m_canvas(canvas) {
  setFixedSize(150, 22);
}

void HeatScale::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (m_canvas->isStale()) painter.setOpacity(kStaleInk);
  paintHeatScale(painter, QRectF(rect()), m_canvas->scene(), tokensFor(palette()), {});
}

}  // namespace gridloom::widgets
