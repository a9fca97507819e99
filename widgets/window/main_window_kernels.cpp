// SPDX-License-Identifier: GPL-3.0-or-later

// Files that become the kernel of the project: chosen, or dropped on the window.

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QStatusBar>
#include <QUrl>

#include "bridge/session.h"
#include "models/quantity_text.h"
#include "texts/presets.h"
#include "window/main_window.h"

namespace gridloom::widgets {

namespace {

/// The file of a kernel that is dragged; empty of anything else.
QString kernelIn(const QMimeData* data) {
  if (data->urls().size() != 1) return {};
  const QString path = data->urls().front().toLocalFile();
  const bool isKernel =
      path.endsWith(QStringLiteral(".mlir")) || path.endsWith(QStringLiteral(".rec"));
  return isKernel ? path : QString();
}

}  // namespace

bool MainWindow::openKernelFile(const QString& path) {
  auto text = texts::loadText(path.toStdString());
  if (!text) {
    fail(text.diagnostics());
    return false;
  }
  const QString name = QFileInfo(path).completeBaseName();
  hideWelcome();
  m_session->setKernel(name, QString::fromStdString(std::string((*text)->text())));
  statusBar()->showMessage(QStringLiteral("Opened %1; Ctrl+Z goes back").arg(name), 8000);
  return true;
}

void MainWindow::openKernelDialog() {
  const QString path = QFileDialog::getOpenFileName(this, QStringLiteral("Open kernel"), {},
                                                    QStringLiteral("Kernels (*.mlir *.rec)"));
  if (!path.isEmpty()) openKernelFile(path);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!kernelIn(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QString path = kernelIn(event->mimeData());
  if (path.isEmpty()) return;
  event->acceptProposedAction();
  openKernelFile(path);
}

}  // namespace gridloom::widgets
