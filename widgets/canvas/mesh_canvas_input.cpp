// SPDX-License-Identifier: GPL-3.0-or-later

// Pointer and keys on the mesh.

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "canvas/mesh_canvas.h"
#include "canvas/mesh_hits.h"
#include "canvas/mesh_moment.h"

namespace gridloom::widgets {

void MeshCanvas::mousePressEvent(QMouseEvent* event) {
  m_pressed = m_dragged = event->position();
  m_dragging = false;
  m_channel = -1;
  if (event->button() == Qt::LeftButton) pressChannel(event->position());
  if (event->button() == Qt::LeftButton && beginGrip(event->position())) event->accept();
}

/// The mark of a port of the selected channel, or a channel itself: then the port beside it.
void MeshCanvas::pressChannel(QPointF at) {
  m_port = m_placeable ? portAt(m_scene, m_view, m_highlight.memory, at) : -1;
  m_channel = m_port >= 0 ? m_highlight.memory : memoryAt(m_scene, m_view, at);
  if (m_channel >= 0 && m_port < 0)
    m_port = static_cast<int>(m_scene.nearestPort(m_scene.memoryOf(m_channel)));
}

void MeshCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (m_grip != Grip::None) return moveGrip(at);
  if (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) {
    if (!m_dragging && (at - m_pressed).manhattanLength() < 5) return;
    m_dragging = true;
    if (m_channel >= 0 && !m_placeable) {
      m_channel = -1;
      Q_EMIT placingRefused();
    }
    if (m_channel >= 0) {
      m_grip = Grip::Channel;
      return moveGrip(at);
    }
    m_fitted = false;
    m_view.origin += at - m_dragged;
    m_dragged = at;
    setCursor(Qt::ClosedHandCursor);
    update();
    return;
  }
  hover(at);
}

void MeshCanvas::hover(QPointF at) {
  const Grip hot = gripAt(at);
  const int core = hot == Grip::None ? coreAt(at) : -1;
  if (core == m_highlight.hovered && hot == m_hot) return;
  m_highlight.hovered = core;
  m_hot = hot;
  if (hot == Grip::Columns || hot == Grip::Rows)
    setCursor(hot == Grip::Columns ? Qt::SizeHorCursor : Qt::SizeVerCursor);
  else
    unsetCursor();
  update();
}

MeshCanvas::Grip MeshCanvas::gripAt(QPointF at) const {
  if (overview().contains(at)) return Grip::Overview;
  constexpr double kNear = 4;  // pixels around a handle
  const auto isNear = [&](MeshAxis axis) {
    const QRectF place = handle(axis);
    return !place.isEmpty() && place.adjusted(-kNear, -kNear, kNear, kNear).contains(at);
  };
  if (isNear(MeshAxis::Columns)) return Grip::Columns;
  return isNear(MeshAxis::Rows) ? Grip::Rows : Grip::None;
}

bool MeshCanvas::beginGrip(QPointF at) {
  m_grip = gripAt(at);
  if (m_grip == Grip::None) return false;
  m_newSize = {m_scene.columns, m_scene.rows};
  moveGrip(at);
  return true;
}

void MeshCanvas::moveGrip(QPointF at) {
  m_dragged = at;
  if (m_grip == Grip::Overview)
    centreOn(MeshOverview::cellAt(m_scene, m_view, at));
  else if (m_grip == Grip::Channel)
    m_place = nearestCell(at);
  else
    m_newSize = grippedSize(at);
  update();
}

QPoint MeshCanvas::nearestCell(QPointF at) const {
  const QPointF cell = m_view.cellAt(at);
  return {std::clamp(static_cast<int>(std::floor(cell.x())), 0, m_scene.columns - 1),
          std::clamp(static_cast<int>(std::floor(cell.y())), 0, m_scene.rows - 1)};
}

/// At least one column or row, and at most eight times as many as there are.
QSize MeshCanvas::grippedSize(QPointF at) const {
  const QPointF moved = m_view.cellAt(at) - m_view.cellAt(m_pressed);
  const auto sized = [](int now, double more) {
    return std::clamp(static_cast<int>(std::lround(now + more)), 1, 8 * now);
  };
  return m_grip == Grip::Columns ? QSize(sized(m_scene.columns, moved.x()), m_scene.rows)
                                 : QSize(m_scene.columns, sized(m_scene.rows, moved.y()));
}

void MeshCanvas::endGrip() {
  const Grip grip = std::exchange(m_grip, Grip::None);
  update();
  const int channel = std::exchange(m_channel, -1);
  if (grip == Grip::Channel) {
    const auto& ports = m_scene.memoryOf(channel).ports;
    if (m_place != m_scene.positionOf(ports[static_cast<std::size_t>(m_port)]))
      Q_EMIT portPlaced(channel, m_port, m_place);
  }
  if (grip == Grip::Columns && m_newSize.width() != m_scene.columns)
    Q_EMIT resized(MeshAxis::Columns, m_newSize.width());
  if (grip == Grip::Rows && m_newSize.height() != m_scene.rows)
    Q_EMIT resized(MeshAxis::Rows, m_newSize.height());
}

void MeshCanvas::centreOn(QPointF cell) {
  m_view.origin = QRectF(rect()).center() - m_view.offsetOf(cell);
  m_fitted = false;
}

void MeshCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (m_grip != Grip::None) return endGrip();
  unsetCursor();
  if (!m_dragging && event->button() == Qt::LeftButton) pick(event->position());
  m_dragging = false;
}

/// A tile in flight, a memory, a link beside the cells, or a core; what is selected already is no
/// longer.
void MeshCanvas::pick(QPointF at) {
  if (const MovingTile* tile = movingTileAt(m_scene, m_view, at)) {
    Q_EMIT tilePicked(tile->move);
    return;
  }
  // A click on the mark of a port leaves its channel selected.
  if (m_placeable && portAt(m_scene, m_view, m_highlight.memory, at) >= 0) return;
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
  zoomAt(event->position(), std::pow(kMeshZoomStep, event->angleDelta().y() / 120.0));
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
  case Qt::Key_Delete:
    if (m_highlight.core >= 0) Q_EMIT disableWanted(m_highlight.core);
    return;
  case Qt::Key_Escape:
    if (m_grip != Grip::None) {
      m_grip = Grip::None;
      m_channel = -1;
      return update();
    }
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

void MeshCanvas::leaveEvent(QEvent*) {
  m_highlight.hovered = -1;
  m_hot = Grip::None;
  update();
}

/// What a channel, or the mark of a port, offers; empty elsewhere.
QString MeshCanvas::channelTip(QPointF at) const {
  if (!m_placeable) return {};
  if (const int port = portAt(m_scene, m_view, m_highlight.memory, at); port >= 0)
    return QStringLiteral("Port %1 of this channel: drag it to another router").arg(port);
  const int memory = memoryAt(m_scene, m_view, at);
  if (memory < 0) return {};
  const std::size_t ports = m_scene.memoryOf(memory).ports.size();
  return ports == 1
             ? QStringLiteral("Click to select; drag to another router of the mesh")
             : QStringLiteral("Click to select and to see its %1 ports; each is dragged by itself")
                   .arg(ports);
}

bool MeshCanvas::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const QPointF at(help->pos());
    const int core = coreAt(at);
    const Grip grip = gripAt(at);
    if (grip == Grip::Columns || grip == Grip::Rows)
      QToolTip::showText(
          help->globalPos(),
          QStringLiteral("Drag to change the number of %1")
              .arg(grip == Grip::Columns ? QStringLiteral("columns") : QStringLiteral("rows")),
          this);
    else if (const QString words = channelTip(at); !words.isEmpty())
      QToolTip::showText(help->globalPos(), words, this);
    else if (core >= 0)
      QToolTip::showText(help->globalPos(), m_scene.describe(core), this);
    else if (const MeshScene::Aside* aside = asideAt(at))
      QToolTip::showText(help->globalPos(), m_scene.describe(*aside), this);
    else
      QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

}  // namespace gridloom::widgets
