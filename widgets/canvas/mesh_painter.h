// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPointF>
#include <QRect>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <cmath>

class QPainter;

namespace gridloom::widgets {

struct MeshScene;
struct ChartHead;
struct Tokens;
enum class Heat;

/// Position of cells on the paper: pixel = origin + cell * pitch, times the stretch from left to
/// right.
struct Viewport {
  QPointF origin;
  double pitch = 40;   ///< height of a cell
  double stretch = 1;  ///< width of a cell over its height
  QSizeF size;

  double across() const { return pitch * stretch; }
  QPointF offsetOf(QPointF cells) const { return {cells.x() * across(), cells.y() * pitch}; }
  QRectF rectOf(const QRectF& cells) const {
    return {origin + offsetOf(cells.topLeft()),
            QSizeF(cells.width() * across(), cells.height() * pitch)};
  }
  /// Pixels from a cell to the next one in a direction of length 1.
  double spanOf(QPointF direction) const {
    return std::hypot(direction.x() * across(), direction.y() * pitch);
  }
  QPointF centreOf(QPointF cell) const { return origin + offsetOf(cell + QPointF(0.5, 0.5)); }
  QPointF cellAt(QPointF pixel) const {
    return {(pixel.x() - origin.x()) / across(), (pixel.y() - origin.y()) / pitch};
  }
};

/// Visible cells as [left, right) x [top, bottom), with `margin` more on every side.
QRect visibleCells(const MeshScene& scene, const Viewport& view, int margin = 0);

/// The viewport in which the whole scene fills `area`; where there is room, cells are up to
/// kMostStretch times as wide as high.
Viewport fitted(const MeshScene& scene, const QRectF& area);

struct MeshHighlight {
  int core = -1;
  int hovered = -1;
  QString operand;  ///< other operands fade; empty: all have the same ink
  int link = -1;    ///< index into MeshScene::links
  int memory = -1;  ///< index into MeshScene::memories
  bool links = true;
  bool stale = false;  ///< the scene belongs to an older input
};

/// The mesh with a pixel per cell, or for several: of a wafer it takes half a frame to make.
/// Whoever draws the same scene again keeps it, and forgets it when the scene changes.
class MeshImage {
 public:
  void forget() { m_image = {}; }
  /// `stride` cells of each direction share a pixel.
  const QImage& of(const MeshScene& scene, int stride, const Tokens& tokens);

 private:
  QImage m_image;
  int m_stride = 0;
  const Tokens* m_tokens = nullptr;  ///< the theme that it is made for
};

/// Draws the visible part. Below 6 pixels per cell as an image of heat (the maximum per pixel), up
/// to 16 as plain cells, from 12 with lines, from 16 with links and states, from 24 with names,
/// from 26 with text, from 72 with round corners.
void paintMesh(QPainter& painter, const MeshScene& scene, const Viewport& viewport,
               const Tokens& tokens, const MeshHighlight& highlight, MeshImage* image = nullptr);

/// A figure for export, as the studio and `gridloom-render` write it: title, mesh, legend of
/// operands and of heat.
void paintMeshFigure(QPainter& painter, const QRectF& area, const MeshScene& scene,
                     const Tokens& tokens, const ChartHead& head);
/// Page size for the figure: no higher than the mesh needs at this width, and at most `most`.
QSizeF meshFigureSize(const MeshScene& scene, const ChartHead& head, double width,
                      double most = 860);

/// Colour of a core, of the part of the way to the hot end of the scale.
QColor heatColour(Heat heat, const Tokens& tokens, double part);
/// The colour scale of the cores with its ends, after a title when there is one.
void paintHeatScale(QPainter& painter, const QRectF& area, const MeshScene& scene,
                    const Tokens& tokens, const QString& title);
/// That of the links: their use, or its change while comparing. Nothing where neither is known.
void paintLinkScale(QPainter& painter, const QRectF& area, const MeshScene& scene,
                    const Tokens& tokens);
bool hasLinkScale(const MeshScene& scene);

constexpr double kMostStretch = 1.8, kStretchPitch = 8;
constexpr double kImagePitch = 6;
constexpr double kLabelPitch = 24;
constexpr double kTextPitch = 26;
/// From here on cells have round corners, and links any width: few enough are in view.
constexpr double kRoundPitch = 72;
/// Half the side of a cell, in pitches.
constexpr double kCellHalf = 0.35;

}  // namespace gridloom::widgets
