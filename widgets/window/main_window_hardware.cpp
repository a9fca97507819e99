// SPDX-License-Identifier: GPL-3.0-or-later

// The hardware in the window: its text, and the form of what is selected on the mesh.

#include <QDockWidget>
#include <QTabBar>
#include <QTabWidget>

#include "canvas/mesh_canvas.h"
#include "editors/code_editor.h"
#include "window/hardware_form.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"

namespace gridloom::widgets {

QWidget* MainWindow::makeHardwareTabs() {
  m_form = new HardwareForm(m_session, m_hub);
  m_hardwareTabs = new QTabWidget;
  m_hardwareTabs->setDocumentMode(true);
  m_hardwareTabs->tabBar()->setAccessibleName(QStringLiteral("Views of the hardware"));
  m_hardwareTabs->addTab(m_hardware, QStringLiteral("Text"));
  m_hardwareTabs->addTab(m_form, QStringLiteral("Form"));
  connect(m_mesh->canvas(), &MeshCanvas::corePicked, this, [this](int core) {
    if (core >= 0) showForm();
  });
  connect(m_mesh->canvas(), &MeshCanvas::resourcePicked, this, [this](int link, int memory) {
    if (link >= 0 || memory >= 0) showForm();
  });
  return m_hardwareTabs;
}

/// What is chosen on the mesh is shown with its numbers. Behind a tab, the form waits until the
/// user brings the panel up.
void MainWindow::showForm() { m_hardwareTabs->setCurrentWidget(m_form); }

}  // namespace gridloom::widgets
