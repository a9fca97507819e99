// SPDX-License-Identifier: GPL-3.0-or-later

// Positions of the panels, and the tabs that they share when the window is small.

#include <QApplication>
#include <QDockWidget>
#include <QResizeEvent>
#include <QScreen>
#include <QToolBar>
#include <algorithm>

#include "window/main_window.h"

namespace gridloom::widgets {

namespace {

constexpr QSize kUsual{1500, 940};
constexpr QSize kLeast{880, 480};  // smallest size at which every panel is complete
// narrower: the table below the mesh joins the left side
constexpr int kWidthForFullSides = 1400;
constexpr int kWidthForRightSide = 1200;  // narrower: the right panels join those below the mesh
constexpr int kHeightForTwo = 700;        // lower: two panels of a side share tabs

}  // namespace

void MainWindow::restoreLayout() {
  setMinimumSize(kLeast);
  resize(kUsual.boundedTo(screen()->availableSize()));
  arrangeDocks();
  restoreGeometry(m_settings.geometry());
  m_sizeDocks = !restoreState(m_settings.layout());
  if (!m_sizeDocks) m_folded = m_settings.folded();
  m_fold.setSingleShot(true);
  connect(&m_fold, &QTimer::timeout, this, &MainWindow::foldDocks);
}

void MainWindow::arrangeDocks() {
  for (QDockWidget* each : m_docks) {
    each->setFloating(false);
    removeDockWidget(each);
  }
  m_folded = {};
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  addDockWidget(Qt::LeftDockWidgetArea, m_docks[KernelDock]);
  addDockWidget(Qt::LeftDockWidgetArea, m_docks[HardwareDock]);
  tabifyDockWidget(m_docks[KernelDock], m_docks[DirectivesDock]);
  addDockWidget(Qt::RightDockWidgetArea, m_docks[ExplainDock]);
  addDockWidget(Qt::RightDockWidgetArea, m_docks[ChartsDock]);
  addDockWidget(Qt::BottomDockWidgetArea, m_docks[RankedDock]);
  tabifyDockWidget(m_docks[RankedDock], m_docks[SpaceDock]);
  tabifyDockWidget(m_docks[SpaceDock], m_docks[ProblemsDock]);
  for (QDockWidget* each : m_docks) each->show();
  foldDocks();
  m_docks[KernelDock]->raise();
  m_docks[ExplainDock]->raise();
  m_docks[RankedDock]->raise();
}

void MainWindow::sizeDocks() {
  // On a wide screen, the text panels get a proportional width.
  resizeDocks({m_docks[KernelDock]}, {std::clamp(width() * 22 / 100, 280, 440)}, Qt::Horizontal);
  resizeDocks({m_docks[RankedDock]}, {std::min(height() * 36 / 100, 230)}, Qt::Vertical);
  if (!m_folded.right) resizeDocks({m_docks[ExplainDock]}, {440}, Qt::Horizontal);
  if (m_folded.sides) return;
  const bool wide = width() >= kWidthForFullSides;
  resizeDocks({m_docks[KernelDock], m_docks[HardwareDock]}, {wide ? 300 : 400, wide ? 480 : 400},
              Qt::Vertical);
  if (!m_folded.right)
    resizeDocks({m_docks[ExplainDock], m_docks[ChartsDock]}, {500, 340}, Qt::Vertical);
}

/// Panels at their initial positions share tabs while the window is too small, and separate when it
/// is large enough. Panels that the user has moved stay where they are.
void MainWindow::foldDocks() {
  const FoldedDocks wanted{width() < kWidthForRightSide, height() < kHeightForTwo};
  const bool changes = wanted.right != m_folded.right || wanted.sides != m_folded.sides;
  // Unfolds to the left side last, since the right side depends on the width.
  if (wanted.right && !m_folded.right) foldRight(true);
  if (wanted.sides != m_folded.sides) foldSides(wanted.sides);
  if (!wanted.right && m_folded.right) foldRight(false);
  setCorner(Qt::BottomLeftCorner,
            width() < kWidthForFullSides ? Qt::BottomDockWidgetArea : Qt::LeftDockWidgetArea);
  if (changes && isVisible()) sizeDocks();
}

void MainWindow::foldRight(bool fold) {
  m_folded.right = fold;
  for (QDockWidget* each : {m_docks[ExplainDock], m_docks[ChartsDock]}) {
    if (fold && dockWidgetArea(each) == Qt::RightDockWidgetArea)
      moveDock(each, m_docks[ProblemsDock], Qt::BottomDockWidgetArea);
    else if (!fold && dockWidgetArea(each) == Qt::BottomDockWidgetArea)
      moveDock(each, nullptr, Qt::RightDockWidgetArea);
  }
  if (!fold && m_folded.sides) foldSides(true);
  bringUp(m_docks[fold ? RankedDock : ExplainDock]);
}

void MainWindow::foldSides(bool fold) {
  m_folded.sides = fold;
  const auto share = [&](Dock upper, Dock lower, Qt::DockWidgetArea area) {
    if (dockWidgetArea(m_docks[upper]) != area || dockWidgetArea(m_docks[lower]) != area) return;
    // The panel with the focus stays in front; moving it would remove the focus.
    QWidget* focus = QApplication::focusWidget();
    const bool lowerInUse = m_docks[lower]->isAncestorOf(focus);
    moveDock(m_docks[lower], fold ? m_docks[upper] : nullptr, area);
    bringUp(m_docks[lowerInUse ? lower : upper]);
    if (lowerInUse) focus->setFocus();
  };
  share(KernelDock, HardwareDock, Qt::LeftDockWidgetArea);
  share(ExplainDock, ChartsDock, Qt::RightDockWidgetArea);
}

/// Raises a dock among its tabs, once these exist.
void MainWindow::bringUp(QDockWidget* dock) {
  dock->raise();
  QTimer::singleShot(0, dock, &QWidget::raise);
}

/// Moves a panel onto another one as a tab, or to the end of an area. A closed panel stays closed.
void MainWindow::moveDock(QDockWidget* dock, QDockWidget* onto, Qt::DockWidgetArea area) {
  if (dock->isFloating()) return;
  const bool closed = dock->isHidden();
  removeDockWidget(dock);
  if (onto && !onto->isFloating() && dockWidgetArea(onto) == area)
    tabifyDockWidget(onto, dock);
  else
    addDockWidget(area, dock);
  dock->setVisible(!closed);
}

/// A dock among tabs needs no title bar, as its tab has the same name.
void MainWindow::updateTitleBars() {
  for (QDockWidget* each : m_docks) {
    const bool tabbed = !each->isFloating() && !tabifiedDockWidgets(each).isEmpty();
    if (tabbed == (each->titleBarWidget() != nullptr)) continue;
    QWidget* old = each->titleBarWidget();
    each->setTitleBarWidget(tabbed ? new QWidget(each) : nullptr);
    delete old;
  }
}

void MainWindow::resetLayout() {
  m_settings.forgetWindow();
  m_toolBar->show();
  arrangeDocks();
  sizeDocks();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  m_fold.start(0);
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  foldDocks();
  if (!m_sizeDocks) return;
  m_sizeDocks = false;
  // Sizes take effect only after the layout has been shown.
  QTimer::singleShot(0, this, &MainWindow::sizeDocks);
}

}  // namespace gridloom::widgets
