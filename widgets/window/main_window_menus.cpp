// SPDX-License-Identifier: GPL-3.0-or-later

// The menus of the window.

#include <QActionGroup>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>

#include "bridge/replay.h"
#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "charts/scatter_plot.h"
#include "models/selection_hub.h"
#include "window/charts_panel.h"
#include "window/compare_panel.h"
#include "window/inputs_panel.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"
#include "window/ranked_panel.h"
#include "window/result_panels.h"

namespace gridloom::widgets {

QAction* MainWindow::action(QMenu* menu, const QString& title, const QString& shortcut,
                            const QString& icon) {
  auto* made = new QAction(title, this);
  if (!shortcut.isEmpty()) made->setShortcut(QKeySequence(shortcut));
  if (!icon.isEmpty()) made->setData(icon);
  menu->addAction(made);
  m_actions << made;
  return made;
}

void MainWindow::buildActions() {
  buildFileMenu();
  buildEditMenu();
  buildExploreMenu();
  buildViewMenu();
  buildTimelineMenu();
  buildCompareMenu();
  buildHelpMenu();
}

void MainWindow::buildFileMenu() {
  QMenu* file = menuBar()->addMenu(QStringLiteral("&File"));
  connect(action(file, QStringLiteral("&New project from the example"), QStringLiteral("Ctrl+N")),
          &QAction::triggered, this, &MainWindow::newProject);
  QAction* gallery =
      action(file, QStringLiteral("&Built-in machines and kernels…"), QStringLiteral("Ctrl+G"));
  connect(gallery, &QAction::triggered, this, &MainWindow::showGallery);
  connect(action(file, QStringLiteral("&Open project…"), QStringLiteral("Ctrl+O"),
                 QStringLiteral("open")),
          &QAction::triggered, this, &MainWindow::openDialog);
  connect(action(file, QStringLiteral("Open &kernel…"), QStringLiteral("Ctrl+Shift+O")),
          &QAction::triggered, this, &MainWindow::openKernelDialog);
  connect(action(file, QStringLiteral("Open meas&urements…"), QStringLiteral("Ctrl+M")),
          &QAction::triggered, this, &MainWindow::openMeasurementsDialog);
  m_recentMenu = file->addMenu(QStringLiteral("Open &recent"));
  connect(action(file, QStringLiteral("&Save project"), QStringLiteral("Ctrl+S"),
                 QStringLiteral("save")),
          &QAction::triggered, this, &MainWindow::save);
  connect(action(file, QStringLiteral("Save project &as…"), QStringLiteral("Ctrl+Shift+S")),
          &QAction::triggered, this, &MainWindow::saveDialog);
  file->addSeparator();
  buildExportMenu(file);
  file->addSeparator();
  connect(action(file, QStringLiteral("&Quit"), QStringLiteral("Ctrl+Q")), &QAction::triggered,
          this, &QWidget::close);
}

void MainWindow::buildEditMenu() {
  QMenu* edit = menuBar()->addMenu(QStringLiteral("&Edit"));
  m_undoAction =
      action(edit, QStringLiteral("&Undo"), QStringLiteral("Ctrl+Z"), QStringLiteral("undo"));
  connect(m_undoAction, &QAction::triggered, this, &MainWindow::undo);
  m_redoAction =
      action(edit, QStringLiteral("&Redo"), QStringLiteral("Ctrl+Shift+Z"), QStringLiteral("redo"));
  connect(m_redoAction, &QAction::triggered, this, &MainWindow::redo);
  edit->addSeparator();
  buildCopyMenu(edit);
  connect(action(edit, QStringLiteral("&Filter mappings"), QStringLiteral("Ctrl+F")),
          &QAction::triggered, this, [this] {
            m_docks[RankedDock]->show();
            m_docks[RankedDock]->raise();
            m_ranked->filter()->setFocus();
          });
  connect(action(edit, QStringLiteral("&Keep the row on top"), QStringLiteral("Ctrl+T")),
          &QAction::triggered, this, [this] { m_ranked->pinRow(m_hub->candidate()); });
}

void MainWindow::buildExploreMenu() {
  QMenu* explore = menuBar()->addMenu(QStringLiteral("E&xplore"));
  m_exploreAction = action(explore, QStringLiteral("&Explore again"), QStringLiteral("Ctrl+R"),
                           QStringLiteral("explore"));
  connect(m_exploreAction, &QAction::triggered, m_session, &Session::explore);
  m_stopAction =
      action(explore, QStringLiteral("&Stop"), QStringLiteral("Ctrl+."), QStringLiteral("stop"));
  m_stopAction->setEnabled(false);
  connect(m_stopAction, &QAction::triggered, this, [this] {
    // Idleness after a stop must not start an explanation.
    m_explainTried = m_hub->candidate();
    m_session->cancel();
    m_replay->stop();
    refreshActivity();  // answers at once, also where the engine takes a moment to end
  });
  m_simulateAction = action(explore, QStringLiteral("S&imulate the ranked mappings"), {});
  m_simulateAction->setCheckable(true);
  m_simulateAction->setChecked(true);
  connect(m_simulateAction, &QAction::toggled, m_session, &Session::setSimulate);
  connect(action(explore, QStringLiteral("S&weep a number…"), QStringLiteral("Ctrl+Shift+K")),
          &QAction::triggered, this, &MainWindow::showSweep);
  explore->addSeparator();
  addMappingActions(explore);
}

void MainWindow::addMappingActions(QMenu* explore) {
  connect(action(explore, QStringLiteral("&Next mapping"), QStringLiteral("Alt+Down")),
          &QAction::triggered, this, [this] {
            const auto& exploration = m_session->exploration();
            const int count = exploration ? static_cast<int>(exploration->listed()) : 0;
            if (m_hub->candidate() + 1 < count) m_hub->selectCandidate(m_hub->candidate() + 1);
          });
  connect(action(explore, QStringLiteral("&Previous mapping"), QStringLiteral("Alt+Up")),
          &QAction::triggered, this, [this] {
            if (m_hub->candidate() > 0) m_hub->selectCandidate(m_hub->candidate() - 1);
          });
  explore->addSeparator();
  connect(action(explore, QStringLiteral("Pin the selected &mapping"), QStringLiteral("Ctrl+P")),
          &QAction::triggered, m_directives, &DirectivesPanel::pinSelected);
  connect(action(explore, QStringLiteral("&Keep or exclude choices of the mapping…"),
                 QStringLiteral("Ctrl+K")),
          &QAction::triggered, this, [this] {
            m_docks[RankedDock]->show();
            m_docks[RankedDock]->raise();
            m_ranked->showChoices();
          });
  connect(action(explore, QStringLiteral("&Clear directives"), {}), &QAction::triggered,
          m_directives, &DirectivesPanel::clearAll);
}

void MainWindow::buildViewMenu() {
  QMenu* view = menuBar()->addMenu(QStringLiteral("&View"));
  connect(action(view, QStringLiteral("&Fit the mesh"), QStringLiteral("Ctrl+0"),
                 QStringLiteral("fit")),
          &QAction::triggered, m_mesh->canvas(), &MeshCanvas::fit);
  connect(action(view, QStringLiteral("Zoom &in"), QStringLiteral("Ctrl++")), &QAction::triggered,
          m_mesh->canvas(), &MeshCanvas::zoomIn);
  connect(action(view, QStringLiteral("Zoom &out"), QStringLiteral("Ctrl+-")), &QAction::triggered,
          m_mesh->canvas(), &MeshCanvas::zoomOut);
  QAction* links = action(view, QStringLiteral("Show network &links"), QStringLiteral("Ctrl+L"));
  links->setCheckable(true);
  links->setChecked(true);
  connect(links, &QAction::toggled, m_mesh, &MeshPanel::setLinksShown);
  view->addAction(m_charts->scatter()->lockAction());
  m_actions << m_charts->scatter()->lockAction();
  connect(action(view, QStringLiteral("&Clear the selection"), QStringLiteral("Ctrl+D")),
          &QAction::triggered, this, [this] {
            m_hub->selectCore(-1);
            m_hub->selectBrush({});
            m_hub->selectOperand({});
            m_hub->selectLoss({});
            m_hub->selectLoop({});
            m_hub->selectResource({});
            m_hub->selectCycle(-1);
          });
  view->addSeparator();
  QMenu* panels = view->addMenu(QStringLiteral("&Panels"));
  for (QDockWidget* each : m_docks) panels->addAction(each->toggleViewAction());
  connect(action(view, QStringLiteral("&Reset layout"), {}), &QAction::triggered, this,
          &MainWindow::resetLayout);
  view->addSeparator();
  addThemes(view);
}

void MainWindow::addThemes(QMenu* view) {
  QMenu* themes = view->addMenu(QStringLiteral("&Theme"));
  auto* group = new QActionGroup(this);
  for (const Scheme scheme : kSchemes) {
    QAction* choice = action(themes, QStringLiteral("%1 theme").arg(titleOf(scheme)), {});
    choice->setCheckable(true);
    choice->setChecked(m_settings.scheme() == scheme);
    group->addAction(choice);
    connect(choice, &QAction::triggered, this, [this, scheme] { setScheme(scheme); });
  }
}

void MainWindow::buildCompareMenu() {
  QMenu* compare = menuBar()->addMenu(QStringLiteral("&Compare"));
  QAction* freeze = action(compare, QStringLiteral("&Freeze the selected mapping as A"),
                           QStringLiteral("Ctrl+B"));
  connect(freeze, &QAction::triggered, this, &MainWindow::freezeSelected);
  m_compare->setFreezeAction(freeze);
  connect(action(compare, QStringLiteral("&Leave the comparison"), QStringLiteral("Ctrl+Shift+B")),
          &QAction::triggered, m_session, &Session::unfreeze);
}

}  // namespace gridloom::widgets
