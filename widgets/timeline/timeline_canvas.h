// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "timeline/timeline_painter.h"

namespace gridloom::widgets {

/// A timeline as a widget. The wheel zooms at the pointer, down to one cycle; a drag with the left
/// button moves the cursor, one with the middle button or with Shift the visible cycles. A drag in
/// the overview moves the window. Left and Right step by one cycle.
class TimelineCanvas : public QWidget {
  Q_OBJECT
 public:
  explicit TimelineCanvas(QWidget* parent = nullptr);

  /// Keeps the visible cycles when the run is as long as before.
  void setScene(TimelineScene scene);
  const TimelineScene& scene() const { return m_scene; }
  const TimelineView& view() const { return m_view; }
  TimelineLayout layoutNow() const { return {m_scene, QRectF(rect()), m_view}; }
  /// Moves the cursor, -1 for none, and the visible cycles with it where it leaves them.
  void showCycle(double cycle);
  /// Marks the row of a core, a link or a channel; -1 for none.
  void markRow(TimelineRow::Kind kind, int index);
  /// Marks the row of the same thing.
  void markRow(const TimelineRow& like);
  void setStale(bool stale);
  void setEmptyText(const QString& words);
  /// Pixels of rows that are above the visible ones; clamped.
  void setScroll(int pixels);
  /// Pixels of rows that do not fit.
  int overflow() const;
  /// Rows as low as they must be to fit, down to one pixel each.
  void setCompact(bool compact);
  /// Shows these cycles; clamped to the run, and to one cycle at least.
  void showRange(double begin, double end);

 public Q_SLOTS:
  void fit();
  void zoomIn();
  void zoomOut();

 Q_SIGNALS:
  void cyclePicked(double cycle);
  /// The user chose a row, by its index in the scene.
  void rowPicked(int row);
  /// The user opened or closed a row.
  void rowToggled(int row);
  /// The tile that a transfer's row moves at a cycle, or last before, is to be followed.
  void tileWanted(int row, double cycle);
  void playToggled();
  void rowsChanged();  ///< overflow() may be different

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  enum class Drag { None, Cursor, Pan, Overview };
  void zoomAt(double cycle, double factor);
  void scrub(double x);
  void wantTile(int row, QPointF at);
  void moveOverview(double x);
  void walkRows(int step);
  bool zoomsWith(int key);
  void fitRows();
  int rowLike(const TimelineRow& like) const;
  void mark(int row);
  QString saidAt(const TimelineRow& row, double cycle) const;

  TimelineScene m_scene;
  TimelineView m_view;
  QString m_emptyText;
  Drag m_drag = Drag::None;
  QPointF m_dragged;
  bool m_compact = false;
  bool m_fitted = true;  ///< shows the whole run until the user zooms
};

}  // namespace gridloom::widgets
