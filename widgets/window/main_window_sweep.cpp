// SPDX-License-Identifier: GPL-3.0-or-later

// Numbers of the machine or the kernel, varied over a range.

#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QStatusBar>

#include "bridge/session.h"
#include "bridge/sweep.h"
#include "theme/tokens.h"
#include "window/main_window.h"
#include "window/sweep_panel.h"

namespace gridloom::widgets {

namespace {

constexpr int kHeightForChart = 320;   // of the panel
constexpr double kFigureHeight = 1.5;  // of the least height of the chart

base::Diagnostics noSweep() {
  return {base::plainError("nothing is written: there is no sweep yet",
                           "choose a number and a range in the panel *Sweep*, and run")};
}

}  // namespace

void MainWindow::showSweep() {
  QDockWidget* dock = m_docks[SweepDock];
  dock->show();
  dock->raise();
  const int height = std::min(kHeightForChart, this->height() * 45 / 100);
  if (!dock->isFloating() && dock->height() < height) resizeDocks({dock}, {height}, Qt::Vertical);
  m_sweep->field(0).parameter->setFocus();
}

void MainWindow::openSweepPoint(const Project& project, const QString& title) {
  m_session->openProblem(project, title);
  statusBar()->showMessage(QStringLiteral("Opened %1; Ctrl+Z goes back").arg(title), 8000);
}

std::optional<Figure> MainWindow::sweepFigure() {
  const auto& chart = m_sweep->chart()->chart();
  if (!chart) {
    fail(noSweep());
    return std::nullopt;
  }
  // In the window, it takes the room that there is.
  const double height = chart->height(QFont(), m_figureWidth) * kFigureHeight;
  return Figure{QSizeF(m_figureWidth, height),
                [this, chart](QPainter& painter, const QRectF& area) {
                  chart->paint(painter, area, tokensFor(palette()));
                }};
}

bool MainWindow::exportSweep(const QString& path) {
  const Sweep* sweep = m_sweep->sweep();
  const int done = sweep->done(), count = static_cast<int>(sweep->points().size());
  QString name = QStringLiteral("Wrote ") + QFileInfo(path).fileName();
  if (done < count) name += QStringLiteral(": %1 of %2 points").arg(done).arg(count);
  if (QFileInfo(path).suffix().toLower() == QLatin1String("csv")) {
    const QByteArray rows = m_sweep->csv();
    if (rows.isEmpty()) {
      fail(noSweep());
      return false;
    }
    return reportExport(writeBytes(path, rows), name);
  }
  const auto figure = sweepFigure();
  return figure && reportExport(writeFigure(path, figure->size, figure->paint), name);
}

}  // namespace gridloom::widgets
