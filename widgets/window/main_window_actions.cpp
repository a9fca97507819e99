// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QToolBar>
#include <QToolButton>

#include "bridge/replay.h"
#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "theme/tokens.h"
#include "window/command_palette.h"
#include "window/inputs_panel.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"
#include "window/number_box.h"
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
  connect(action(file, QStringLiteral("&Open project…"), QStringLiteral("Ctrl+O"),
                 QStringLiteral("open")),
          &QAction::triggered, this, &MainWindow::openDialog);
  m_recentMenu = file->addMenu(QStringLiteral("Open &recent"));
  connect(action(file, QStringLiteral("&Save project"), QStringLiteral("Ctrl+S"),
                 QStringLiteral("save")),
          &QAction::triggered, this, &MainWindow::save);
  connect(action(file, QStringLiteral("Save project &as…"), QStringLiteral("Ctrl+Shift+S")),
          &QAction::triggered, this, &MainWindow::saveDialog);
  file->addSeparator();
  connect(action(file, QStringLiteral("Export &mesh…"), QStringLiteral("Ctrl+E"),
                 QStringLiteral("export")),
          &QAction::triggered, this, &MainWindow::exportMeshDialog);
  connect(action(file, QStringLiteral("Export &chart…"), {}), &QAction::triggered, this,
          &MainWindow::exportChartDialog);
  connect(action(file, QStringLiteral("Export where the &peak went…"), {}), &QAction::triggered,
          this, &MainWindow::exportPeakDialog);
  connect(action(file, QStringLiteral("Export t&imeline…"), {}), &QAction::triggered, this,
          &MainWindow::exportTimelineDialog);
  connect(action(file, QStringLiteral("Export &table…"), QStringLiteral("Ctrl+Shift+E")),
          &QAction::triggered, this, &MainWindow::exportTableDialog);
  file->addSeparator();
  connect(action(file, QStringLiteral("&Quit"), QStringLiteral("Ctrl+Q")), &QAction::triggered,
          this, &QWidget::close);
}

void MainWindow::buildEditMenu() {
  QMenu* edit = menuBar()->addMenu(QStringLiteral("&Edit"));
  m_undoAction = action(edit, QStringLiteral("&Undo"), QStringLiteral("Ctrl+Z"));
  connect(m_undoAction, &QAction::triggered, this, &MainWindow::undo);
  m_redoAction = action(edit, QStringLiteral("&Redo"), QStringLiteral("Ctrl+Shift+Z"));
  connect(m_redoAction, &QAction::triggered, this, &MainWindow::redo);
  edit->addSeparator();
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
  });
  m_simulateAction = action(explore, QStringLiteral("S&imulate the ranked mappings"), {});
  m_simulateAction->setCheckable(true);
  m_simulateAction->setChecked(true);
  connect(m_simulateAction, &QAction::toggled, m_session, &Session::setSimulate);
  explore->addSeparator();
  connect(action(explore, QStringLiteral("&Next mapping"), QStringLiteral("Alt+Down")),
          &QAction::triggered, this, [this] {
            const auto& exploration = m_session->exploration();
            const int count = exploration ? static_cast<int>(exploration->top.size()) : 0;
            if (m_hub->candidate() + 1 < count) m_hub->selectCandidate(m_hub->candidate() + 1);
          });
  connect(action(explore, QStringLiteral("&Previous mapping"), QStringLiteral("Alt+Up")),
          &QAction::triggered, this, [this] {
            if (m_hub->candidate() > 0) m_hub->selectCandidate(m_hub->candidate() - 1);
          });
  explore->addSeparator();
  connect(action(explore, QStringLiteral("&Pin the selected mapping"), QStringLiteral("Ctrl+P")),
          &QAction::triggered, m_directives, &DirectivesPanel::pinSelected);
  connect(action(explore, QStringLiteral("&Clear directives"), {}), &QAction::triggered,
          m_directives, &DirectivesPanel::clearAll);
}

void MainWindow::buildViewMenu() {
  QMenu* view = menuBar()->addMenu(QStringLiteral("&View"));
  connect(action(view, QStringLiteral("&Fit the mesh"), QStringLiteral("Ctrl+0"),
                 QStringLiteral("fit")),
          &QAction::triggered, m_mesh->canvas(), &MeshCanvas::fit);
  connect(
      action(view, QStringLiteral("Zoom &in"), QStringLiteral("Ctrl++"), QStringLiteral("zoom_in")),
      &QAction::triggered, m_mesh->canvas(), &MeshCanvas::zoomIn);
  connect(action(view, QStringLiteral("Zoom &out"), QStringLiteral("Ctrl+-"),
                 QStringLiteral("zoom_out")),
          &QAction::triggered, m_mesh->canvas(), &MeshCanvas::zoomOut);
  QAction* links = action(view, QStringLiteral("Show network &links"), QStringLiteral("Ctrl+L"));
  links->setCheckable(true);
  links->setChecked(true);
  connect(links, &QAction::toggled, m_mesh, &MeshPanel::setLinksShown);
  connect(action(view, QStringLiteral("&Clear the selection"), QStringLiteral("Ctrl+D")),
          &QAction::triggered, this, [this] {
            m_hub->selectCore(-1);
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
  QMenu* themes = view->addMenu(QStringLiteral("&Theme"));
  auto* group = new QActionGroup(this);
  for (const Scheme scheme : {Scheme::System, Scheme::Light, Scheme::Dark}) {
    const QString name = nameOf(scheme);
    QAction* choice =
        action(themes, QStringLiteral("%1 theme").arg(name.left(1).toUpper() + name.mid(1)), {});
    choice->setCheckable(true);
    choice->setChecked(m_settings.scheme() == scheme);
    group->addAction(choice);
    connect(choice, &QAction::triggered, this, [this, scheme] { setScheme(scheme); });
  }
}

void MainWindow::buildCompareMenu() {
  QMenu* compare = menuBar()->addMenu(QStringLiteral("&Compare"));
  connect(action(compare, QStringLiteral("&Freeze the selected mapping as A"),
                 QStringLiteral("Ctrl+B")),
          &QAction::triggered, this, &MainWindow::freezeSelected);
  connect(action(compare, QStringLiteral("&Leave the comparison"), QStringLiteral("Ctrl+Shift+B")),
          &QAction::triggered, m_session, &Session::unfreeze);
}

void MainWindow::buildHelpMenu() {
  QMenu* help = menuBar()->addMenu(QStringLiteral("&Help"));
  connect(action(help, QStringLiteral("&Command palette…"), QStringLiteral("Ctrl+Shift+P"),
                 QStringLiteral("palette")),
          &QAction::triggered, this, &MainWindow::showPalette);
  connect(action(help, QStringLiteral("&Keyboard shortcuts…"), QStringLiteral("F1")),
          &QAction::triggered, this, &MainWindow::showShortcuts);
  connect(action(help, QStringLiteral("&About Gridloom Studio…"), {}), &QAction::triggered, this,
          &MainWindow::showAbout);
}

void MainWindow::buildToolBar() {
  m_toolBar = addToolBar(QStringLiteral("Tools"));
  m_toolBar->setObjectName(QStringLiteral("tools"));
  m_toolBar->setMovable(false);
  m_toolBar->setIconSize(QSize(18, 18));
  const auto caption = [this](const QString& words) {
    auto* label = new QLabel(words);
    label->setProperty("role", QStringLiteral("muted"));
    label->setContentsMargins(10, 0, 2, 0);
    m_toolBar->addWidget(label);
  };
  const auto presets = [this](const std::vector<service::Preset>& list, const QString& name,
                              bool hardware) {
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (const service::Preset& preset : list) {
      box->addItem(text(preset.name));
      box->setItemData(box->count() - 1, text(preset.summary), Qt::ToolTipRole);
    }
    connect(box, &QComboBox::textActivated, this,
            [this, hardware](const QString& chosen) { choosePreset(chosen, hardware); });
    m_toolBar->addWidget(box);
    return box;
  };
  caption(QStringLiteral("Hardware"));
  m_hardwareBox = presets(service::listHardware(), QStringLiteral("Hardware preset"), true);
  caption(QStringLiteral("Kernel"));
  m_kernelBox = presets(service::listKernels(), QStringLiteral("Kernel preset"), false);
  caption(QStringLiteral("Numeric mode"));
  m_modeBox = new QComboBox;
  m_modeBox->setAccessibleName(QStringLiteral("Numeric mode"));
  m_modeBox->setToolTip(
      QStringLiteral("Mode of the matrix unit; auto follows the element type of the kernel"));
  m_modeBox->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(m_modeBox, &QComboBox::textActivated, this, [this](const QString& mode) {
    m_session->setMode(mode == QLatin1String("auto") ? QString() : mode);
  });
  m_toolBar->addWidget(m_modeBox);
  caption(QStringLiteral("Best"));
  m_topBox = new NumberBox(QStringLiteral("Number of mappings to rank"), 1, kMostMappings);
  m_topBox->setObjectName(QStringLiteral("top"));
  m_topBox->setValue(m_session->project().top);
  m_topBox->setToolTip(QStringLiteral("How many of the best mappings are ranked and simulated"));
  connect(m_topBox, &QSpinBox::valueChanged, m_session, &Session::setTop);
  m_toolBar->addWidget(m_topBox);
  m_toolBar->addSeparator();
  m_toolBar->addAction(m_exploreAction);
  m_toolBar->addAction(m_stopAction);
  auto* gap = new QWidget;
  gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  m_toolBar->addWidget(gap);
  for (QAction* each : m_actions) {
    const QString icon = each->data().toString();
    if (!icon.isEmpty() && each != m_exploreAction && each != m_stopAction)
      m_toolBar->addAction(each);
  }
}

void MainWindow::refreshIcons() {
  const Tokens& tokens = tokensFor(QApplication::palette());
  for (QAction* each : m_actions) {
    const QString icon = each->data().toString();
    if (!icon.isEmpty()) each->setIcon(themedIcon(icon, tokens));
  }
  // Actions that do not fit on the tool bar are behind this button, which Qt draws in dark ink on
  // any theme.
  if (auto* more = m_toolBar->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"))) {
    more->setIcon(themedIcon(QStringLiteral("more"), tokens));
    more->setAccessibleName(QStringLiteral("More tools"));
  }
  setWindowIcon(themedIcon(QStringLiteral("gridloom"), tokens));
}

void MainWindow::refreshRecent() {
  m_recentMenu->clear();
  for (const QString& path : m_settings.recentProjects()) {
    QAction* each = m_recentMenu->addAction(QFileInfo(path).fileName());
    each->setToolTip(path);
    connect(each, &QAction::triggered, this, [this, path] {
      if (keepChanges()) openProject(path);
    });
  }
  m_recentMenu->setEnabled(!m_recentMenu->isEmpty());
  if (m_recentMenu->isEmpty()) return;
  m_recentMenu->addSeparator();
  connect(m_recentMenu->addAction(QStringLiteral("Forget these")), &QAction::triggered, this,
          [this] {
            m_settings.forgetRecentProjects();
            refreshRecent();
          });
}

void MainWindow::showPalette() {
  QList<QAction*> actions = m_actions;
  for (QDockWidget* each : m_docks) actions << each->toggleViewAction();
  CommandPalette palette(actions, this);
  palette.move(geometry().center() - QPoint(palette.width() / 2, height() / 3));
  palette.exec();
}

void MainWindow::showShortcuts() { ShortcutSheet(m_actions, this).exec(); }

void MainWindow::showAbout() {
  QMessageBox::about(
      this, QStringLiteral("About Gridloom Studio"),
      QStringLiteral(
          "<b>Gridloom Studio %1</b><p>Explores how tensor kernels map onto spatial dataflow "
          "accelerators.</p><p>Licensed under GPL-3.0-or-later; the engine under "
          "Apache-2.0. Uses Qt %2.</p>")
          .arg(QApplication::applicationVersion(), QLatin1String(qVersion())));
}

}  // namespace gridloom::widgets
