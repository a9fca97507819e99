// SPDX-License-Identifier: GPL-3.0-or-later

// Numbers of the machine or the kernel, varied over a range.

#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QStatusBar>

#include "bridge/export_check.h"
#include "bridge/session.h"
#include "bridge/sweep.h"
#include "models/quantity_text.h"
#include "sweep/vary.h"
#include "theme/tokens.h"
#include "window/main_window.h"
#include "window/sweep_field.h"
#include "window/sweep_panel.h"

namespace gridloom::widgets {

namespace {

constexpr int kHeightForChart = 320;  // of the panel

base::Diagnostics noSweep() {
  return nothingExported("there is no sweep yet",
                         "choose a number and a range in the panel *Sweep*, and run");
}

}  // namespace

void MainWindow::showSweep() {
  QDockWidget* dock = m_docks[SweepDock];
  dock->show();
  dock->raise();
  const int height = std::min(kHeightForChart, this->height() * 45 / 100);
  if (!dock->isFloating() && dock->height() < height) resizeDocks({dock}, {height}, Qt::Vertical);
  m_sweep->field(0)->parameter()->setFocus();
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
  const SweepChart figure = sweepChart(m_sweep->sweep()->record(), tokensFor(palette()));
  const double height = sweepFigureHeight(QFont(), m_figureWidth, figure);
  return Figure{QSizeF(m_figureWidth, height),
                [this, chart](QPainter& painter, const QRectF& area) {
                  chart->paint(painter, area, tokensFor(palette()));
                }};
}

/// A step with the sweep that is shown, for the record.
Action MainWindow::sweepAction(Action::Kind kind, const QString& title, const QString& file) const {
  Action done = m_session->actionNow(kind, title, -1, file);
  done.inputs.project = m_sweep->sweep()->project();
  for (const SweepAxis& axis : m_sweep->sweep()->axes()) done.vary << text(sweep::varyText(axis));
  done.width = m_figureWidth;
  done.dark = tokensFor(palette()).dark;
  return done;
}

void MainWindow::recordSweep() {
  QStringList names;
  for (const SweepAxis& axis : m_sweep->sweep()->axes()) names << text(axis.parameter.title);
  m_session->recordAction(sweepAction(
      Action::Kind::Sweep, QStringLiteral("sweep of ") + names.join(QStringLiteral(" and ")), {}));
}

bool MainWindow::exportSweep(const QString& path) {
  const Sweep* sweep = m_sweep->sweep();
  const int done = sweep->done(), count = static_cast<int>(sweep->points().size());
  QString name = QStringLiteral("Wrote ") + QFileInfo(path).fileName();
  if (done < count) name += QStringLiteral(": %1 of %2 points").arg(done).arg(count);
  const QString file = QFileInfo(path).fileName();
  const QString title = QStringLiteral("export of ") + file;
  const auto record = [&](const base::Written& written, Action::Kind kind) {
    const bool ok = reportExport(written, name);
    if (ok) m_session->recordAction(sweepAction(kind, title, file));
    return ok;
  };
  if (QFileInfo(path).suffix().toLower() == QLatin1String("csv")) {
    const QByteArray rows = m_sweep->csv();
    if (!rows.isEmpty()) return record(writeBytes(path, rows), Action::Kind::SweepTable);
    fail(noSweep());
    return false;
  }
  const auto figure = sweepFigure();
  return figure &&
         record(writeFigure(path, figure->size, figure->paint), Action::Kind::SweepFigure);
}

}  // namespace gridloom::widgets
