// SPDX-License-Identifier: GPL-3.0-or-later

// Measurements of the user's own.

#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QStatusBar>

#include "bridge/measurements.h"
#include "bridge/session.h"
#include "models/quantity_text.h"
#include "window/main_window.h"
#include "window/measured_panel.h"

namespace gridloom::widgets {

namespace {

constexpr int kHeightForRows = 300;  // of the panel: the plot has ticks, and some rows are visible

}  // namespace

void MainWindow::connectMeasurements() {
  connect(m_measured, &MeasuredPanel::fileWanted, this, &MainWindow::openMeasurementsDialog);
  connect(m_measured, &MeasuredPanel::problemWanted, this, &MainWindow::openMeasuredRow);
  connect(m_measurements, &Measurements::changed, this, [this] {
    const std::size_t faults = m_measurements->problems().size();
    const QString name = QFileInfo(m_measurements->path()).fileName();
    statusBar()->showMessage(faults > 0
                                 ? QStringLiteral("%1 has no result: %2")
                                       .arg(name, text(m_measurements->problems().front().message))
                                 : QStringLiteral("Ran every row of %1").arg(name),
                             8000);
  });
}

void MainWindow::openMeasurements(const QString& path) {
  QDockWidget* dock = m_docks[MeasuredDock];
  dock->show();
  dock->raise();
  const int height = std::min(kHeightForRows, this->height() * 45 / 100);
  if (!dock->isFloating() && dock->height() < height) resizeDocks({dock}, {height}, Qt::Vertical);
  m_measurements->open(path);
}

void MainWindow::openMeasurementsDialog() {
  const QString path =
      QFileDialog::getOpenFileName(this, QStringLiteral("Open measurements"), {},
                                   QStringLiteral("Measurements (*.csv *.study);;All files (*)"));
  if (!path.isEmpty()) openMeasurements(path);
}

void MainWindow::openMeasuredRow(const RowSettings& row, const QString& name) {
  auto problem = problemOf(row, m_session->project());
  if (!problem) return fail(problem.diagnostics());
  m_session->openProblem(*std::move(problem), QStringLiteral("opening of %1").arg(name));
  statusBar()->showMessage(QStringLiteral("Opened %1; Ctrl+Z goes back").arg(name), 8000);
}

}  // namespace gridloom::widgets
