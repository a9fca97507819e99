// SPDX-License-Identifier: GPL-3.0-or-later

// The timeline in the window: its menu, its place.

#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>

#include "bridge/replay.h"
#include "models/selection_hub.h"
#include "timeline/timeline_canvas.h"
#include "window/main_window.h"
#include "window/timeline_panel.h"

namespace gridloom::widgets {

void MainWindow::buildTimelineMenu() {
  connect(m_docks[TimelineDock], &QDockWidget::visibilityChanged, m_replay, &Replay::setWanted);
  QMenu* menu = menuBar()->addMenu(QStringLiteral("&Timeline"));
  connect(action(menu, QStringLiteral("&Show the timeline"), QStringLiteral("Ctrl+Shift+T")),
          &QAction::triggered, this, [this] {
            m_docks[TimelineDock]->show();
            m_docks[TimelineDock]->raise();
            m_timeline->canvas()->setFocus(Qt::ShortcutFocusReason);
          });
  connect(action(menu, QStringLiteral("&Play or pause"), QStringLiteral("F8")), &QAction::triggered,
          m_timeline, &TimelinePanel::togglePlay);
  connect(action(menu, QStringLiteral("Play &backwards"), QStringLiteral("Shift+F8")),
          &QAction::triggered, m_replay, [this] { m_replay->play(true); });
  connect(action(menu, QStringLiteral("&On by one cycle"), QStringLiteral("F10")),
          &QAction::triggered, m_replay, [this] { m_replay->step(1); });
  connect(action(menu, QStringLiteral("B&ack by one cycle"), QStringLiteral("Shift+F10")),
          &QAction::triggered, m_replay, [this] { m_replay->step(-1); });
  connect(
      action(menu, QStringLiteral("&Follow the tile of the selected core"), QStringLiteral("F9")),
      &QAction::triggered, this, [this] {
        const TransferChoice choice{m_hub->core(), m_hub->operand()};
        if (m_replay->followTransferOf(choice, std::max(m_hub->cycle(), 0.0))) return;
        statusBar()->showMessage(
            QStringLiteral("Select a core that moves a tile at the cursor of the timeline, or "
                           "click a tile on the mesh"),
            8000);
      });
  connect(action(menu, QStringLiteral("S&top following"), QStringLiteral("Shift+F9")),
          &QAction::triggered, m_replay, &Replay::unfollow);
  connect(action(menu, QStringLiteral("Show the &whole run on the mesh"), {}), &QAction::triggered,
          m_hub, [this] { m_hub->selectCycle(-1); });
}

/// Below the mesh and above the table, or a tab beside the table.
void MainWindow::foldStack(bool fold) {
  m_folded.stack = fold;
  QDockWidget *timeline = m_docks[TimelineDock], *table = m_docks[RankedDock];
  const Qt::DockWidgetArea area = Qt::BottomDockWidgetArea;
  if (dockWidgetArea(timeline) != area || dockWidgetArea(table) != area || timeline->isFloating())
    return;
  QDockWidget* front = tabInFront(table);
  if (!front || front == timeline) front = table;
  if (fold) {
    moveDock(timeline, table, area);
    return bringUp(front);
  }
  // The table's tabs go below as one.
  const QList<QDockWidget*> tabs = tabifiedDockWidgets(table);
  QList<QDockWidget*> open = tabs + QList{timeline, table};
  open.removeIf([](const QDockWidget* each) { return each->isHidden(); });
  removeDockWidget(timeline);
  for (QDockWidget* each : tabs) removeDockWidget(each);
  splitDockWidget(table, timeline, Qt::Vertical);
  removeDockWidget(table);
  splitDockWidget(timeline, table, Qt::Vertical);
  // Only with what is shown does another panel share tabs.
  for (QDockWidget* each : {timeline, table}) each->show();
  for (QDockWidget* each : tabs) {
    if (each != timeline) tabifyDockWidget(table, each);
  }
  for (QDockWidget* each : tabs + QList{timeline, table}) each->setVisible(open.contains(each));
  bringUp(front);
}

}  // namespace gridloom::widgets
