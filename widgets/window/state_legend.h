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
  static constexpr int kLeastColumns = 3;  ///< below the mesh
  /// How many states stand beside each other; a new row begins below.
  void setColumns(int columns);
  /// The scene or the moment of the canvas has changed.
  void refresh();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void showUnknown();
  void takeSize(QSize size);
  const MeshCanvas* m_canvas;
  int m_columns = 1;
  double m_columnWidth = 0;
  QSize m_size;
};

}  // namespace gridloom::widgets
