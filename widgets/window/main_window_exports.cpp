// SPDX-License-Identifier: GPL-3.0-or-later

// Exports of results: only for the current inputs, and only results that pass the checks.

#include <QFileDialog>
#include <QFileInfo>
#include <QStatusBar>
#include <set>

#include "bridge/export_check.h"
#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "charts/figure_file.h"
#include "charts/scatter_plot.h"
#include "charts/waterfall_chart.h"
#include "models/quantity_text.h"
#include "models/ranked_model.h"
#include "models/selection_hub.h"
#include "theme/tokens.h"
#include "window/charts_panel.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"
#include "window/peak_panel.h"
#include "window/result_panels.h"

namespace gridloom::widgets {

namespace {

constexpr double kPeakWidth = 672;  // 7 inches

}  // namespace

QString MainWindow::chosenPath(const QString& title, const QString& suggestion,
                               const QString& filter) {
  QString used;
  QString path = QFileDialog::getSaveFileName(this, title, suggestion, filter, &used);
  if (path.isEmpty() || !QFileInfo(path).suffix().isEmpty()) return path;
  const qsizetype star = used.indexOf(QLatin1String("*."));
  return star < 0 ? path
                  : path + used.mid(star + 1, used.indexOf(QLatin1Char(')'), star) - star - 1);
}

bool MainWindow::mayExport(const std::vector<int>& candidates) {
  const auto& exploration = m_session->exploration();
  if (!exploration || m_session->stale()) {
    const QString reason = m_session->staleReason();
    fail({base::plainError(
        "nothing is written: there is no result of these inputs" +
            (reason.isEmpty() ? std::string(" yet") : ": " + reason.toStdString()),
        reason.isEmpty() ? "wait until the search has ended" : "fix the inputs and search again")});
    return false;
  }
  base::Diagnostics findings;
  for (const int candidate : candidates) {
    for (base::Diagnostic& each :
         insaneFigures(candidate, exploration->top[static_cast<std::size_t>(candidate)],
                       m_session->runOf(candidate).get()))
      findings.push_back(std::move(each));
  }
  if (findings.empty()) return true;
  fail(findings);
  return false;
}

bool MainWindow::reportExport(const base::Written& written, const QString& what) {
  if (!written.ok())
    fail(written.errors);
  else
    statusBar()->showMessage(what, 8000);
  return written.ok();
}

bool MainWindow::exportMesh(const QString& path) {
  // A machine without a mapping is a result of its own.
  const bool bare = !m_mesh->showsMapping() && m_session->hardwareIsCurrent();
  if (!bare && !mayExport({m_hub->candidate()})) return false;
  const Tokens& tokens = tokensFor(palette());
  const MeshScene& scene = m_mesh->canvas()->scene();
  const auto written =
      writeFigure(path, meshFigureSize(scene), [&](QPainter& painter, const QRectF& area) {
        paintMeshFigure(painter, area, scene, tokens, m_mesh->title());
      });
  return reportExport(
      written, QStringLiteral("Wrote %1: %2").arg(QFileInfo(path).fileName(), m_mesh->title()));
}

bool MainWindow::exportChart(const QString& path) {
  const bool scatter = m_charts->current() == ChartsPanel::Scatter;
  if (!mayExport(scatter ? m_charts->scatter()->ids() : m_charts->barCandidates())) return false;
  const Tokens& tokens = tokensFor(palette());
  const auto written =
      writeFigure(path, QSizeF(900, 560), [&](QPainter& painter, const QRectF& area) {
        if (scatter) {
          ScatterLook look = m_charts->scatter()->look();
          look.hovered = -1;
          paintScatter(painter, area, m_charts->scatter()->data(), tokens, look);
        } else {
          paintBreakdown(painter, area, m_charts->breakdowns(), tokens);
        }
      });
  return reportExport(written, QStringLiteral("Wrote %1").arg(QFileInfo(path).fileName()));
}

bool MainWindow::exportPeak(const QString& path) {
  if (!mayExport({m_hub->candidate()})) return false;
  const report::WaterfallRecord* waterfall = m_peak->waterfall();
  if (!waterfall) {
    fail({base::plainError("nothing is written: this mapping is not simulated",
                           "wait for its simulation, or switch simulation on")});
    return false;
  }
  const Tokens& tokens = tokensFor(palette());
  const auto written =
      writeFigure(path, QSizeF(kPeakWidth, waterfallFigureHeight(*waterfall)),
                  [&](QPainter& painter, const QRectF& area) {
                    paintWaterfallFigure(painter, area, *waterfall, tokens, m_mesh->title());
                  });
  return reportExport(written, QStringLiteral("Wrote %1").arg(QFileInfo(path).fileName()));
}

bool MainWindow::exportTable(const QString& path) {
  const RankedModel* model = m_ranked->model();
  if (!mayExport(model->shown())) return false;
  return reportExport(
      writeBytes(path, model->csv()),
      QStringLiteral("Wrote %1: %2").arg(QFileInfo(path).fileName(), model->extentText()));
}

void MainWindow::exportMeshDialog() {
  const QString path =
      chosenPath(QStringLiteral("Export mesh"), QStringLiteral("mesh.svg"), figureFilter());
  if (!path.isEmpty()) exportMesh(path);
}

void MainWindow::exportChartDialog() {
  const QString path =
      chosenPath(QStringLiteral("Export chart"), QStringLiteral("chart.svg"), figureFilter());
  if (!path.isEmpty()) exportChart(path);
}

void MainWindow::exportPeakDialog() {
  const QString path = chosenPath(QStringLiteral("Export where the peak went"),
                                  QStringLiteral("peak.svg"), figureFilter());
  if (!path.isEmpty()) exportPeak(path);
}

void MainWindow::exportTableDialog() {
  const QString path =
      chosenPath(QStringLiteral("Export table: %1").arg(m_ranked->model()->extentText()),
                 QStringLiteral("mappings.csv"), QStringLiteral("CSV (*.csv)"));
  if (!path.isEmpty()) exportTable(path);
}

}  // namespace gridloom::widgets
