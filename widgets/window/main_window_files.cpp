// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QStatusBar>

#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "charts/figure_file.h"
#include "charts/scatter_plot.h"
#include "models/quantity_text.h"
#include "models/ranked_model.h"
#include "models/selection_hub.h"
#include "service/result_records.h"
#include "theme/tokens.h"
#include "window/charts_panel.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"
#include "window/result_panels.h"

namespace gridloom::widgets {

namespace {

const QString kEnding = QStringLiteral(".gridloom");

QString projectFilter() { return QStringLiteral("Gridloom projects (*.gridloom)"); }

/// The chosen path, with the ending of the chosen filter when it has none.
QString chosenPath(QWidget* parent, const QString& title, const QString& suggestion,
                   const QString& filter) {
  QString used;
  QString path = QFileDialog::getSaveFileName(parent, title, suggestion, filter, &used);
  if (path.isEmpty() || !QFileInfo(path).suffix().isEmpty()) return path;
  const qsizetype star = used.indexOf(QLatin1String("*."));
  return star < 0 ? path
                  : path + used.mid(star + 1, used.indexOf(QLatin1Char(')'), star) - star - 1);
}

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

void MainWindow::setDirty(bool dirty) {
  m_dirty = dirty;
  refreshTitle();
}

void MainWindow::refreshTitle() {
  const QString name =
      m_path.isEmpty() ? QStringLiteral("untitled") : QFileInfo(m_path).completeBaseName();
  setWindowTitle(QStringLiteral("%1[*] – Gridloom Studio").arg(name));
  setWindowModified(m_dirty);
}

void MainWindow::openFirst() {
  if (restoreAbandoned()) return;
  auto example = exampleProject();
  if (!example) {
    fail(example.diagnostics());
    return;
  }
  m_session->setProject(std::move(*example));
  setDirty(false);
}

bool MainWindow::restoreAbandoned() {
  for (const QString& path : m_unsaved.abandoned()) {
    auto kept = loadProject(path);
    if (!kept) continue;
    m_path.clear();
    m_session->setProject(std::move(*kept));
    setDirty(true);
    autosave();
    // The copy goes once this studio has one of its own.
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
  m_session->setProject(std::move(*example));
  setDirty(false);
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
  m_session->setProject(std::move(*project));
  setDirty(false);
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
  m_unsaved.forget();
  setDirty(false);
  statusBar()->showMessage(QStringLiteral("Saved %1").arg(path), 4000);
  return true;
}

bool MainWindow::save() { return m_path.isEmpty() ? saveDialog() : saveProjectAs(m_path); }

bool MainWindow::saveDialog() {
  const QString suggestion = m_path.isEmpty() ? m_session->project().kernelName + kEnding : m_path;
  const QString path =
      chosenPath(this, QStringLiteral("Save project"), suggestion, projectFilter());
  return !path.isEmpty() && saveProjectAs(path);
}

bool MainWindow::keepChanges() {
  if (!m_dirty) return true;
  QMessageBox box(QMessageBox::Question, QStringLiteral("Gridloom Studio"),
                  QStringLiteral("Save the changes to this project?"),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  if (answer == QMessageBox::Save) return save();
  return answer == QMessageBox::Discard;
}

void MainWindow::autosave() {
  if (!m_dirty || m_unsaved.path().isEmpty()) return;
  const auto saved = saveProject(m_session->project(), m_unsaved.path());
  if (!saved.ok()) statusBar()->showMessage(text(saved.errors.front().message), 8000);
}

/// A result that contradicts itself is not exported.
bool MainWindow::isSane() {
  const auto& exploration = m_session->exploration();
  base::Diagnostics findings =
      exploration ? service::checkSanity(*exploration) : base::Diagnostics{};
  const auto run = m_session->runOf(m_hub->candidate());
  if (findings.empty() && run) findings = service::checkSanity(*run);
  if (!findings.empty()) fail(findings);
  return findings.empty();
}

bool MainWindow::exportMesh(const QString& path) {
  if (!isSane()) return false;
  const Tokens& tokens = tokensFor(palette());
  const MeshScene& scene = m_mesh->canvas()->scene();
  const auto written =
      writeFigure(path, meshFigureSize(scene), [&](QPainter& painter, const QRectF& area) {
        paintMeshFigure(painter, area, scene, tokens, m_mesh->title());
      });
  if (!written.ok()) fail(written.errors);
  return written.ok();
}

bool MainWindow::exportChart(const QString& path) {
  if (!isSane()) return false;
  const Tokens& tokens = tokensFor(palette());
  const auto written =
      writeFigure(path, QSizeF(900, 560), [&](QPainter& painter, const QRectF& area) {
        if (m_charts->current() == ChartsPanel::Scatter) {
          paintScatter(painter, area, m_charts->scatter()->data(), tokens, m_hub->candidate(), -1);
        } else {
          paintBreakdown(painter, area, m_charts->breakdowns(), tokens);
        }
      });
  if (!written.ok()) fail(written.errors);
  return written.ok();
}

bool MainWindow::exportTable(const QString& path) {
  if (!isSane()) return false;
  const auto written = writeBytes(path, m_ranked->model()->csv());
  if (!written.ok()) fail(written.errors);
  return written.ok();
}

void MainWindow::exportMeshDialog() {
  const QString path =
      chosenPath(this, QStringLiteral("Export mesh"), QStringLiteral("mesh.svg"), figureFilter());
  if (!path.isEmpty()) exportMesh(path);
}

void MainWindow::exportChartDialog() {
  const QString path =
      chosenPath(this, QStringLiteral("Export chart"), QStringLiteral("chart.svg"), figureFilter());
  if (!path.isEmpty()) exportChart(path);
}

void MainWindow::exportTableDialog() {
  const QString path = chosenPath(this, QStringLiteral("Export table"),
                                  QStringLiteral("mappings.csv"), QStringLiteral("CSV (*.csv)"));
  if (!path.isEmpty()) exportTable(path);
}

void MainWindow::choosePreset(const QString& name, bool hardware) {
  const auto loaded = hardware ? service::loadHardwareText(name.toStdString())
                               : service::loadKernelText(name.toStdString());
  if (!loaded) return fail(loaded.diagnostics());
  if (hardware)
    m_session->setHardware(name, text((*loaded)->text()));
  else
    m_session->setKernel(name, text((*loaded)->text()));
}

}  // namespace gridloom::widgets
