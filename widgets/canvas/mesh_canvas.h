// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "canvas/mesh_overlays.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "report/run_states.h"

namespace gridloom::widgets {

constexpr double kMeshZoomStep = 1.25;

/// The mesh as a widget: drag to pan, wheel to zoom, click to select a core, arrow keys to move the
/// selection, Delete to disable it. The handles at the edges change the size of the mesh.
class MeshCanvas : public QWidget {
  Q_OBJECT
 public:
  explicit MeshCanvas(QWidget* parent = nullptr);

  /// Keeps pan and zoom when the mesh has the same shape.
  void setScene(MeshScene scene);
  const MeshScene& scene() const { return m_scene; }
  void setSelectedCore(int core);
  void setOperand(const QString& operand);
  /// Selects a link or a memory by its index in the scene, -1 for none.
  void setResource(int link, int memory);
  /// The run at one cycle instead of the whole; null: the whole run.
  void setMoment(std::shared_ptr<const MeshMoment> moment);
  void setLinksShown(bool shown);
  void setStale(bool stale);
  bool isStale() const { return m_highlight.stale; }
  /// Which sizes of the mesh have a handle to drag.
  void setResizable(bool columns, bool rows);
  /// Whether the ports of global memory may be dragged to other routers.
  void setPlaceable(bool placeable) { m_placeable = placeable; }
  /// Text shown without a mesh.
  void setEmptyText(const QString& words);

  /// The core at a position of the widget, -1 for none.
  int coreAt(QPointF position) const;
  QPointF centreOfCore(int core) const;
  /// The disabled or idle core at a position of the widget; null for none.
  const MeshScene::Aside* asideAt(QPointF position) const;
  /// The handle of a size, in pixels; empty when it cannot be dragged.
  QRectF handle(MeshAxis axis) const;
  /// The overview of a mesh that is shown in part; empty when all is shown.
  QRectF overview() const { return MeshOverview::placeIn(m_scene, m_view); }
  const Viewport& viewport() const { return m_view; }
  const MeshHighlight& highlight() const { return m_highlight; }

 public Q_SLOTS:
  void fit();
  void zoomIn();
  void zoomOut();

 Q_SIGNALS:
  void corePicked(int core);
  /// A link or a memory, by its index in the scene; -1 and -1 for none.
  void resourcePicked(int link, int memory);
  /// The edge of the mesh was dragged to another number of columns or rows.
  void resized(MeshAxis axis, int size);
  /// A port of a channel, by their indices in the scene, was dragged to another cell (column, row).
  void portPlaced(int channel, int port, QPoint cell);
  /// A channel was dragged where none may be.
  void placingRefused();
  /// A tile in flight was clicked.
  void tilePicked(const gridloom::report::TileInFlight& move);
  /// Delete on the selected core.
  void disableWanted(int core);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void pick(QPointF at);
  int cellAt(QPointF position) const;
  bool beginGrip(QPointF at);
  void pressChannel(QPointF at);
  QString channelTip(QPointF at) const;
  void moveGrip(QPointF at);
  void endGrip();
  QPoint nearestCell(QPointF at) const;
  QSize grippedSize(QPointF at) const;
  void hover(QPointF at);
  void centreOn(QPointF cell);
  void zoomAt(QPointF centre, double factor);
  void walk(int dx, int dy);

  MeshScene m_scene;
  Viewport m_view;
  MeshHighlight m_highlight;
  QString m_emptyText;
  QPointF m_pressed;
  QPointF m_dragged;
  bool m_dragging = false;
  /// What a press has taken hold of, besides the mesh itself.
  enum class Grip { None, Columns, Rows, Overview, Channel };
  Grip gripAt(QPointF at) const;
  Grip m_grip = Grip::None;
  Grip m_hot = Grip::None;  ///< below the pointer
  QSize m_newSize;          ///< while an edge is dragged
  int m_channel = -1;       ///< pressed, or dragged
  int m_port = -1;          ///< of m_channel
  QPoint m_place;           ///< the cell to which it is dragged
  bool m_placeable = false;
  bool m_resizable[2] = {false, false};
  MeshOverview m_overview;
  MeshImage m_image;
  bool m_keyboard = false;  ///< focus came from the keyboard: show it
  bool m_fitted = true;     ///< follow the size of the widget until the user pans or zooms
};

}  // namespace gridloom::widgets
