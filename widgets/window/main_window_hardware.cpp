// SPDX-License-Identifier: GPL-3.0-or-later

// The hardware in the window: its text, and the form of what is selected on the mesh.

#include <QDockWidget>
#include <QMenu>
#include <QPushButton>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>

#include "bridge/hardware_edits.h"
#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "editors/code_editor.h"
#include "models/hardware_text.h"
#include "models/selection_hub.h"
#include "window/hardware_form.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"
#include "window/peak_panel.h"

namespace gridloom::widgets {

QWidget* MainWindow::makeHardwareTabs() {
  m_form = new HardwareForm(m_session, m_hub);
  connect(m_form, &HardwareForm::ringWanted, this, &MainWindow::closeRing);
  auto* parts = new QMenu(m_form);
  addPartsTo(parts);
  m_form->addButton()->setMenu(parts);
  m_hardwareTabs = new QTabWidget;
  m_hardwareTabs->setDocumentMode(true);
  m_hardwareTabs->tabBar()->setAccessibleName(QStringLiteral("Views of the hardware"));
  m_hardwareTabs->addTab(m_form, QStringLiteral("Form"));
  m_hardwareTabs->addTab(m_hardware, QStringLiteral("Text"));
  connect(m_mesh->canvas(), &MeshCanvas::corePicked, this, [this](int core) {
    if (core >= 0) showForm();
  });
  connect(m_mesh->canvas(), &MeshCanvas::resourcePicked, this, [this](int link, int memory) {
    if (link >= 0 || memory >= 0) showForm();
  });
  connect(m_peak, &PeakPanel::unitChosen, this, &MainWindow::showForm);
  connectMesh();
  return m_hardwareTabs;
}

/// What the mesh edits: its size by the handles at its edges, its cores by a menu.
void MainWindow::connectMesh() {
  MeshCanvas* canvas = m_mesh->canvas();
  connect(canvas, &MeshCanvas::resized, this, [this](MeshAxis axis, int size) {
    resizeMesh(*m_session, static_cast<std::size_t>(axis), size);
  });
  connect(canvas, &MeshCanvas::portPlaced, this, &MainWindow::placeDragged);
  connect(canvas, &MeshCanvas::placingRefused, this, [this] {
    const QString reason = whyNotPlaceable(*m_session);
    sayNotPlaced(reason.isEmpty() ? QStringLiteral("not all of its channels are drawn") : reason);
  });
  connect(canvas, &MeshCanvas::disableWanted, this, [this](int core) { disableCore(core); });
  canvas->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(canvas, &QWidget::customContextMenuRequested, this, &MainWindow::showMeshMenu);
  connect(m_session, &Session::inputsChanged, this, &MainWindow::refreshHandles);
  // Large scenes arrive after the inputs.
  connect(m_mesh, &MeshPanel::sceneChanged, this, &MainWindow::refreshHandles);
}

void MainWindow::placeDragged(int channel, int port, QPoint cell) {
  const MeshScene& scene = m_mesh->canvas()->scene();
  // The routers on the screen are those of the text only once it is drawn.
  if (m_mesh->awaitsScene()) return;
  const auto at = static_cast<std::size_t>(channel), moved = static_cast<std::size_t>(port);
  if (at >= scene.memories.size() || moved >= scene.memories[at].ports.size()) return;
  // A ring has one coordinate.
  const bool hasRows = m_session->hardware()->topology.nodeGrid().size() > 1;
  const auto routerAt = [&](QPoint place) {
    std::vector<std::int64_t> router{place.x()};
    if (hasRows) router.push_back(place.y());
    return router;
  };
  std::vector<language::PortRouters> routers;
  for (const MemoryBlock& block : scene.memories) {
    language::PortRouters& ports = routers.emplace_back();
    for (const int each : block.ports) ports.push_back(routerAt(scene.positionOf(each)));
  }
  routers[at][moved] = routerAt(cell);
  const QString reason = placePort(*m_session, at, moved, routers);
  if (!reason.isEmpty()) sayNotPlaced(reason);
}

void MainWindow::sayNotPlaced(const QString& reason) {
  statusBar()->showMessage(QStringLiteral("The memory channel stays: %1").arg(reason), 8000);
}

/// A size has a handle where a parameter holds it, and where columns and rows are those of cores.
void MainWindow::refreshHandles() {
  const auto fits = [this](std::size_t dimension, int shown) {
    const auto size = meshSize(*m_session, dimension);
    return size && static_cast<int>(size->number) == shown;
  };
  const MeshScene& scene = m_mesh->canvas()->scene();
  m_mesh->canvas()->setResizable(fits(0, scene.columns), fits(1, scene.rows));
  m_mesh->canvas()->setPlaceable(
      whyNotPlaceable(*m_session).isEmpty() &&
      scene.hasAllPorts(m_session->hardware()->topology.global().channels));
}

/// Coordinates of a machine other than that of the text mean other cores; until a large mesh is
/// drawn, the one on the screen is such a machine.
void MainWindow::disableCore(int core) {
  if (!m_session->hardwareIsChecked()) return;
  if (m_mesh->awaitsScene()) {
    statusBar()->showMessage(QStringLiteral("The mesh is being drawn; try again"), 4000);
    return;
  }
  const auto at = describedCore(m_session->hardware(), core);
  m_hub->selectCore(-1);
  setCoreDisabled(*m_session, at, true);
  statusBar()->showMessage(
      QStringLiteral(
          "Core %1 is disabled, and the row or column that it breaks is left out; Ctrl+Z "
          "takes it back")
          .arg(placeText(at)),
      8000);
}

void MainWindow::showMeshMenu(QPoint position) {
  const MeshCanvas* canvas = m_mesh->canvas();
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("meshMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const bool current = m_session->hardwareIsChecked() && !m_mesh->awaitsScene();
  const int core = current ? canvas->coreAt(position) : -1;
  const MeshScene::Aside* aside = canvas->asideAt(position);
  if (core >= 0) {
    const QString place = placeText(describedCore(m_session->hardware(), core));
    connect(menu->addAction(QStringLiteral("Disable core %1").arg(place)), &QAction::triggered,
            this, [this, core] { disableCore(core); });
  } else if (aside && aside->disabled) {
    const auto at = aside->coordinates;
    connect(menu->addAction(QStringLiteral("Enable core %1").arg(placeText(at))),
            &QAction::triggered, this, [this, at] { setCoreDisabled(*m_session, at, false); });
  }
  const language::EdgeLinks links = edgesOf(*m_session);
  menu->addSeparator();
  for (const bool wraps : {true, false}) {
    QAction* made = menu->addAction(wraps ? QStringLiteral("Wrap the links around: a torus")
                                          : QStringLiteral("End the links at the edge: a mesh"));
    made->setEnabled((wraps ? links.open : links.wrapped) > 0);
    connect(made, &QAction::triggered, this, [this, wraps] { setWrapped(*m_session, wraps); });
  }
  if (mayBeRing(*m_session)) {
    QAction* ring = menu->addAction(QStringLiteral("Close all cores into a ring"));
    ring->setEnabled(!isRing(*m_session));
    connect(ring, &QAction::triggered, this, [this] { closeRing(); });
  }
  menu->addSeparator();
  addPartsTo(menu);
  menu->addSeparator();
  menu->addActions(canvas->actions());
  menu->popup(canvas->mapToGlobal(position));
}

/// Sizes that other parts of the text follow may leave a machine that does not check.
void MainWindow::closeRing() {
  if (!makeRing(*m_session))
    statusBar()->showMessage(
        QStringLiteral("No ring: parts of this text follow its columns or rows"), 8000);
}

/// Parts that a machine may be given; each writes text with figures to begin with.
void MainWindow::addPartsTo(QMenu* menu) {
  const auto add = [&](const QString& title, auto does) {
    connect(menu->addAction(title), &QAction::triggered, this, [this, does] {
      if (does())
        showForm();
      else
        statusBar()->showMessage(
            QStringLiteral("This needs a mesh of two dimensions with networks and local memory"),
            8000);
    });
  };
  add(QStringLiteral("Add a network"), [this] { return addNetwork(*m_session); });
  add(QStringLiteral("Add a shared buffer for each column"),
      [this] { return addSharedBuffer(*m_session, true); });
  add(QStringLiteral("Add a shared buffer for all cores"),
      [this] { return addSharedBuffer(*m_session, false); });
}

/// What is chosen on the mesh is shown with its numbers. Behind a tab, the form waits until the
/// user brings the panel up.
void MainWindow::showForm() { m_hardwareTabs->setCurrentWidget(m_form); }

}  // namespace gridloom::widgets
