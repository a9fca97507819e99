// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace gridloom::widgets {

class MeshCanvas;

/// The states of the cores at the selected cycle, each with the number of cores in it.
class StateLegend : public QWidget {
  Q_OBJECT
 public:
  explicit StateLegend(const MeshCanvas* canvas, QWidget* parent = nullptr);
  QSize sizeHint() const override { return m_size; }
  /// The pixels in which states stand beside each other; 0: one below the other.
  void setRoom(int room);
  /// The scene or the moment of the canvas has changed.
  void refresh();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void showUnknown();
  void takeSize(QSize size);
  const MeshCanvas* m_canvas;
  int m_room = 0;
  int m_columns = 1;
  double m_columnWidth = 0;  ///< 0: all stand in one row, each as wide as it is
  QSize m_size;
};

}  // namespace gridloom::widgets
