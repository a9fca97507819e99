// SPDX-License-Identifier: GPL-3.0-or-later

// Positions of the panels, and the tabs that they share when the window is small.

#include <QApplication>
#include <QDockWidget>
#include <QResizeEvent>
#include <QScreen>
#include <QToolBar>
#include <algorithm>

#include "window/main_window.h"
#include "window/tab_order.h"

namespace gridloom::widgets {

namespace {

constexpr QSize kUsual{1500, 940};
constexpr QSize kLeast{880, 500};  // smallest size at which every panel is complete
constexpr int kWidthForWideSides = 1800;
constexpr int kWidthForRightSide = 1200;  // narrower: the right panels join those below the mesh
constexpr int kHeightForTwo = 700;        // lower: two panels of a side share tabs
// lower: the timeline and the table below it share tabs
constexpr int kHeightForStack = 900;

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
  addDockWidget(Qt::RightDockWidgetArea, m_docks[PeakDock]);
  addDockWidget(Qt::RightDockWidgetArea, m_docks[ChartsDock]);
  tabifyDockWidget(m_docks[ChartsDock], m_docks[ExplainDock]);
  tabifyDockWidget(m_docks[ExplainDock], m_docks[CompareDock]);
  addDockWidget(Qt::BottomDockWidgetArea, m_docks[RankedDock]);
  tabifyDockWidget(m_docks[RankedDock], m_docks[SpaceDock]);
  tabifyDockWidget(m_docks[RankedDock], m_docks[TimelineDock]);
  tabifyDockWidget(m_docks[SpaceDock], m_docks[ProblemsDock]);
  tabifyDockWidget(m_docks[ProblemsDock], m_docks[MeasuredDock]);
  tabifyDockWidget(m_docks[SpaceDock], m_docks[SweepDock]);
  m_folded.stack = true;
  for (QDockWidget* each : m_docks) each->show();
  foldDocks();
  m_docks[KernelDock]->raise();
  m_docks[PeakDock]->raise();
  if (!m_folded.tabs) bringUp(m_docks[ExplainDock]);
  m_docks[RankedDock]->raise();
}

/// Widths of the sides. Text takes the surplus of a wide screen first. 314 pixels hold the equation
/// of a GEMM beside a scroll bar, 364 the line with its sizes.
void MainWindow::sizeDocks() {
  const int left = width() >= kWidthForWideSides   ? std::min(width() * 24 / 100, 520)
                   : width() >= kWidthForFullSides ? 380
                                                   : std::clamp(width() * 32 / 100, 314, 364);
  // The words and figures of *What if* fit into each, its bars into the widest. What both sides ask
  // for beyond the room beside the mesh, the window takes from both.
  const int right = width() >= kWidthForWideSides ? 440 : width() >= kWidthForFullSides ? 420 : 404;
  resizeDocks({m_docks[KernelDock]}, {left}, Qt::Horizontal);
  if (m_folded.stack)
    resizeDocks({m_docks[RankedDock]}, {std::min(height() * 36 / 100, 230)}, Qt::Vertical);
  else
    resizeDocks(
        {m_docks[TimelineDock], m_docks[RankedDock]},
        {std::clamp(height() * 24 / 100, 220, 300), std::clamp(height() * 24 / 100, 180, 300)},
        Qt::Vertical);
  if (!m_folded.right) resizeDocks({m_docks[PeakDock]}, {right}, Qt::Horizontal);
  if (!m_folded.right && !m_folded.tabs)
    resizeDocks({m_docks[PeakDock], m_docks[ChartsDock]}, {560, 320}, Qt::Vertical);
  if (m_folded.sides) return;
  const bool wide = width() >= kWidthForFullSides;
  resizeDocks({m_docks[KernelDock], m_docks[HardwareDock]}, {wide ? 430 : 400, wide ? 370 : 400},
              Qt::Vertical);
}

/// Panels at their initial positions share tabs while the window is too small, and separate when it
/// is large enough. Panels that the user has moved stay where they are.
void MainWindow::foldDocks() {
  const bool low = height() < kHeightForTwo;
  const FoldedDocks wanted{width() < kWidthForRightSide, low, low || width() < kWidthForFullSides,
                           width() < kWidthForWideSides || height() < kHeightForStack};
  const bool wide = width() >= kWidthForWideSides;
  const bool changes = wanted != m_folded || wide != m_isWide;
  m_isWide = wide;
  // Unfolds to the left side last, since the right side depends on the width.
  if (wanted.right && !m_folded.right) foldRight(true);
  if (wanted.sides != m_folded.sides) foldSides(wanted.sides);
  if (wanted.tabs != m_folded.tabs) foldTabs(wanted.tabs);
  if (wanted.stack != m_folded.stack) foldStack(wanted.stack);
  if (!wanted.right && m_folded.right) foldRight(false);
  // Four tabs side by side have room for one word each.
  m_docks[PeakDock]->setWindowTitle(m_folded.tabs ? QStringLiteral("Peak")
                                                  : QStringLiteral("Where the peak went"));
  setCorner(Qt::BottomLeftCorner,
            width() < kWidthForFullSides ? Qt::BottomDockWidgetArea : Qt::LeftDockWidgetArea);
  refreshSearch();
  // Panels that have moved take their sizes once the layout has placed them.
  if (changes && isVisible()) QTimer::singleShot(0, this, &MainWindow::sizeDocks);
}

void MainWindow::foldRight(bool fold) {
  m_folded.right = fold;
  const QList<QDockWidget*> moving{m_docks[PeakDock], m_docks[ChartsDock], m_docks[ExplainDock],
                                   m_docks[CompareDock]};
  QDockWidget* front = tabInFront(m_docks[RankedDock]);
  for (QDockWidget* each : moving) {
    if (fold && dockWidgetArea(each) == Qt::RightDockWidgetArea)
      moveDock(each, m_docks[ProblemsDock], Qt::BottomDockWidgetArea);
    else if (!fold && dockWidgetArea(each) == Qt::BottomDockWidgetArea)
      moveDock(each, upperRight(each), Qt::RightDockWidgetArea);
  }
  // What is in front below the mesh stays in front where it goes, and leaves its place to the
  // table.
  const bool leaves = !fold && moving.contains(front);
  if (front) bringUp(leaves ? m_docks[RankedDock] : front);
  if (!fold) bringUp(leaves ? front : m_docks[PeakDock]);
  if (!fold && !m_folded.tabs && !leaves) bringUp(m_docks[ExplainDock]);
}

/// Of a dock and its tabs, the one in front; null when all are closed, or the dock floats.
QDockWidget* MainWindow::tabInFront(QDockWidget* dock) const {
  // The layout puts those behind outside of the window.
  const auto isInFront = [this](const QDockWidget* each) {
    return !each->isHidden() && !each->isFloating() && rect().intersects(each->geometry());
  };
  if (isInFront(dock)) return dock;
  const QList<QDockWidget*> tabs = tabifiedDockWidgets(dock);
  const auto found = std::ranges::find_if(tabs, isInFront);
  return found == tabs.end() ? nullptr : *found;
}

/// The dock of the right side that a dock of that side joins as a tab; null for the upper dock.
QDockWidget* MainWindow::upperRight(const QDockWidget* dock) const {
  if (dock == m_docks[PeakDock]) return nullptr;
  if (m_folded.tabs) return m_docks[PeakDock];
  return dock == m_docks[ChartsDock] ? nullptr : m_docks[ChartsDock];
}

void MainWindow::foldTabs(bool fold) {
  m_folded.tabs = fold;
  if (m_folded.right) return;
  for (QDockWidget* each : {m_docks[ChartsDock], m_docks[ExplainDock], m_docks[CompareDock]}) {
    if (dockWidgetArea(each) == Qt::RightDockWidgetArea)
      moveDock(each, upperRight(each), Qt::RightDockWidgetArea);
  }
  bringUp(m_docks[PeakDock]);
  if (!fold) bringUp(m_docks[ExplainDock]);
}

void MainWindow::foldSides(bool fold) {
  m_folded.sides = fold;
  QDockWidget *upper = m_docks[KernelDock], *lower = m_docks[HardwareDock];
  const Qt::DockWidgetArea area = Qt::LeftDockWidgetArea;
  if (dockWidgetArea(upper) != area || dockWidgetArea(lower) != area) return;
  // The panel with the focus stays in front; moving it would remove the focus.
  QWidget* focus = QApplication::focusWidget();
  const bool lowerInUse = lower->isAncestorOf(focus);
  moveDock(lower, fold ? upper : nullptr, area);
  bringUp(lowerInUse ? lower : upper);
  if (lowerInUse) focus->setFocus();
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

bool MainWindow::focusNextPrevChild(bool next) {
  QWidget* found = nextForTab(*this, next);
  if (found) found->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  return found != nullptr;
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
  placeWelcome();
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
