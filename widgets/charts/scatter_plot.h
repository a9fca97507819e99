// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <functional>

#include "charts/scatter_figure.h"

class QAction;

namespace gridloom::widgets {

/// A scatter as a widget: a click picks a point, a drag brushes all points in a rectangle, the
/// pointer names one. The points are drawn once into an image; moving over it draws marks alone.
class ScatterPlot : public QWidget {
  Q_OBJECT
 public:
  explicit ScatterPlot(const QString& name, QWidget* parent = nullptr);
  void setData(ScatterData data);
  const ScatterData& data() const { return m_data; }
  const ScatterLook& look() const { return m_look; }
  void setSelected(int id);
  void setBrushed(const std::vector<int>& ids);
  void setStale(bool stale);
  /// What the tooltip says of a point; by default the cycles of a mapping.
  void setDescription(std::function<QString(const ScatterData::Point&)> describe);
  /// Keeps the axes while the data changes; shared by context menu and main menu.
  QAction* lockAction() const { return m_lock; }
  std::vector<int> ids() const;
  /// The id of the point nearest to a position, -1 when none is near.
  int idAt(QPointF position) const;
  QPointF positionOf(int id) const;

 Q_SIGNALS:
  void picked(int id);
  void activated(int id);  ///< double-clicked, or Enter
  /// The rectangle held these, ascending; none: the brush is gone.
  void brushed(const std::vector<int>& ids);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  const ScatterData::Point* nearest(QPointF position) const;
  std::vector<int> idsIn(const QRectF& area) const;
  void hover(const QMouseEvent& event);
  void redraw();
  void setLocked(bool locked);
  void step(bool forward);

  ScatterData m_data;
  ScatterLook m_look;
  std::function<QString(const ScatterData::Point&)> m_describe;
  QImage m_ground;  ///< null: to be drawn anew
  QAction* m_lock;
  QPointF m_press;
  QRectF m_brush;  ///< while it is dragged
  bool m_dragging = false;
  bool m_stale = false;
};

}  // namespace gridloom::widgets
