// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_overlays.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kLabelRoom = 26;  // pixels between numbers of a ruler
constexpr double kOverview = 132;  // longest side of the overview
constexpr double kFrame = 4;       // around its picture
constexpr double kToCanvas = 10;   // from the corner of the canvas
const QSizeF kHandle(8, 26);

/// 1, 2, 5, 10, ...: the first that leaves room.
int labelStep(double pitch) {
  int step = 1;
  for (int i = 0; step * pitch < kLabelRoom; ++i) step = i % 3 == 1 ? step * 5 / 2 : step * 2;
  return step;
}

QSizeF overviewSize(const MeshScene& scene) {
  const QRectF box = scene.bounds();
  const double scale = kOverview / std::max(box.width(), box.height());
  return (box.size() * scale).expandedTo(QSizeF(24, 24));
}

QRectF pictureOf(const QRectF& place) { return place.adjusted(kFrame, kFrame, -kFrame, -kFrame); }

}  // namespace

void paintRulers(QPainter& painter, const MeshScene& scene, const Viewport& view,
                 const Tokens& tokens, int core) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  const QRectF top(0, 0, view.size.width(), kRuler);
  const QRectF left(0, kRuler, kRuler, view.size.height() - kRuler);
  for (const QRectF& bar : {top, left}) painter.fillRect(bar, tokens.panel);
  painter.setPen(tokens.border);
  painter.drawLine(QPointF(kRuler, kRuler), top.bottomRight());
  painter.drawLine(QPointF(kRuler, kRuler), left.bottomRight());
  QFont font = painter.font();
  font.setPixelSize(10);
  painter.setFont(font);
  const QRect cells = visibleCells(scene, view);
  const QPoint chosen = core >= 0 && core < scene.coreCount()
                            ? scene.positionOf(scene.cellOfCore[static_cast<std::size_t>(core)])
                            : QPoint(-1, -1);
  const auto number = [&](int index, bool isChosen, const QRectF& place) {
    painter.setPen(isChosen ? tokens.accent : tokens.faint);
    painter.drawText(place, Qt::AlignCenter, QString::number(index));
  };
  painter.setClipRect(QRectF(kRuler, 0, view.size.width() - kRuler, kRuler));
  int step = labelStep(view.across());
  for (int column = cells.left() / step * step; column <= cells.right(); column += step) {
    const double x = view.centreOf(QPointF(column, 0)).x();
    number(column, column == chosen.x(), {x - 30, 0, 60, kRuler - 2});
  }
  if (chosen.x() >= 0) {
    const QRectF mark = view.rectOf(QRectF(chosen.x(), 0, 1, 1));
    painter.fillRect(QRectF(mark.left(), kRuler - 2, std::max(2.0, mark.width()), 2),
                     tokens.accent);
  }
  painter.setClipRect(left);
  step = labelStep(view.pitch);
  for (int row = cells.top() / step * step; row <= cells.bottom(); row += step) {
    const double y = view.centreOf(QPointF(0, row)).y();
    if (painter.fontMetrics().horizontalAdvance(QString::number(row)) <= kRuler - 2) {
      number(row, row == chosen.y(), {-6, y - 10, kRuler + 10, 20});
      continue;
    }
    // Numbers that are wider than the ruler stand upright in it.
    painter.save();
    painter.translate(0, y);
    painter.rotate(-90);
    number(row, row == chosen.y(), {-30, 0, 60, kRuler - 2});
    painter.restore();
  }
  if (chosen.y() >= 0) {
    const QRectF mark = view.rectOf(QRectF(0, chosen.y(), 1, 1));
    painter.fillRect(QRectF(kRuler - 2, mark.top(), 2, std::max(2.0, mark.height())),
                     tokens.accent);
  }
  painter.restore();
}

QRectF handleOf(const MeshScene& scene, const Viewport& view, MeshAxis axis) {
  const QRectF mesh = view.rectOf(QRectF(0, 0, scene.columns, scene.rows));
  const double beside = 0.12 * view.pitch;
  if (axis == MeshAxis::Columns)
    return {QPointF(mesh.right() + beside, mesh.center().y() - kHandle.height() / 2), kHandle};
  const QSizeF flat = kHandle.transposed();
  return {QPointF(mesh.center().x() - flat.width() / 2, mesh.bottom() + beside), flat};
}

void paintHandle(QPainter& painter, const QRectF& handle, const Tokens& tokens, bool isHot) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(isHot ? tokens.accent : tokens.muted, isHot ? 2 : 1));
  painter.setBrush(tokens.panel);
  painter.drawRoundedRect(handle, 4, 4);
  const bool tall = handle.height() > handle.width();
  const QPointF along = tall ? QPointF(0, handle.height() / 5) : QPointF(handle.width() / 5, 0);
  painter.drawLine(handle.center() - along, handle.center() + along);
  painter.restore();
}

namespace {

/// Words over the mesh, within the canvas.
void paintTag(QPainter& painter, const QString& words, QPointF middle, const Viewport& view,
              const Tokens& tokens) {
  QFont font = painter.font();
  font.setBold(true);
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  QRectF tag(0, 0, metrics.horizontalAdvance(words) + 16, metrics.height() + 8);
  tag.moveCenter(middle);
  tag.moveLeft(std::clamp(tag.left(), kRuler, std::max(kRuler, view.size.width() - tag.width())));
  tag.moveTop(std::max(tag.top(), kRuler));
  painter.setPen(Qt::NoPen);
  painter.setBrush(tokens.accent);
  painter.drawRoundedRect(tag, 4, 4);
  painter.setPen(tokens.panel);
  painter.drawText(tag, Qt::AlignCenter, words);
}

}  // namespace

void paintResize(QPainter& painter, const MeshScene& scene, const Viewport& view,
                 const Tokens& tokens, QSize size) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF outline = view.rectOf(QRectF(0, 0, size.width(), size.height()));
  painter.setPen(QPen(tokens.accent, 2, Qt::DashLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(outline);
  const QString words = QStringLiteral("%1 × %2 → %3 × %4")
                            .arg(scene.columns)
                            .arg(scene.rows)
                            .arg(size.width())
                            .arg(size.height());
  paintTag(painter, words, outline.center(), view, tokens);
  painter.restore();
}

void paintPlace(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens, const MemoryBlock& channel, std::size_t port, QPoint cell) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QPoint before = scene.positionOf(channel.ports[port]);
  const bool single = channel.ports.size() == 1;
  const QPointF from = single ? view.rectOf(channel.box).center() : view.centreOf(QPointF(before));
  const QPointF to = view.centreOf(QPointF(cell));
  painter.setPen(QPen(tokens.accent, 2, Qt::DashLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawLine(from, to);
  painter.drawRect(view.rectOf(QRectF(cell.x(), cell.y(), 1, 1)));
  const QString words =
      QStringLiteral("DRAM %1%2: (%3,%4) → (%5,%6)")
          .arg(channel.label, single ? QString() : QStringLiteral(", port %1").arg(port))
          .arg(before.x())
          .arg(before.y())
          .arg(cell.x())
          .arg(cell.y());
  paintTag(painter, words, to - QPointF(0, view.pitch / 2 + 14), view, tokens);
  painter.restore();
}

QRectF MeshOverview::placeIn(const MeshScene& scene, const Viewport& view) {
  if (scene.empty()) return {};
  const QRectF mesh = view.rectOf(QRectF(0, 0, scene.columns, scene.rows));
  if (QRectF(QPointF(), view.size).adjusted(-1, -1, 1, 1).contains(mesh)) return {};
  const QSizeF size = overviewSize(scene) + QSizeF(2 * kFrame, 2 * kFrame);
  if (view.size.width() < 2.5 * size.width() || view.size.height() < 2 * size.height()) return {};
  return {QPointF(view.size.width() - size.width() - kToCanvas,
                  view.size.height() - size.height() - kToCanvas),
          size};
}

void MeshOverview::paint(QPainter& painter, const MeshScene& scene, const Viewport& view,
                         const Tokens& tokens) {
  const QRectF place = placeIn(scene, view);
  if (place.isEmpty()) return;
  const QRectF picture = pictureOf(place);
  const double ratio = painter.device()->devicePixelRatioF();
  if (m_image.isNull() || m_tokens != &tokens) {
    m_image = QImage((picture.size() * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    m_image.setDevicePixelRatio(ratio);
    m_image.fill(tokens.panel);
    m_tokens = &tokens;
    QPainter whole(&m_image);
    MeshHighlight plain;
    plain.links = false;
    paintMesh(whole, scene, fitted(scene, QRectF(QPointF(), picture.size())), tokens, plain);
  }
  painter.save();
  painter.setPen(tokens.border);
  painter.setBrush(tokens.panel);
  painter.drawRect(place);
  painter.drawImage(picture, m_image);
  const Viewport small = fitted(scene, QRectF(QPointF(), picture.size()));
  const QRectF cells(view.cellAt({0, 0}), view.cellAt({view.size.width(), view.size.height()}));
  const QRectF shown = small.rectOf(cells).translated(picture.topLeft()).intersected(picture);
  painter.setPen(QPen(tokens.accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(shown);
  painter.restore();
}

QPointF MeshOverview::cellAt(const MeshScene& scene, const Viewport& view, QPointF point) {
  const QRectF picture = pictureOf(placeIn(scene, view));
  return fitted(scene, QRectF(QPointF(), picture.size())).cellAt(point - picture.topLeft());
}

}  // namespace gridloom::widgets
