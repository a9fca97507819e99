// SPDX-License-Identifier: GPL-3.0-or-later

// Measurements of the user's own.

#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QStatusBar>

#include "bridge/export_check.h"
#include "bridge/measurements.h"
#include "bridge/session.h"
#include "charts/figure_file.h"
#include "charts/scatter_plot.h"
#include "models/quantity_text.h"
#include "theme/tokens.h"
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

std::optional<Figure> MainWindow::measuredFigure() {
  if (m_measured->scatter()->data().points.empty()) {
    fail(nothingExported("no measured figures are shown",
                         "open a file with *File > Open measurements*"));
    return std::nullopt;
  }
  const double width = m_figureWidth;
  return Figure{QSizeF(width, scatterFigureHeight(width)),
                [this](QPainter& painter, const QRectF& area) {
                  ScatterData shown = m_measured->scatter()->data();
                  shown.caption = m_measured->errors();
                  ScatterLook look = m_measured->scatter()->look();
                  look.hovered = -1;
                  paintScatterFigure(painter, area, shown, tokensFor(palette()), look,
                                     QFileInfo(m_measurements->path()).fileName());
                }};
}

/// A script of actions has no command that draws it.
bool MainWindow::exportMeasured(const QString& path) {
  const auto figure = measuredFigure();
  return figure && reportExport(writeFigure(path, figure->size, figure->paint),
                                QStringLiteral("Wrote ") + QFileInfo(path).fileName());
}

void MainWindow::openMeasuredRow(const RowSettings& row, const QString& name) {
  auto problem = problemOf(row, m_session->project());
  if (!problem) return fail(problem.diagnostics());
  m_session->openProblem(*std::move(problem), QStringLiteral("opening of %1").arg(name));
  statusBar()->showMessage(QStringLiteral("Opened %1; Ctrl+Z goes back").arg(name), 8000);
}

}  // namespace gridloom::widgets
