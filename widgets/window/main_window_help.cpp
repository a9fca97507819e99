// SPDX-License-Identifier: GPL-3.0-or-later

// The welcome page, the tour, the help pages, and what the menu *Help* offers besides.

#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QTabWidget>

#include "bridge/example_looks.h"
#include "bridge/session.h"
#include "models/examples.h"
#include "models/tour_steps.h"
#include "window/command_palette.h"
#include "window/gallery.h"
#include "window/hardware_form.h"
#include "window/help_browser.h"
#include "window/help_window.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"
#include "window/tour.h"
#include "window/welcome_page.h"

namespace gridloom::widgets {

void MainWindow::buildHelpMenu() {
  QMenu* help = menuBar()->addMenu(QStringLiteral("&Help"));
  connect(action(help, QStringLiteral("&Welcome page"), QStringLiteral("Ctrl+Shift+W")),
          &QAction::triggered, this, &MainWindow::showWelcome);
  connect(action(help, QStringLiteral("&Tour in five steps"), {}), &QAction::triggered, this,
          &MainWindow::startTour);
  connect(action(help, QStringLiteral("Help &pages…"), QStringLiteral("Shift+F1")),
          &QAction::triggered, this, [this] { showHelp(QStringLiteral("studio.md")); });
  help->addSeparator();
  connect(action(help, QStringLiteral("&Command palette…"), QStringLiteral("Ctrl+Shift+P"),
                 QStringLiteral("palette")),
          &QAction::triggered, this, &MainWindow::showPalette);
  connect(action(help, QStringLiteral("&Keyboard shortcuts…"), QStringLiteral("F1")),
          &QAction::triggered, this, &MainWindow::showShortcuts);
  connect(action(help, QStringLiteral("&About Gridloom Studio…"), {}), &QAction::triggered, this,
          &MainWindow::showAbout);
}

void MainWindow::showWelcome() {
  if (!m_looks) m_looks = new ExampleLooks(this);
  if (!m_welcome) {
    m_welcome = new WelcomePage(m_looks, m_settings.recentProjects(), this);
    connect(m_welcome, &WelcomePage::exampleChosen, this, &MainWindow::openExample);
    connect(m_welcome, &WelcomePage::projectChosen, this, [this](const QString& path) {
      if (keepChanges()) openProject(path);
    });
    connect(m_welcome, &WelcomePage::newWanted, this, &MainWindow::newProject);
    connect(m_welcome, &WelcomePage::galleryWanted, this, &MainWindow::showGallery);
    connect(m_welcome, &WelcomePage::openWanted, this, &MainWindow::openDialog);
    connect(m_welcome, &WelcomePage::tourWanted, this, &MainWindow::startTour);
    connect(m_welcome, &WelcomePage::closed, this, &MainWindow::hideWelcome);
  }
  m_welcome->setRecent(m_settings.recentProjects());
  placeWelcome();
  m_welcome->show();
  m_welcome->raise();
}

void MainWindow::showGallery() {
  auto* gallery = new Gallery(PresetLooks::Kind::Kernel, this);
  gallery->setAttribute(Qt::WA_DeleteOnClose);
  connect(gallery, &Gallery::chosen, this, [this](const QString& name, bool hardware) {
    hideWelcome();
    choosePreset(name, hardware);
  });
  gallery->open();
}

void MainWindow::hideWelcome() {
  if (!m_welcome || m_welcome->isHidden()) return;
  m_welcome->hide();
  m_looks->stop();
  m_mesh->setFocus();
}

/// All below the menus: a part of the window would show between it and the edge of a small screen.
void MainWindow::placeWelcome() {
  if (!m_welcome) return;
  const int top = menuBar()->geometry().bottom() + 1;
  m_welcome->setGeometry(0, top, width(), height() - top);
}

void MainWindow::raiseOverlays() {
  if (m_tour) m_tour->raiseAll();
  if (m_welcome && m_welcome->isVisible()) m_welcome->raise();
}

void MainWindow::openExample(int example) {
  if (!keepChanges()) return;
  auto project = projectOf(examples()[static_cast<std::size_t>(example)]);
  if (!project) return fail(project.diagnostics());
  m_path.clear();
  adoptProject(std::move(*project), true);
}

void MainWindow::startTour() {
  hideWelcome();
  delete m_tour;
  m_tour = new Tour([this](TourPlace place) { return bringUpPlace(place); }, this);
  m_tour->showStep(0);
}

Tour* MainWindow::tour() const { return m_tour; }

QWidget* MainWindow::bringUpPlace(TourPlace place) {
  const auto raised = [this](Dock dock) {
    m_docks[dock]->show();
    bringUp(m_docks[dock]);
    return m_docks[dock];
  };
  switch (place) {
  case TourPlace::Mesh:
    return m_mesh;
  case TourPlace::Peak:
    return raised(PeakDock);
  case TourPlace::Timeline:
    return raised(TimelineDock);
  case TourPlace::Form:
    m_hardwareTabs->setCurrentWidget(m_form);
    return raised(HardwareDock);
  case TourPlace::Compare:
    raised(CompareDock);
    return raised(RankedDock);
  }
  return m_mesh;
}

void MainWindow::showHelp(const QString& page) {
  if (!m_help) m_help = new HelpWindow(this);
  m_help->browser()->showPage(page);
  m_help->show();
  m_help->raise();
  m_help->activateWindow();
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
