// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_canvas.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "canvas/mesh_hits.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kZoomStep = 1.25;
constexpr double kLargestPitch = 400;

}  // namespace

MeshCanvas::MeshCanvas(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(240, 60);
  setAccessibleName(QStringLiteral("Mesh"));
  setAccessibleDescription(
      QStringLiteral("Cores of the hardware with the selected mapping; arrow keys walk"));
}

void MeshCanvas::setScene(MeshScene scene) {
  const bool sameShape = scene.columns == m_scene.columns && scene.rows == m_scene.rows &&
                         scene.bounds() == m_scene.bounds();
  m_scene = std::move(scene);
  if (m_highlight.core >= m_scene.coreCount()) m_highlight.core = -1;
  m_highlight.hovered = -1;
  if (!sameShape || m_fitted) fit();
  update();
}

void MeshCanvas::setSelectedCore(int core) {
  // The selection may belong to an older mesh.
  m_highlight.core = core < static_cast<int>(m_scene.cellOfCore.size()) ? core : -1;
  update();
}

void MeshCanvas::setOperand(const QString& operand) {
  m_highlight.operand = operand;
  update();
}

void MeshCanvas::setResource(int link, int memory) {
  m_highlight.link = link;
  m_highlight.memory = memory;
  update();
}

void MeshCanvas::setMoment(std::shared_ptr<const MeshMoment> moment) {
  if (!moment && !m_scene.moment) return;
  m_scene.moment = std::move(moment);
  update();
}

void MeshCanvas::setLinksShown(bool shown) {
  m_highlight.links = shown;
  update();
}

void MeshCanvas::setStale(bool stale) {
  if (m_highlight.stale == stale) return;
  m_highlight.stale = stale;
  update();
}

void MeshCanvas::setEmptyText(const QString& words) {
  m_emptyText = words;
  update();
}

int MeshCanvas::coreAt(QPointF position) const {
  const QPointF at = m_view.cellAt(position);
  const int column = static_cast<int>(std::floor(at.x()));
  const int row = static_cast<int>(std::floor(at.y()));
  if (column < 0 || row < 0 || column >= m_scene.columns || row >= m_scene.rows) return -1;
  return m_scene.coreOfCell[static_cast<std::size_t>(row * m_scene.columns + column)];
}

QPointF MeshCanvas::centreOfCore(int core) const {
  return m_view.centreOf(
      QPointF(m_scene.positionOf(m_scene.cellOfCore[static_cast<std::size_t>(core)])));
}

void MeshCanvas::fit() {
  m_fitted = true;
  if (!m_scene.empty()) m_view = fitted(m_scene, QRectF(rect()));
  update();
}

void MeshCanvas::zoomIn() { zoomAt(QRectF(rect()).center(), kZoomStep); }
void MeshCanvas::zoomOut() { zoomAt(QRectF(rect()).center(), 1 / kZoomStep); }

void MeshCanvas::zoomAt(QPointF centre, double factor) {
  if (m_scene.empty()) return;
  const double least = fitted(m_scene, QRectF(rect())).pitch / 4;
  const double pitch = std::clamp(m_view.pitch * factor, least, kLargestPitch);
  m_view.origin = centre - (centre - m_view.origin) * (pitch / m_view.pitch);
  m_view.pitch = pitch;
  m_fitted = false;
  update();
}

void MeshCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Tokens& tokens = tokensFor(palette());
  painter.fillRect(rect(), tokens.panel);
  if (m_scene.empty()) {
    painter.setPen(tokens.faint);
    painter.drawText(rect().adjusted(40, 40, -40, -40), Qt::AlignCenter | Qt::TextWordWrap,
                     m_emptyText);
    return;
  }
  paintMesh(painter, m_scene, m_view, tokens, m_highlight);
  if (hasFocus() && m_keyboard) {
    painter.setPen(QPen(tokens.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void MeshCanvas::resizeEvent(QResizeEvent*) {
  m_view.size = size();
  if (m_fitted) fit();
}

void MeshCanvas::mousePressEvent(QMouseEvent* event) {
  m_pressed = m_dragged = event->position();
  m_dragging = false;
}

void MeshCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) {
    if (!m_dragging && (at - m_pressed).manhattanLength() < 5) return;
    m_dragging = true;
    m_fitted = false;
    m_view.origin += at - m_dragged;
    m_dragged = at;
    setCursor(Qt::ClosedHandCursor);
    update();
    return;
  }
  const int core = coreAt(at);
  if (core == m_highlight.hovered) return;
  m_highlight.hovered = core;
  update();
}

void MeshCanvas::mouseReleaseEvent(QMouseEvent* event) {
  unsetCursor();
  if (!m_dragging && event->button() == Qt::LeftButton) pick(event->position());
  m_dragging = false;
}

/// A memory, a link beside the cells, or a core; what is selected already is no longer.
void MeshCanvas::pick(QPointF at) {
  const int memory = memoryAt(m_scene, m_view, at);
  const int link = memory < 0 ? linkAt(m_scene, m_view, at) : -1;
  if (memory >= 0 || link >= 0) {
    const bool again = memory == m_highlight.memory && link == m_highlight.link;
    Q_EMIT resourcePicked(again ? -1 : link, again ? -1 : memory);
    return;
  }
  const int core = coreAt(at);
  Q_EMIT corePicked(core == m_highlight.core ? -1 : core);
}

void MeshCanvas::wheelEvent(QWheelEvent* event) {
  zoomAt(event->position(), std::pow(kZoomStep, event->angleDelta().y() / 120.0));
  event->accept();
}

void MeshCanvas::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
  case Qt::Key_Left:
    return walk(-1, 0);
  case Qt::Key_Right:
    return walk(1, 0);
  case Qt::Key_Up:
    return walk(0, -1);
  case Qt::Key_Down:
    return walk(0, 1);
  case Qt::Key_Plus:
    return zoomIn();
  case Qt::Key_Minus:
    return zoomOut();
  case Qt::Key_Escape:
    Q_EMIT corePicked(-1);
    return;
  default:
    QWidget::keyPressEvent(event);
  }
}

void MeshCanvas::walk(int dx, int dy) {
  if (m_scene.empty()) return;
  if (m_highlight.core < 0) {
    Q_EMIT corePicked(0);
    return;
  }
  QPoint at = m_scene.positionOf(m_scene.cellOfCore[static_cast<std::size_t>(m_highlight.core)]);
  while (true) {
    at += QPoint(dx, dy);
    if (at.x() < 0 || at.y() < 0 || at.x() >= m_scene.columns || at.y() >= m_scene.rows) return;
    const int core =
        m_scene.coreOfCell[static_cast<std::size_t>(at.y() * m_scene.columns + at.x())];
    if (core < 0) continue;
    Q_EMIT corePicked(core);
    return;
  }
}

void MeshCanvas::focusInEvent(QFocusEvent* event) {
  m_keyboard = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  QWidget::focusInEvent(event);
}

void MeshCanvas::leaveEvent(QEvent*) {
  m_highlight.hovered = -1;
  update();
}

bool MeshCanvas::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const int core = coreAt(QPointF(help->pos()));
    if (core >= 0)
      QToolTip::showText(help->globalPos(), m_scene.describe(core), this);
    else
      QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

}  // namespace gridloom::widgets
