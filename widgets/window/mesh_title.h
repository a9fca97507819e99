// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QHBoxLayout;
class QToolButton;

namespace gridloom::hardware {
class Topology;
}

namespace gridloom::widgets {

class LineLabel;
class MeshCanvas;

/// "8 × 8, torus, 64 cores, 4 channels of dram".
QString meshFacts(const hardware::Topology& hardware);

/// The bar above the mesh: what machine it is, what its colours say, and how much of it is shown.
class MeshTitle : public QWidget {
  Q_OBJECT
 public:
  explicit MeshTitle(MeshCanvas* canvas, QWidget* parent = nullptr);
  void setFacts(const QString& facts);
  QString facts() const;
  /// Places a control between the facts and the buttons.
  void addControl(QWidget* control);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refreshIcons();
  LineLabel* m_facts;
  QHBoxLayout* m_row;
  std::vector<std::pair<QToolButton*, QString>> m_buttons;  ///< with the names of their icons
};

}  // namespace gridloom::widgets
