// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace gridloom::widgets {

class MeshCanvas;

/// Width of a legend beside the mesh, in pixels.
constexpr int kSideLegend = 176;

/// The legend of a mesh's heat.
class HeatScale : public QWidget {
  Q_OBJECT
 public:
  explicit HeatScale(const MeshCanvas* canvas, QWidget* parent = nullptr);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  const MeshCanvas* m_canvas;
};

/// The scale of the links beside it.
class LinkScale : public QWidget {
  Q_OBJECT
 public:
  explicit LinkScale(const MeshCanvas* canvas, QWidget* parent = nullptr);

  /// What the scale says; as its tooltip.
  QString words() const;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  const MeshCanvas* m_canvas;
};

}  // namespace gridloom::widgets
