// SPDX-License-Identifier: Apache-2.0

// What the studio writes for others: files, pictures in the clipboard, scripts.

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QProcess>
#include <QProgressDialog>
#include <QPushButton>
#include <QSignalSpy>
#include <QStatusBar>
#include <QThread>
#include <QTimer>
#include <algorithm>
#include <numeric>

#include "bridge/export_check.h"
#include "bridge/file_export.h"
#include "canvas/mesh_canvas.h"
#include "models/ranked_csv.h"
#include "models/ranked_model.h"
#include "studio_window.h"
#include "suites.h"
#include "window/mesh_panel.h"
#include "window/ranked_panel.h"

using namespace gridloom;
using namespace gridloom::widgets;

namespace {

/// The window's ranking, as JSON, is that of the command.
void compareWithCommand(const StudioWindow& studio, const QString& kernel) {
  QVERIFY(studio->exportResult(studio.path("studio.json")));
  QTRY_VERIFY(studio->statusBar()->currentMessage().startsWith(QStringLiteral("Wrote studio")));
  const QString file = studio.path("command.json");
  QStringList words{"explore", "-H", "wormhole_8x8", "-K", kernel, "--top", "4"};
  for (const char* size : {"M=1024", "N=1024", "K=1024"}) words << "--set" << size;
  QProcess command;
  command.start(QStringLiteral(GRIDLOOM_COMMAND), words << "--no-timing"
                                                        << "--json" << file);
  QVERIFY(command.waitForFinished(StudioWindow::kPatience));
  QCOMPARE(command.exitCode(), 0);
  QFile ours(studio.path("studio.json")), theirs(file);
  QVERIFY(ours.open(QIODevice::ReadOnly) && theirs.open(QIODevice::ReadOnly));
  const QByteArray bytes = ours.readAll();
  QVERIFY(bytes.size() > 1000);
  QVERIFY(bytes == theirs.readAll());
}

}  // namespace

class ExportTests : public QObject {
  Q_OBJECT

 private:
  static void closeMessages(const StudioWindow& studio) {
    for (QMessageBox* box : studio->findChildren<QMessageBox*>()) box->close();
  }

 private Q_SLOTS:
  /// A long table is written off this thread: whole, or, when it is stopped, not at all.
  void aLongTableIsWrittenInTheBackground() {
    constexpr std::size_t kRows = 60000;
    RankedRow row;
    row.mapping = QStringLiteral("i->x | i64 | for k | A direct");
    row.predicted = 1234.5;
    auto rows = std::make_shared<const RankedRows>(std::vector<RankedRow>(kRows, row));
    std::vector<int> shown(kRows);
    std::iota(shown.begin(), shown.end(), 0);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("long.csv"));
    FileExport job;
    const auto csv = [&](base::Progress& progress) { return csvOf(*rows, shown, progress); };
    int answers = 0;
    base::Written written;
    connect(&job, &FileExport::finished, &job, [&](const base::Written& answer) {
      ++answers;
      written = answer;
    });
    job.start(path, csv);
    QVERIFY(job.isRunning());
    QSignalSpy stopped(&job, &FileExport::stopped);
    job.cancel();
    QTRY_COMPARE(stopped.size(), 1);
    QCOMPARE(answers, 0);
    QVERIFY2(QDir(folder.path()).isEmpty(), "nothing is left of a stopped export");
    job.start(path, csv);
    QTRY_COMPARE_WITH_TIMEOUT(answers, 1, StudioWindow::kPatience);
    QVERIFY(written.ok());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(static_cast<std::size_t>(file.readAll().count('\n')), kRows + 1);
    base::Progress progress;
    progress.cancel();
    QVERIFY(!csvOf(*rows, shown, progress));
    job.start(folder.filePath(QStringLiteral("no/such/folder.csv")), csv);
    QTRY_COMPARE_WITH_TIMEOUT(answers, 2, StudioWindow::kPatience);
    QVERIFY(!written.ok());
  }

  /// A stop while blocks are written leaves what was there.
  void aStoppedFileIsNotReplaced() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("kept.csv"));
    QVERIFY(writeBytes(path, "kept").ok());
    base::Progress progress;
    QVERIFY(writeBlocks(path, QByteArray(5 << 20, 'x'), progress).ok());
    QCOMPARE(QFileInfo(path).size(), 5 << 20);
    progress.cancel();
    QVERIFY(!writeBlocks(path, QByteArray(7 << 20, 'x'), progress).ok());
    QCOMPARE(QFileInfo(path).size(), 5 << 20);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
  }

  void figuresAreCopied() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    const auto copied = [&](const QString& title) {
      QGuiApplication::clipboard()->clear();
      for (QAction* each : studio->findChildren<QAction*>()) {
        if (each->text() == title) each->trigger();
      }
      return QGuiApplication::clipboard()->mimeData();
    };
    for (const char* view : {"mesh", "chart"}) {
      const QString title = QStringLiteral("Copy the %1 as %2").arg(QLatin1String(view));
      const QMimeData* svg = copied(title.arg(QStringLiteral("SVG")));
      QVERIFY(svg != nullptr);
      const QByteArray bytes = svg->data(QStringLiteral("image/svg+xml"));
      QVERIFY(bytes.contains("<svg"));
      const QString path = studio.path("copy.svg");
      QVERIFY(QLatin1String(view) == QLatin1String("mesh") ? studio->exportMesh(path)
                                                           : studio->exportChart(path));
      QFile file(path);
      QVERIFY(file.open(QIODevice::ReadOnly));
      QVERIFY(bytes == file.readAll());
      QVERIFY(copied(title.arg(QStringLiteral("PNG")))->hasImage());
    }
    const QMimeData* rows = copied(QStringLiteral("&Copy the ranked mappings as CSV"));
    QVERIFY(rows != nullptr);
    QCOMPARE(rows->data(QStringLiteral("text/csv")), studio->rankedPanel()->model()->csv());
    studio.session()->setKernelText(QStringLiteral("kernel"));
    QTRY_VERIFY(studio.session()->stale());
    const QMimeData* none = copied(QStringLiteral("Copy the chart as PNG"));
    QVERIFY(none == nullptr || !none->hasImage());
    QVERIFY(!studio->lastMessage().isEmpty());
  }

  void anExportThatFollowsTheFilterSaysSo() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    RankedModel* model = studio->rankedPanel()->model();
    QVERIFY(studio->exportTable(studio.path("all.csv")));
    QVERIFY(studio->statusBar()->currentMessage().endsWith(QStringLiteral(": 4 mappings")));
    const QString words = model->rows().row(2).mapping.section(QLatin1Char('|'), 0, 1);
    model->setFilter(words);
    QVERIFY(model->rowCount() > 0 && model->rowCount() < 4);
    QVERIFY(studio->exportTable(studio.path("some.csv")));
    const QString said = studio->statusBar()->currentMessage();
    QVERIFY2(said.contains(QStringLiteral("only the %1 of 4").arg(model->rowCount())),
             qPrintable(said));
    QFile file(studio.path("some.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count('\n'), model->rowCount() + 1);
  }

  /// The ranking is that of the command, byte for byte.
  void theResultEqualsThatOfTheCommand() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    compareWithCommand(studio, QStringLiteral("gemm"));
  }

  /// So are the kernels that run one after the other.
  void theStudioTriesStatementsApart() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const QString chain = QStringLiteral(
        "kernel chain(M = 1024, N = 1024, K = 1024) {\n"
        "  tensor A[M, K]: f32\n  tensor B[K, K]: f32\n  tensor C[K, N]: f32\n"
        "  tensor Y[M, N]: f32\n  local t[M, K]: f32\n"
        "  t[i, j] = sum(k) A[i, k] * B[k, j]\n  Y[i, n] = sum(j) t[i, j] * C[j, n]\n}\n");
    studio.session()->setKernelText(chain);
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->exploration()->apart);
    QFile kernel(studio.path("chain.rec"));
    QVERIFY(kernel.open(QIODevice::WriteOnly));
    kernel.write(chain.toUtf8());
    kernel.close();
    compareWithCommand(studio, studio.path("chain.rec"));
    studio.session()->setDirectives(QStringLiteral("double(A)\n"));
    STUDIO_RESTS(studio);
    QVERIFY(!studio.session()->exploration()->apart);
  }

  /// The bar counts both steps of every mapping, and goes when it is stopped.
  void theResultIsWrittenWithABarThatStops() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QVERIFY(studio->exportResult(studio.path("stopped.json")));
    QPointer<QProgressDialog> bar =
        studio->findChild<QProgressDialog*>(QStringLiteral("exportProgress"));
    QVERIFY(bar);
    QCOMPARE(bar->maximum(), 8);
    bar->findChild<QPushButton*>()->click();
    QTRY_VERIFY(!bar);
    QTRY_VERIFY(!studio->findChild<FileExport*>());
    // It may have been written before the click.
    const bool exists = QFile::exists(studio.path("stopped.json"));
    QCOMPARE(studio->statusBar()->currentMessage(),
             QStringLiteral("%1 stopped.json").arg(exists ? "Wrote" : "Did not write"));
    QCOMPARE(studio.session()->actions().actions().back().kind == Action::Kind::Result, exists);
  }

  /// A window that closes would leave no file, so it asks.
  void closingAsksWhileAFileIsWritten() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    auto* job = new FileExport(&*studio);
    job->start(studio.path("long.csv"), [](base::Progress& progress) -> std::optional<QByteArray> {
      while (!progress.cancelled()) QThread::msleep(1);
      return std::nullopt;
    });
    for (const auto answer : {QMessageBox::Cancel, QMessageBox::Discard}) {
      studio->setWindowModified(false);
      QString asked;
      QTimer::singleShot(0, &*studio, [&] {
        for (QMessageBox* box : studio->findChildren<QMessageBox*>()) {
          asked = box->text();
          box->button(answer)->click();
        }
      });
      QCOMPARE(studio->close(), answer == QMessageBox::Discard);
      QVERIFY(asked.contains(QStringLiteral("still being written")));
    }
  }

  void oldResultsAreNotWritten() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio.session()->setKernelText(QStringLiteral("kernel nothing"));
    QTRY_VERIFY_WITH_TIMEOUT(!studio.session()->staleReason().isEmpty(), StudioWindow::kPatience);
    QVERIFY(!studio->exportTable(studio.path("old.csv")));
    QVERIFY(studio->lastMessage().contains(QStringLiteral("nothing is exported or copied")));
    QVERIFY(!studio->exportChart(studio.path("old.svg")));
    QVERIFY(!studio->exportMesh(studio.path("old.png")));
    for (const char* name : {"old.csv", "old.svg", "old.png"})
      QVERIFY(!QFile::exists(studio.path(name)));
    closeMessages(studio);
    // A machine alone is no result of a search.
    studio.chooseHardware("wormhole_1x8");
    STUDIO_IDLE(studio);
    QTRY_COMPARE(studio->meshPanel()->canvas()->scene().coreCount(), 8);
    QVERIFY(studio->exportMesh(studio.path("machine.svg")));
  }

  void figuresThatCannotBeAreNotWritten() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->runOf(1) != nullptr, StudioWindow::kPatience);
    const ranking::Ranked& ranked = studio.session()->exploration()->top[1];
    QVERIFY(insaneFigures(1, ranked, studio.session()->runOf(1).get()).empty());
    QVERIFY(insaneFigures(1, ranked, nullptr).empty());
    service::SimulationRun run = *studio.session()->runOf(1);
    run.simulated.utilization = 20.8;
    const base::Diagnostics findings = insaneFigures(1, ranked, &run);
    QCOMPARE(findings.size(), std::size_t{1});
    QVERIFY(
        text(findings.front().message).contains(QStringLiteral("of mapping 2, simulated util")));
    run = *studio.session()->runOf(1);
    run.simulated.traffic.dramRead *= 2;
    QCOMPARE(insaneFigures(1, ranked, &run).size(), std::size_t{1});
    ranking::Ranked wrong = ranked;
    wrong.candidate.estimate.utilization = 1.5;
    QCOMPARE(insaneFigures(1, wrong, nullptr).size(), std::size_t{1});
  }
};

QObject* makeExportTests() { return new ExportTests; }

#include "export_tests.moc"
