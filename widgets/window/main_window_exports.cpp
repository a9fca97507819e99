// SPDX-License-Identifier: GPL-3.0-or-later

// Exports of results: only for the current inputs, and only results that pass the checks.

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>
#include <QMimeData>
#include <QProgressDialog>
#include <QStatusBar>
#include <QTimer>
#include <numeric>

#include "bridge/export_check.h"
#include "bridge/file_export.h"
#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "charts/figure_file.h"
#include "charts/scatter_plot.h"
#include "charts/waterfall_chart.h"
#include "models/project_script.h"
#include "models/quantity_text.h"
#include "models/ranked_csv.h"
#include "models/ranked_model.h"
#include "models/selection_hub.h"
#include "service/result_records.h"
#include "theme/tokens.h"
#include "window/charts_panel.h"
#include "window/inputs_panel.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"
#include "window/peak_panel.h"
#include "window/ranked_panel.h"

namespace gridloom::widgets {

namespace {

constexpr const char* kFigures = "SVG (*.svg);;PNG (*.png);;PDF (*.pdf)";
constexpr double kPeakWidth = 672;             // 7 inches
constexpr std::size_t kWrittenAtOnce = 20000;  // a longer table is written in the background
constexpr int kLongWait = 300;                 // milliseconds before the bar of an export shows
constexpr int kExportPoll = 100;               // milliseconds between looks at its progress

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
  base::Diagnostics findings = exploration->insane;
  for (const int candidate : candidates) {
    const auto at = static_cast<std::size_t>(candidate);
    const auto run = m_session->runOf(candidate);
    // What the model says of the others was checked when they were listed.
    if (at >= exploration->top.size() && !run) continue;
    for (base::Diagnostic& each :
         insaneFigures(candidate, service::rankedAt(*exploration, at), run.get()))
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

std::optional<MainWindow::Figure> MainWindow::meshFigure() {
  // A machine without a mapping is a result of its own.
  const bool bare = !m_mesh->showsMapping() && m_session->hardwareIsCurrent();
  if (!bare && !mayExport({m_hub->candidate()})) return std::nullopt;
  const MeshScene& scene = m_mesh->canvas()->scene();
  return Figure{meshFigureSize(scene), [this, &scene](QPainter& painter, const QRectF& area) {
                  paintMeshFigure(painter, area, scene, tokensFor(palette()), m_mesh->title());
                }};
}

std::optional<MainWindow::Figure> MainWindow::chartFigure() {
  const bool scatter = m_charts->current() == ChartsPanel::Scatter;
  if (!mayExport(scatter ? m_charts->scatter()->ids() : m_charts->barCandidates()))
    return std::nullopt;
  return Figure{QSizeF(900, 560), [this, scatter](QPainter& painter, const QRectF& area) {
                  const Tokens& tokens = tokensFor(palette());
                  if (!scatter)
                    return paintBreakdown(painter, area, m_charts->breakdowns(), tokens);
                  ScatterLook look = m_charts->scatter()->look();
                  look.hovered = -1;
                  paintScatter(painter, area, m_charts->scatter()->data(), tokens, look);
                }};
}

std::optional<MainWindow::Figure> MainWindow::peakFigure() {
  if (!mayExport({m_hub->candidate()})) return std::nullopt;
  const report::WaterfallRecord* waterfall = m_peak->waterfall();
  if (!waterfall) {
    fail({base::plainError("nothing is written: this mapping is not simulated",
                           "wait for its simulation, or switch simulation on")});
    return std::nullopt;
  }
  return Figure{QSizeF(kPeakWidth, waterfallFigureHeight(*waterfall)),
                [this, waterfall](QPainter& painter, const QRectF& area) {
                  paintWaterfallFigure(painter, area, *waterfall, tokensFor(palette()),
                                       m_mesh->title());
                }};
}

bool MainWindow::writeShown(const std::optional<Figure>& figure, const QString& path,
                            const QString& more) {
  if (!figure) return false;
  return reportExport(writeFigure(path, figure->size, figure->paint),
                      QStringLiteral("Wrote %1%2").arg(QFileInfo(path).fileName(), more));
}

bool MainWindow::exportMesh(const QString& path) {
  return writeShown(meshFigure(), path, QStringLiteral(": ") + m_mesh->title());
}

bool MainWindow::exportChart(const QString& path) { return writeShown(chartFigure(), path, {}); }

bool MainWindow::exportPeak(const QString& path) { return writeShown(peakFigure(), path, {}); }

/// Puts a figure into the clipboard as a file of that ending would hold it.
void MainWindow::copyFigure(const std::optional<Figure>& figure, const QString& ending) {
  if (!figure) return;
  const bool svg = ending == QLatin1String("svg");
  auto* copy = new QMimeData;
  const QByteArray bytes = figureBytes(ending, figure->size, figure->paint);
  copy->setData(svg ? QStringLiteral("image/svg+xml") : QStringLiteral("image/png"), bytes);
  if (svg) copy->setText(QString::fromUtf8(bytes));
  if (!svg) copy->setImageData(QImage::fromData(bytes, "PNG"));
  QGuiApplication::clipboard()->setMimeData(copy);
  statusBar()->showMessage(QStringLiteral("Copied as %1").arg(ending.toUpper()), 8000);
}

void MainWindow::buildCopyMenu(QMenu* edit) {
  QMenu* menu = edit->addMenu(QStringLiteral("Copy as p&icture"));
  struct View {
    const char* title;
    std::optional<Figure> (MainWindow::*figure)();
    QWidget* shown;
  };
  for (const View& view :
       {View{"Copy the mesh as %1", &MainWindow::meshFigure, m_mesh->canvas()},
        View{"Copy the chart as %1", &MainWindow::chartFigure, m_charts->scatter()},
        View{"Copy where the peak went as %1", &MainWindow::peakFigure, nullptr}}) {
    for (const char* ending : {"svg", "png"}) {
      const QString kind = QLatin1String(ending);
      QAction* made = action(menu, QString::fromLatin1(view.title).arg(kind.toUpper()), {});
      connect(made, &QAction::triggered, this,
              [this, kind, figure = view.figure] { copyFigure((this->*figure)(), kind); });
      if (view.shown) view.shown->addAction(made);
    }
  }
}

bool MainWindow::exportTable(const QString& path) {
  const RankedModel* model = m_ranked->model();
  if (!mayExport(model->shown())) return false;
  const QString what =
      QStringLiteral("%1: %2").arg(QFileInfo(path).fileName(), model->extentText());
  if (model->shown().size() <= kWrittenAtOnce)
    return reportExport(writeBytes(path, model->csv()), QStringLiteral("Wrote ") + what);
  exportInBackground(path, what, static_cast<std::int64_t>(model->shown().size()),
                     [rows = model->sharedRows(), shown = model->shown()](
                         base::Progress& progress) { return csvOf(*rows, shown, progress); });
  return true;
}

/// Writes a file in the background, with a bar over so many steps that can stop it; `what` is
/// written, for the bar and the status line.
void MainWindow::exportInBackground(const QString& path, const QString& what, std::int64_t steps,
                                    FileExport::Bytes bytes) {
  auto* job = new FileExport(this);
  auto* dialog = new QProgressDialog(QStringLiteral("Writing ") + what, QStringLiteral("Stop"), 0,
                                     static_cast<int>(steps), this);
  dialog->setObjectName(QStringLiteral("exportProgress"));
  dialog->setMinimumDuration(kLongWait);
  dialog->setAutoClose(false);
  dialog->setAutoReset(false);
  const auto end = [job, dialog] {
    dialog->deleteLater();
    job->deleteLater();
  };
  connect(dialog, &QProgressDialog::canceled, job, [job, end] {
    job->cancel();
    end();
  });
  connect(job, &FileExport::finished, this, [this, what, end](const base::Written& written) {
    end();
    reportExport(written, QStringLiteral("Wrote ") + what);
  });
  auto* poll = new QTimer(dialog);
  connect(poll, &QTimer::timeout, dialog,
          [job, dialog] { dialog->setValue(static_cast<int>(job->done())); });
  poll->start(kExportPoll);
  job->start(path, std::move(bytes));
}

/// What `gridloom explore --json` writes, with --no-timing: the same bytes for the same inputs,
/// where it does not run statements apart. In the background, as a long ranking has hundreds of
/// megabytes.
bool MainWindow::exportResult(const QString& path) {
  const service::ExplorationRef exploration = m_session->exploration();
  std::vector<int> written(exploration ? exploration->top.size() : 0);
  std::iota(written.begin(), written.end(), 0);
  if (!mayExport(written)) return false;
  exportInBackground(path, QFileInfo(path).fileName(), service::exportSteps(*exploration),
                     [exploration](base::Progress& progress) -> std::optional<QByteArray> {
                       const auto json = service::repeatableJsonOf(*exploration, progress);
                       if (!json) return std::nullopt;
                       return QByteArray::fromStdString(*json);
                     });
  return true;
}

bool MainWindow::exportScript(const QString& path) {
  const Project& project = m_session->project();
  ScriptInputs inputs;
  for (const auto& [name, value] : m_session->kernelValues()) {
    if (project.parameters.contains(QString::fromStdString(name)))
      inputs.settings.emplace_back(name, value);
  }
  inputs.mapping = m_directives->selectedMapping();
  return reportExport(writeBytes(path, scriptOf(project, inputs)),
                      QStringLiteral("Wrote %1").arg(QFileInfo(path).fileName()));
}

/// The part of the menu that writes files: a command for each, which asks where to.
void MainWindow::buildExportMenu(QMenu* file) {
  struct Export {
    const char *title, *shortcut, *icon, *question, *suggestion, *filter;
    bool (MainWindow::*write)(const QString&);
  };
  for (const Export& each :
       {Export{"Export &mesh…", "Ctrl+E", "export", "Export mesh", "mesh.svg", kFigures,
               &MainWindow::exportMesh},
        Export{"Export &chart…", "", "", "Export chart", "chart.svg", kFigures,
               &MainWindow::exportChart},
        Export{"Export where the &peak went…", "", "", "Export where the peak went", "peak.svg",
               kFigures, &MainWindow::exportPeak},
        Export{"Export t&imeline…", "", "", "Export timeline", "timeline.svg", kFigures,
               &MainWindow::exportTimeline},
        Export{"Export &table…", "Ctrl+Shift+E", "", "Export table", "mappings.csv", "CSV (*.csv)",
               &MainWindow::exportTable},
        Export{"Export result as &JSON…", "", "", "Export result", "result.json", "JSON (*.json)",
               &MainWindow::exportResult},
        Export{"E&xport as script…", "", "", "Export as script", "replay.sh",
               "Shell scripts (*.sh)", &MainWindow::exportScript}}) {
    const auto words = [](const char* utf8) { return QString::fromUtf8(utf8); };
    QAction* made = action(file, words(each.title), words(each.shortcut), words(each.icon));
    connect(made, &QAction::triggered, this, [this, each, words] {
      QString question = words(each.question);
      if (each.write == &MainWindow::exportTable)
        question += QStringLiteral(": ") + m_ranked->model()->extentText();
      const QString path = chosenPath(question, words(each.suggestion), words(each.filter));
      if (!path.isEmpty()) (this->*each.write)(path);
    });
  }
}

}  // namespace gridloom::widgets
