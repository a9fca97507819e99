// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QSizeF>

class QPainter;

namespace gridloom::widgets {

struct MemoryBlock;
struct MeshScene;
struct Tokens;
struct Viewport;

/// What lies over the mesh in the window, and not in its figures: rulers, handles, an overview.

constexpr double kRuler = 18;  ///< pixels at the left and at the top
/// Whether a canvas has room for rulers.
constexpr bool hasRulers(QSizeF canvas) { return canvas.width() >= 320 && canvas.height() >= 140; }

/// Numbers of columns and rows; those of the selected core are marked. `core`: -1 for none.
void paintRulers(QPainter& painter, const MeshScene& scene, const Viewport& view,
                 const Tokens& tokens, int core);

/// Sizes of the mesh that a drag can change: its columns (0), its rows (1).
enum class MeshAxis { Columns = 0, Rows = 1 };
/// The handle at the right or lower edge of the mesh, in pixels.
QRectF handleOf(const MeshScene& scene, const Viewport& view, MeshAxis axis);
void paintHandle(QPainter& painter, const QRectF& handle, const Tokens& tokens, bool isHot);
/// The outline of a mesh of another size, with its size in words.
void paintResize(QPainter& painter, const MeshScene& scene, const Viewport& view,
                 const Tokens& tokens, QSize size);
/// The router, as column and row, to which a port of a channel of global memory is dragged.
void paintPlace(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens, const MemoryBlock& channel, std::size_t port, QPoint cell);

/// A picture of the whole mesh, and the part of it that the canvas shows.
class MeshOverview {
 public:
  /// Draws it anew at the next `paint`.
  void forget() { m_image = {}; }
  /// Its place in a canvas that shows a part of the mesh; empty when it shows all.
  static QRectF placeIn(const MeshScene& scene, const Viewport& view);
  void paint(QPainter& painter, const MeshScene& scene, const Viewport& view, const Tokens& tokens);
  /// The cell below a point of the overview.
  static QPointF cellAt(const MeshScene& scene, const Viewport& view, QPointF point);

 private:
  QImage m_image;
  const Tokens* m_tokens = nullptr;
};

}  // namespace gridloom::widgets
