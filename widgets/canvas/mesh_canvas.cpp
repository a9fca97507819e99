// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_canvas.h"

#include "canvas/mesh_marks.h"

#include <QFocusEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kLargestPitch = 400;
constexpr int kMostReplayed = 1 << 16;  // cores whose states the overview follows
constexpr double kHandleRoom = 12;      // pixels beside a mesh that can be resized

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
  if (m_highlight.link >= static_cast<int>(m_scene.links.size())) m_highlight.link = -1;
  m_highlight.hovered = -1;
  m_overview.forget();
  m_image.forget();
  // The channel that was pressed may be another one now, or gone.
  m_channel = -1;
  if (!sameShape || m_grip == Grip::Channel) m_grip = Grip::None;
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
  m_image.forget();
  // The overview of a wafer takes longer than a frame of its replay may.
  if (m_scene.coreCount() <= kMostReplayed) m_overview.forget();
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

int MeshCanvas::cellAt(QPointF position) const {
  const QPointF at = m_view.cellAt(position);
  const int column = static_cast<int>(std::floor(at.x()));
  const int row = static_cast<int>(std::floor(at.y()));
  if (column < 0 || row < 0 || column >= m_scene.columns || row >= m_scene.rows) return -1;
  return row * m_scene.columns + column;
}

int MeshCanvas::coreAt(QPointF position) const {
  const int cell = cellAt(position);
  return cell < 0 ? -1 : m_scene.coreOfCell[static_cast<std::size_t>(cell)];
}

const MeshScene::Aside* MeshCanvas::asideAt(QPointF position) const {
  return m_scene.asideAt(cellAt(position));
}

QRectF MeshCanvas::handle(MeshAxis axis) const {
  if (!m_resizable[static_cast<int>(axis)] || m_scene.empty()) return {};
  const QRectF handle = handleOf(m_scene, m_view, axis);
  // Beside a small mesh it would cover a memory.
  const bool covers = std::ranges::any_of(m_scene.memories, [&](const MemoryBlock& block) {
    return handle.intersects(m_view.rectOf(block.box));
  });
  return covers ? QRectF() : handle;
}

void MeshCanvas::setResizable(bool columns, bool rows) {
  if (m_resizable[0] == columns && m_resizable[1] == rows) return;
  m_resizable[0] = columns;
  m_resizable[1] = rows;
  if (m_fitted) fit();
  update();
}

QPointF MeshCanvas::centreOfCore(int core) const {
  return m_view.centreOf(
      QPointF(m_scene.positionOf(m_scene.cellOfCore[static_cast<std::size_t>(core)])));
}

void MeshCanvas::fit() {
  m_fitted = true;
  if (!m_scene.empty()) {
    const double ruler = hasRulers(size()) ? kRuler : 0;
    const double right = m_resizable[0] ? kHandleRoom : 0;
    const double below = m_resizable[1] ? kHandleRoom : 0;
    m_view = fitted(m_scene, QRectF(rect()).adjusted(ruler, ruler, -right, -below));
    m_view.size = size();
  }
  update();
}

void MeshCanvas::zoomIn() { zoomAt(QRectF(rect()).center(), kMeshZoomStep); }
void MeshCanvas::zoomOut() { zoomAt(QRectF(rect()).center(), 1 / kMeshZoomStep); }

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
  paintMesh(painter, m_scene, m_view, tokens, m_highlight, &m_image);
  if (m_placeable) paintPortMarks(painter, m_scene, m_view, tokens, m_highlight.memory);
  for (const MeshAxis axis : {MeshAxis::Columns, MeshAxis::Rows}) {
    const QRectF grip = handle(axis);
    const Grip own = axis == MeshAxis::Columns ? Grip::Columns : Grip::Rows;
    if (!grip.isEmpty()) paintHandle(painter, grip, tokens, own == m_hot || own == m_grip);
  }
  if (m_grip == Grip::Columns || m_grip == Grip::Rows)
    paintResize(painter, m_scene, m_view, tokens, m_newSize);
  if (m_grip == Grip::Channel)
    paintPlace(painter, m_scene, m_view, tokens, m_scene.memoryOf(m_channel),
               static_cast<std::size_t>(m_port), m_place);
  if (hasRulers(size())) paintRulers(painter, m_scene, m_view, tokens, m_highlight.core);
  m_overview.paint(painter, m_scene, m_view, tokens);
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

void MeshCanvas::focusInEvent(QFocusEvent* event) {
  m_keyboard = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  QWidget::focusInEvent(event);
}

}  // namespace gridloom::widgets
