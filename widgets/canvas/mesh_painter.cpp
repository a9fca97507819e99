// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "canvas/mesh_labels.h"
#include "canvas/mesh_lines.h"
#include "canvas/mesh_marks.h"
#include "canvas/mesh_memories.h"
#include "canvas/mesh_moment.h"
#include "canvas/mesh_scene.h"
#include "canvas/mesh_states.h"
#include "models/quantity_text.h"
#include "theme/colour_ramp.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kNameInset = 0.14;  // between the lines along the edges of a small cell
constexpr double kTintPitch = 16, kSmallBar = 3;
constexpr int kMostNamed = 600;  // small cells; of more, names are a carpet

QColor cellColour(const MeshScene& scene, int core, const Tokens& tokens) {
  const auto at = static_cast<std::size_t>(core);
  if (!scene.active[at]) return tokens.cellIdle;
  if (showsStates(scene)) return stateTint(tokens, shownState(scene, core));
  if (scene.heat == Heat::None || at >= scene.heatOfCore.size()) return tokens.cell;
  return heatColour(scene.heat, tokens, static_cast<double>(scene.heatAt(at)));
}

QColor inkOn(const QColor& paper) {
  return ColourRamp::lightness(paper.rgb()) > 56 ? QColor(0x18202b) : QColor(0xf2f5f9);
}

/// One pixel per cell, or the maximum of the cells that share a pixel, so that a single hot core
/// stays visible at any zoom.
QImage heatImage(const MeshScene& scene, const QRect& cells, int stride, const Tokens& tokens) {
  const int width = (cells.width() + stride - 1) / stride;
  const int height = (cells.height() + stride - 1) / stride;
  QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
  const bool heated = scene.heat != Heat::None && !scene.heatOfCore.empty();
  for (int y = 0; y < height; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < width; ++x) {
      float most = -1;
      bool any = false;
      const int bottom = std::min(cells.top() + (y + 1) * stride, cells.top() + cells.height());
      const int right = std::min(cells.left() + (x + 1) * stride, cells.left() + cells.width());
      for (int row = cells.top() + y * stride; row < bottom; ++row) {
        for (int column = cells.left() + x * stride; column < right; ++column) {
          const int core = scene.coreOfCell[static_cast<std::size_t>(row * scene.columns + column)];
          if (core < 0) continue;
          any = true;
          if (scene.active[static_cast<std::size_t>(core)]) {
            most = std::max(most, heated ? scene.heatAt(static_cast<std::size_t>(core)) : 0.0F);
          }
        }
      }
      if (!any)
        line[x] = tokens.window.rgb();
      else if (most < 0)
        line[x] = tokens.cellIdle.rgb();
      else
        line[x] = heated ? heatColour(scene.heat, tokens, static_cast<double>(most)).rgb()
                         : tokens.cell.rgb();
    }
  }
  return image;
}

void paintImage(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens, MeshImage& made) {
  const QRect cells = visibleCells(scene, view);
  if (cells.isEmpty()) return;
  const int stride = std::max(1, static_cast<int>(std::floor(1.0 / view.pitch)));
  const QImage& image = made.of(scene, stride, tokens);
  // Whole pixels of the image.
  const QPoint first(cells.left() / stride, cells.top() / stride);
  const QPoint last((cells.left() + cells.width() + stride - 1) / stride,
                    (cells.top() + cells.height() + stride - 1) / stride);
  const QRect part(first, QSize(last.x() - first.x(), last.y() - first.y()));
  const QRectF covered(QPointF(part.topLeft()) * stride, QSizeF(part.size()) * stride);
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.drawImage(view.rectOf(covered), image, QRectF(part));
}

/// A core that no mapping uses, as an empty place. False where there is none.
bool paintAside(QPainter& painter, const MeshScene& scene, int cell, const QRectF& box,
                double radius, const Tokens& tokens) {
  const MeshScene::Aside* aside = scene.asideAt(cell);
  if (!aside) return false;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(aside->disabled ? tokens.faint : tokens.border, 1, Qt::DashLine));
  painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
  if (!aside->disabled) return true;
  const double side = std::min(box.width(), box.height()) / 2;
  const QRectF cross(box.center() - QPointF(side, side) / 2, QSizeF(side, side));
  painter.setPen(QPen(tokens.faint, 1));
  painter.drawLine(cross.topLeft(), cross.bottomRight());
  painter.drawLine(cross.topRight(), cross.bottomLeft());
  return true;
}

/// A core of which nothing moved is as white as the paper.
void paintEdge(QPainter& painter, const QRectF& box, const Tokens& tokens) {
  painter.setPen(QPen(tokens.edge, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(box);
}

/// A cell with square corners, on whole pixels: hundreds of round ones take most of a frame.
void paintSquare(QPainter& painter, const QRectF& box, const QColor& paper, const QColor& edge) {
  const QRect cell = box.toRect();
  const int right = cell.left() + cell.width(), bottom = cell.top() + cell.height();
  painter.fillRect(cell.adjusted(1, 1, 0, 0), paper);
  painter.fillRect(QRect(cell.left(), cell.top(), cell.width() + 1, 1), edge);
  painter.fillRect(QRect(cell.left(), bottom, cell.width() + 1, 1), edge);
  painter.fillRect(QRect(cell.left(), cell.top() + 1, 1, cell.height() - 1), edge);
  painter.fillRect(QRect(right, cell.top() + 1, 1, cell.height() - 1), edge);
}

/// A cell without words: its colour, and its state as a bar at the left.
void paintSmallCell(QPainter& painter, const MeshScene& scene, int core, const QRectF& box,
                    const Tokens& tokens) {
  const bool hasState = showsStates(scene) && scene.active[static_cast<std::size_t>(core)] != 0;
  const QColor edge = hasState ? stateEdge(tokens, shownState(scene, core)) : tokens.edge;
  paintSquare(painter, box, cellColour(scene, core, tokens), edge);
  if (hasState)
    paintStateBar(painter, scene, core,
                  QRectF(box.left() + 1, box.top() + 1, kSmallBar, box.height() - 1), tokens);
}

void paintCells(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens, const MeshHighlight& highlight) {
  const QRect cells = visibleCells(scene, view);
  const bool rich = view.pitch >= kTextPitch;
  // As larger ones: what stands above a strong colour, as names and lines do, is hard to read.
  const bool tinted = view.pitch >= kTintPitch;
  const double inset = rich ? 0.5 - kCellHalf : 0.08;
  const double radius = view.pitch >= kRoundPitch ? view.pitch * 0.09 : 0;
  const CellLabels labels(painter.font(), view.pitch, view.across());
  painter.setRenderHint(QPainter::Antialiasing, rich);
  for (int row = cells.top(); row < cells.top() + cells.height(); ++row) {
    for (int column = cells.left(); column < cells.left() + cells.width(); ++column) {
      const int core = scene.coreOfCell[static_cast<std::size_t>(row * scene.columns + column)];
      const QRectF box = view.rectOf({column + inset, row + inset, 1 - 2 * inset, 1 - 2 * inset});
      if (core < 0 && paintAside(painter, scene, row * scene.columns + column, box, radius, tokens))
        continue;
      if (core < 0) {
        if (rich)
          painter.fillRect(QRectF(box.center() - QPointF(1.5, 1.5), QSizeF(3, 3)), tokens.link);
        continue;
      }
      const QColor paper = cellColour(scene, core, tokens);
      const bool hasState = showsStates(scene) && scene.active[static_cast<std::size_t>(core)] != 0;
      if (!tinted) {
        painter.fillRect(box, hasState ? stateFill(tokens, shownState(scene, core)) : paper);
        if (scene.heat == Heat::Moved) paintEdge(painter, box, tokens);
        continue;
      }
      if (!rich) {
        paintSmallCell(painter, scene, core, box, tokens);
        continue;
      }
      const QColor edge = core == highlight.hovered ? tokens.muted
                          : hasState                ? stateEdge(tokens, shownState(scene, core))
                                                    : tokens.edge;
      if (radius > 0) {
        painter.setPen(QPen(edge, 1));
        painter.setBrush(paper);
        painter.drawRoundedRect(box, radius, radius);
      } else {
        paintSquare(painter, box, paper, edge);
      }
      if (hasState) {
        const QRectF bar(box.left() + 2, box.top() + radius, 3, box.height() - 2 * radius);
        paintStateBar(painter, scene, core, bar, tokens);
        if (scene.moment) paintFill(painter, *scene.moment, core, box, tokens);
      }
      labels.paint(painter, scene, core, box, inkOn(paper));
    }
  }
}

/// The names of cells that are too small for more. They stand above the lines that cross the cells.
void paintNames(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens) {
  const QRect cells = visibleCells(scene, view);
  if (view.pitch < kLabelPitch || cells.width() * cells.height() > kMostNamed) return;
  const CellLabels labels(painter.font(), view.pitch, view.across());
  for (int row = cells.top(); row < cells.top() + cells.height(); ++row) {
    for (int column = cells.left(); column < cells.left() + cells.width(); ++column) {
      const int core = scene.coreOfCell[static_cast<std::size_t>(row * scene.columns + column)];
      if (core < 0) continue;
      labels.paint(painter, scene, core,
                   view.rectOf({column + kNameInset, row + 0.08, 1 - 2 * kNameInset, 0.84}),
                   inkOn(cellColour(scene, core, tokens)));
    }
  }
}

}  // namespace

const QImage& MeshImage::of(const MeshScene& scene, int stride, const Tokens& tokens) {
  if (!m_image.isNull() && m_stride == stride && m_tokens == &tokens) return m_image;
  const QRect cells(0, 0, scene.columns, scene.rows);
  m_image = showsStates(scene) ? stateImage(scene, cells, stride, tokens)
                               : heatImage(scene, cells, stride, tokens);
  m_stride = stride;
  m_tokens = &tokens;
  return m_image;
}

QRect visibleCells(const MeshScene& scene, const Viewport& view, int margin) {
  const QPointF first = view.cellAt({0, 0});
  const QPointF last = view.cellAt({view.size.width(), view.size.height()});
  const auto clamp = [](double value, int most) {
    return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(most)));
  };
  const QPoint from(clamp(std::floor(first.x()) - margin, scene.columns),
                    clamp(std::floor(first.y()) - margin, scene.rows));
  const QPoint to(clamp(std::ceil(last.x()) + margin, scene.columns),
                  clamp(std::ceil(last.y()) + margin, scene.rows));
  return {from, QSize(to.x() - from.x(), to.y() - from.y())};
}

Viewport fitted(const MeshScene& scene, const QRectF& area) {
  Viewport view;
  view.size = area.size();
  const QRectF box = scene.bounds();
  const double margin = std::min(18.0, 0.04 * std::min(area.width(), area.height()));
  view.pitch = std::min({(area.width() - 2 * margin) / box.width(),
                         (area.height() - 2 * margin) / box.height(), 110.0});
  view.pitch = std::max(view.pitch, 1e-3);
  const double wide = (area.width() - 2 * margin) / box.width() / view.pitch;
  if (view.pitch >= kStretchPitch) view.stretch = std::clamp(wide, 1.0, kMostStretch);
  view.origin = area.center() - view.offsetOf(box.center());
  return view;
}

void paintMesh(QPainter& painter, const MeshScene& scene, const Viewport& view,
               const Tokens& tokens, const MeshHighlight& highlight, MeshImage* image) {
  if (scene.empty()) return;
  painter.save();
  if (highlight.stale) painter.setOpacity(kStaleInk);
  if (view.pitch < kImagePitch) {
    MeshImage own;
    paintImage(painter, scene, view, tokens, image ? *image : own);
  } else {
    if (view.pitch >= kTextPitch) paintPorts(painter, scene, view, tokens);
    if (highlight.links && view.pitch >= 16) paintLinks(painter, scene, view, tokens);
    paintCells(painter, scene, view, tokens, highlight);
    if (view.pitch >= 12) paintFlows(painter, scene, view, tokens, highlight.operand);
    if (view.pitch < kTextPitch) paintNames(painter, scene, view, tokens);
    paintMovingTiles(painter, scene, view, tokens, highlight.operand);
  }
  paintPath(painter, scene, view, tokens);
  paintMemories(painter, scene, view, tokens);
  paintResource(painter, scene, view, tokens, highlight);
  paintSelection(painter, scene, view, tokens, highlight.core);
  painter.restore();
}

}  // namespace gridloom::widgets
