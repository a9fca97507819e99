// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QStatusBar>

#include "bridge/session.h"
#include "editors/code_editor.h"
#include "models/quantity_text.h"
#include "texts/presets.h"
#include "window/inputs_panel.h"
#include "window/main_window.h"
#include "window/number_box.h"

namespace gridloom::widgets {

namespace {

const QString kEnding = QStringLiteral(".gridloom");

QString projectFilter() { return QStringLiteral("Gridloom projects (*.gridloom)"); }

}  // namespace

void MainWindow::fail(const base::Diagnostics& diagnostics) {
  m_lastMessage = text(base::render(diagnostics));
  auto* box = new QMessageBox(QMessageBox::Warning, QStringLiteral("Gridloom Studio"),
                              text(diagnostics.front().message), QMessageBox::Ok, this);
  box->setInformativeText(text(diagnostics.front().hint));
  if (diagnostics.size() > 1 || diagnostics.front().source) box->setDetailedText(m_lastMessage);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->open();
}

void MainWindow::refreshDirty() {
  const bool was = isWindowModified();
  setWindowModified(m_session->project() != m_saved);
  if (was && !isWindowModified()) m_unsaved.forget();
}

void MainWindow::adoptProject(Project project, bool saved) {
  hideWelcome();
  m_session->setProject(std::move(project));
  m_saved.reset();
  if (saved) m_saved = m_session->project();
  refreshTitle();
}

void MainWindow::refreshTitle() {
  const QString name =
      m_path.isEmpty() ? QStringLiteral("untitled") : QFileInfo(m_path).completeBaseName();
  setWindowTitle(QStringLiteral("%1[*] – Gridloom Studio").arg(name));
  refreshDirty();
}

void MainWindow::openFirst() {
  if (restoreAbandoned()) return;
  auto example = exampleProject();
  if (!example) {
    fail(example.diagnostics());
    return;
  }
  adoptProject(std::move(*example), true);
}

bool MainWindow::restoreAbandoned() {
  for (const QString& path : m_unsaved.abandoned()) {
    auto kept = loadProject(path);
    if (!kept) continue;
    m_path.clear();
    adoptProject(std::move(*kept), false);
    autosave();
    // Removes the copy once this studio has one of its own.
    if (QFileInfo::exists(m_unsaved.path())) QFile::remove(path);
    statusBar()->showMessage(QStringLiteral("Restored the unsaved work of the last run"), 8000);
    return true;
  }
  return false;
}

void MainWindow::offerAbandoned() {
  if (m_unsaved.abandoned().isEmpty()) return;
  auto* box =
      new QMessageBox(QMessageBox::Question, QStringLiteral("Gridloom Studio"),
                      QStringLiteral("The studio ended without saving. Open that work instead?"),
                      QMessageBox::Open | QMessageBox::Ignore, this);
  box->setObjectName(QStringLiteral("abandonedBox"));
  box->setInformativeText(QStringLiteral("Ignored, it is kept and offered again."));
  box->setDefaultButton(QMessageBox::Open);
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(box, &QMessageBox::finished, this, [this](int answer) {
    if (answer == QMessageBox::Open && keepChanges()) restoreAbandoned();
  });
  box->open();
}

void MainWindow::newProject() {
  if (!keepChanges()) return;
  auto example = exampleProject();
  if (!example) return fail(example.diagnostics());
  m_path.clear();
  adoptProject(std::move(*example), true);
}

bool MainWindow::openProject(const QString& path) {
  auto project = loadProject(path);
  if (!project) {
    fail(project.diagnostics());
    return false;
  }
  m_path = path;
  m_settings.addRecentProject(path);
  refreshRecent();
  adoptProject(std::move(*project), true);
  return true;
}

void MainWindow::openDialog() {
  if (!keepChanges()) return;
  const QString path =
      QFileDialog::getOpenFileName(this, QStringLiteral("Open project"), {}, projectFilter());
  if (!path.isEmpty()) openProject(path);
}

bool MainWindow::saveProjectAs(const QString& path) {
  const auto saved = saveProject(m_session->project(), path);
  if (!saved.ok()) {
    fail(saved.errors);
    return false;
  }
  m_path = path;
  m_settings.addRecentProject(path);
  refreshRecent();
  m_saved = m_session->project();
  refreshTitle();
  statusBar()->showMessage(QStringLiteral("Saved %1").arg(path), 4000);
  return true;
}

bool MainWindow::save() { return m_path.isEmpty() ? saveDialog() : saveProjectAs(m_path); }

bool MainWindow::saveDialog() {
  const QString suggestion = m_path.isEmpty() ? m_session->project().kernelName + kEnding : m_path;
  const QString path = chosenPath(QStringLiteral("Save project"), suggestion, projectFilter());
  return !path.isEmpty() && saveProjectAs(path);
}

bool MainWindow::keepChanges() {
  if (!isWindowModified()) return true;
  QMessageBox box(QMessageBox::Question, QStringLiteral("Gridloom Studio"),
                  QStringLiteral("Save the changes to this project?"),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  if (answer == QMessageBox::Save) return save();
  return answer == QMessageBox::Discard;
}

void MainWindow::autosave() {
  if (!isWindowModified() || m_unsaved.path().isEmpty()) return;
  const auto saved = saveProject(m_session->project(), m_unsaved.path());
  if (!saved.ok()) statusBar()->showMessage(text(saved.errors.front().message), 8000);
}

void MainWindow::choosePreset(const QString& name, bool hardware) {
  const auto loaded = hardware ? texts::loadHardwareText(name.toStdString())
                               : texts::loadKernelText(name.toStdString());
  if (!loaded) return fail(loaded.diagnostics());
  if (hardware)
    m_session->setHardware(name, text((*loaded)->text()));
  else
    m_session->setKernel(name, text((*loaded)->text()));
}

void MainWindow::showProject() {
  const Project& project = m_session->project();
  m_hardware->replaceText(project.hardwareText);
  m_kernel->editor()->replaceText(project.kernelText);
  m_directives->editor()->replaceText(project.directives);
  const auto choose = [](QComboBox* box, const QString& name) {
    const QSignalBlocker quiet(box);
    box->setCurrentIndex(box->findText(name));
    if (box->currentIndex() < 0)
      box->setPlaceholderText(name.isEmpty() ? QStringLiteral("choose") : name);
  };
  choose(m_hardwareBox, project.hardwareName);
  choose(m_kernelBox, project.kernelName);
  const QSignalBlocker quietTop(m_topBox);
  m_topBox->setValue(project.top);
  const QSignalBlocker quietSimulate(m_simulateAction);
  m_simulateAction->setChecked(project.simulate);
}

}  // namespace gridloom::widgets
