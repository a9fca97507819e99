// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/heat_scale.h"

#include <QEvent>
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
}

bool LinkScale::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) setToolTip(words());
  return QWidget::event(event);
}

QString LinkScale::words() const {
  return m_canvas->scene().compares
             ? QStringLiteral("Links: share of the cycles in which a link carries packets in B, "
                              "minus that in A, in percentage points. The scale ends at the "
                              "largest change of a link or channel")
             : QStringLiteral("Links: share of the cycles in which a link carries packets. The "
                              "scale is that of the data");
}

void LinkScale::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (m_canvas->isStale()) painter.setOpacity(kStaleInk);
  paintLinkScale(painter, QRectF(rect()), m_canvas->scene(), tokensFor(palette()));
}

bool HeatScale::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) setToolTip(meaningOf(m_canvas->scene().heat));
  return QWidget::event(event);
}

void HeatScale::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (m_canvas->isStale()) painter.setOpacity(kStaleInk);
  paintHeatScale(painter, QRectF(rect()), m_canvas->scene(), tokensFor(palette()),
                 briefTitleOf(m_canvas->scene().heat));
}

}  // namespace gridloom::widgets
