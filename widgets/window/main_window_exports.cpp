// SPDX-License-Identifier: GPL-3.0-or-later

// Exports of results: only for the current inputs, and only results that pass the checks.

#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QMenu>
#include <QMessageBox>
#include <QProgressDialog>
#include <QPushButton>
#include <QStatusBar>
#include <QTimer>
#include <QTreeView>
#include <algorithm>
#include <numeric>

#include "bridge/export_check.h"
#include "bridge/file_export.h"
#include "bridge/session.h"
#include "charts/figure_file.h"
#include "models/project_script.h"
#include "models/quantity_text.h"
#include "models/ranked_csv.h"
#include "models/ranked_model.h"
#include "models/selection_hub.h"
#include "service/result_records.h"
#include "theme/tokens.h"
#include "window/main_window.h"
#include "window/ranked_panel.h"

namespace gridloom::widgets {

namespace {

constexpr const char* kFigures = "SVG (*.svg);;PNG (*.png);;PDF (*.pdf)";
constexpr const char* kTables = "CSV (*.csv)";
constexpr const char* kSweeps = "SVG (*.svg);;PNG (*.png);;PDF (*.pdf);;CSV (*.csv)";
constexpr int kLongWait = 300;          // milliseconds before the bar of an export shows
constexpr QSize kFileDialog{820, 520};  // dates are seen whole
constexpr int kExportPoll = 100;        // milliseconds between looks at its progress

}  // namespace

QString MainWindow::chosenPath(const QString& title, const QString& suggestion,
                               const QString& filter) {
  QFileDialog dialog(this, title, {}, filter);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.selectFile(suggestion);
  dialog.resize(kFileDialog);
  if (auto* list = dialog.findChild<QTreeView*>()) list->header()->setStretchLastSection(true);
  if (dialog.exec() != QDialog::Accepted) return {};
  const QString used = dialog.selectedNameFilter();
  QString path = dialog.selectedFiles().value(0);
  if (path.isEmpty() || !QFileInfo(path).suffix().isEmpty()) return path;
  const qsizetype star = used.indexOf(QLatin1String("*."));
  return star < 0 ? path
                  : path + used.mid(star + 1, used.indexOf(QLatin1Char(')'), star) - star - 1);
}

bool MainWindow::mayExport(const std::vector<int>& candidates) {
  const auto& exploration = m_session->exploration();
  if (!exploration || m_session->stale()) {
    const QString reason = m_session->staleReason();
    fail(nothingExported("there is no result of these inputs" +
                             (reason.isEmpty() ? std::string(" yet") : ": " + reason.toStdString()),
                         reason.isEmpty() ? "wait until the search has ended"
                                          : "fix the inputs and search again"));
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

/// An export of what is shown now, for the record once it is written.
Action MainWindow::exportAction(Action::Kind kind, const QString& path,
                                const QString& chart) const {
  const QString file = QFileInfo(path).fileName();
  Action done =
      m_session->actionNow(kind, QStringLiteral("export of ") + file, m_hub->candidate(), file);
  done.chart = chart;
  done.width = m_figureWidth;
  done.dark = tokensFor(palette()).dark;
  return done;
}

bool MainWindow::recordExport(const base::Written& written, const QString& what, Action action) {
  const bool ok = reportExport(written, QStringLiteral("Wrote ") + what);
  if (ok) m_session->recordAction(std::move(action));
  return ok;
}

bool MainWindow::exportTable(const QString& path) {
  const RankedModel* model = m_ranked->model();
  if (!mayExport(model->shown())) return false;
  Action done = exportAction(Action::Kind::Table, path);
  const QString what =
      QStringLiteral("%1: %2").arg(QFileInfo(path).fileName(), model->extentText());
  if (model->shown().size() <= kMostRowsAtOnce)
    return recordExport(writeBytes(path, model->csv()), what, std::move(done));
  exportInBackground(path, what, std::move(done), static_cast<std::int64_t>(model->shown().size()),
                     [rows = model->sharedRows(), shown = model->shown()](
                         base::Progress& progress) { return csvOf(*rows, shown, progress); });
  return true;
}

/// Writes a file in the background, with a bar over so many steps that can stop it; `what` is
/// written, for the bar and the status line, and `done` is recorded when it is.
void MainWindow::exportInBackground(const QString& path, const QString& what, Action done,
                                    std::int64_t steps, FileExport::Bytes bytes) {
  auto* job = new FileExport(this);
  auto* dialog = new QProgressDialog(QStringLiteral("Writing ") + what, QStringLiteral("Stop"), 0,
                                     static_cast<int>(steps), this);
  dialog->setObjectName(QStringLiteral("exportProgress"));
  dialog->setMinimumDuration(kLongWait);
  dialog->setAutoClose(false);
  dialog->setAutoReset(false);
  connect(dialog, &QProgressDialog::canceled, job, [job, dialog] {
    job->cancel();
    dialog->deleteLater();
  });
  // Deleted earlier, the job would hold up this thread until its own has ended.
  connect(job, &FileExport::finished, job, &QObject::deleteLater);
  connect(job, &FileExport::stopped, job, &QObject::deleteLater);
  connect(job, &QObject::destroyed, dialog, &QObject::deleteLater);
  connect(job, &FileExport::finished, this,
          [this, what, done = std::move(done),
           record = m_session->actions().number()](const base::Written& written) {
            if (record == m_session->actions().number())
              recordExport(written, what, done);
            else
              reportExport(written, QStringLiteral("Wrote ") + what);
          });
  connect(job, &FileExport::stopped, this, [this, path] {
    statusBar()->showMessage(QStringLiteral("Did not write ") + QFileInfo(path).fileName(), 8000);
  });
  auto* poll = new QTimer(dialog);
  connect(poll, &QTimer::timeout, dialog,
          [job, dialog] { dialog->setValue(static_cast<int>(job->done())); });
  poll->start(kExportPoll);
  job->start(path, std::move(bytes));
}

/// Whether the window may close: no file is being written, or its export may be stopped.
bool MainWindow::endExports() {
  const auto jobs = findChildren<FileExport*>();
  if (std::ranges::none_of(jobs, &FileExport::isRunning)) return true;
  QMessageBox box(QMessageBox::Question, QStringLiteral("Gridloom Studio"),
                  QStringLiteral("An export is still being written. Stop it, and close?"),
                  QMessageBox::Discard | QMessageBox::Cancel, this);
  box.button(QMessageBox::Discard)->setText(QStringLiteral("Stop and close"));
  box.setDefaultButton(QMessageBox::Cancel);
  return box.exec() == QMessageBox::Discard;
}

/// What `gridloom explore --json` writes, with --no-timing: the same bytes for the same inputs. In
/// the background, as a long ranking has hundreds of megabytes.
bool MainWindow::exportResult(const QString& path) {
  const service::ExplorationRef exploration = m_session->exploration();
  std::vector<int> written(exploration ? exploration->top.size() : 0);
  std::iota(written.begin(), written.end(), 0);
  if (!mayExport(written)) return false;
  exportInBackground(path, QFileInfo(path).fileName(), exportAction(Action::Kind::Result, path),
                     service::exportSteps(*exploration),
                     [exploration](base::Progress& progress) -> std::optional<QByteArray> {
                       const auto json = service::repeatableJsonOf(*exploration, progress);
                       if (!json) return std::nullopt;
                       return QByteArray::fromStdString(*json);
                     });
  return true;
}

bool MainWindow::exportScript(const QString& path) {
  return reportExport(writeBytes(path, scriptOf(m_session->scriptInputs(m_hub->candidate()))),
                      QStringLiteral("Wrote ") + QFileInfo(path).fileName());
}

bool MainWindow::exportActions(const QString& path) {
  const auto shown = m_session->scriptInputs(m_hub->candidate());
  const auto count = static_cast<double>(m_session->actions().actions().size());
  return reportExport(
      writeBytes(path, scriptOf(m_session->actions(), shown)),
      QStringLiteral("Wrote %1: %2 actions").arg(QFileInfo(path).fileName(), countText(count)));
}

/// The part of the menu that writes files: a command for each, which asks where to.
void MainWindow::buildExportMenu(QMenu* file) {
  addFigureWidths(file);
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
        Export{"Export measure&d figures…", "", "", "Export measured figures", "measured.svg",
               kFigures, &MainWindow::exportMeasured},
        Export{"Export s&weep…", "", "", "Export sweep", "sweep.svg", kSweeps,
               &MainWindow::exportSweep},
        Export{"Export &table…", "Ctrl+Shift+E", "", "Export table", "mappings.csv", kTables,
               &MainWindow::exportTable},
        Export{"Export result as &JSON…", "", "", "Export result", "result.json", "JSON (*.json)",
               &MainWindow::exportResult},
        Export{"E&xport as script…", "", "", "Export as script", "replay.sh",
               "Shell scripts (*.sh)", &MainWindow::exportScript},
        Export{"&Export actions as script…", "", "", "Export actions as script", "actions.sh",
               "Shell scripts (*.sh)", &MainWindow::exportActions}}) {
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
