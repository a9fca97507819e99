// SPDX-License-Identifier: Apache-2.0

// Scripts that repeat what the studio shows, and what was done in it.

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QStatusBar>
#include <algorithm>

#include "models/project_script.h"
#include "models/selection_hub.h"
#include "studio_window.h"
#include "suites.h"
#include "theme/tokens.h"
#include "window/charts_panel.h"
#include "window/peak_panel.h"

using namespace gridloom;
using namespace gridloom::widgets;

namespace {

struct ShellRun {
  int status = -1;
  QByteArray said;
};

/// Runs a script in its folder, with the command of this build.
ShellRun runScript(const QString& path, const QStringList& arguments) {
  QProcess shell;
  auto environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("GRIDLOOM"), QStringLiteral(GRIDLOOM_COMMAND));
  environment.insert(QStringLiteral("GRIDLOOM_RENDER"), QStringLiteral(GRIDLOOM_RENDER));
  shell.setProcessEnvironment(environment);
  shell.setWorkingDirectory(QFileInfo(path).absolutePath());
  shell.start(QStringLiteral("sh"), QStringList{path} + arguments);
  if (!shell.waitForFinished(StudioWindow::kPatience)) return {};
  return {shell.exitCode(), shell.readAllStandardError()};
}

}  // namespace

class ScriptTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  /// The script of an edited project ranks the same mappings, and explains the selected one.
  void theScriptGivesTheSameResult() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const QString text = studio.session()->project().hardwareText;
    studio.session()->setHardwareText(
        QString(text).replace(QStringLiteral("cols = 8"), QStringLiteral("cols = 4")) +
        QStringLiteral("\n// it's 100 $HOME `here`\n"));
    studio.session()->setDirectives(QStringLiteral("double(A)\n"));
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->runOf(2), StudioWindow::kPatience);
    studio->hub()->selectCandidate(2);
    QVERIFY(studio->exportResult(studio.path("studio.json")));
    QTRY_VERIFY(studio->statusBar()->currentMessage().startsWith(QStringLiteral("Wrote studio")));
    QVERIFY(studio->exportScript(studio.path("replay.sh")));
    const ShellRun run = runScript(studio.path("replay.sh"), {QStringLiteral("replayed")});
    QVERIFY2(run.status == 0, run.said);
    QFile ours(studio.path("studio.json")), theirs(studio.path("replayed/result.json"));
    QVERIFY(ours.open(QIODevice::ReadOnly) && theirs.open(QIODevice::ReadOnly));
    QVERIFY(ours.readAll() == theirs.readAll());
    QFile explained(studio.path("replayed/explain.json"));
    QVERIFY(explained.open(QIODevice::ReadOnly));
    const double cycles = QJsonDocument::fromJson(explained.readAll())
                              .object()[QLatin1String("simulated")]
                              .toObject()[QLatin1String("cycles")]
                              .toDouble();
    QVERIFY(std::abs(cycles - studio.session()->runOf(2)->simulated.cycles) < 1);
  }

  /// An export that ends after another project was opened is none of that project's actions.
  void anExportIsAnActionOfItsOwnProject() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const auto exports = [&] {
      return std::ranges::count(studio.session()->actions().actions(), Action::Kind::Result,
                                &Action::kind);
    };
    QVERIFY(studio->exportResult(studio.path("own.json")));
    QTRY_VERIFY(studio->statusBar()->currentMessage().startsWith(QStringLiteral("Wrote own")));
    QCOMPARE(exports(), 1);
    QVERIFY(studio->exportResult(studio.path("late.json")));
    studio.session()->setProject(studio.session()->project());
    // The status bar may say what the search of the other project found instead.
    QTRY_VERIFY(QFile::exists(studio.path("late.json")));
    STUDIO_RESTS(studio);
    QCOMPARE(exports(), 0);
  }

  /// A script writes to a folder that it makes, and ends before it touches one that is there.
  void aScriptOverwritesNothing() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QVERIFY(studio->exportScript(studio.path("replay.sh")));
    QFile mine(studio.path("gemm.rec"));
    QVERIFY(mine.open(QIODevice::WriteOnly) && mine.write("mine") == 4);
    mine.close();
    const ShellRun first = runScript(studio.path("replay.sh"), {});
    QVERIFY2(first.status == 0, first.said);
    const QDir made(studio.path("gemm_on_wormhole_8x8"));
    const auto files = made.entryInfoList(QDir::Files, QDir::Name);
    QCOMPARE(files.size(), 5);
    QVERIFY(mine.open(QIODevice::ReadOnly));
    QCOMPARE(mine.readAll(), QByteArray("mine"));
    QVERIFY(QFile::remove(made.filePath(QStringLiteral("result.json"))));
    const ShellRun second = runScript(studio.path("replay.sh"), {});
    QCOMPARE(second.status, 2);
    QVERIFY2(second.said.contains("gemm_on_wormhole_8x8") && second.said.contains("help: name"),
             second.said);
    QVERIFY(!made.exists(QStringLiteral("result.json")));
    const ShellRun nowhere =
        runScript(studio.path("replay.sh"), {QStringLiteral("no/such/folder")});
    QCOMPARE(nowhere.status, 2);
    QVERIFY2(nowhere.said.contains("in a folder that you may write to: sh "), nowhere.said);
    // Names from outside are words of the script, and nothing that it runs.
    Project odd = studio.session()->project();
    odd.hardwareName = QStringLiteral("$(touch bad)`\"x");
    QVERIFY(scriptOf({odd, {}, 0, {}}).contains("${1:-gemm_on___touch_bad___x}"));
  }

  /// Edits, results, a comparison and exports, repeated by the command with the same figures.
  void theRecordOfActionsRepeatsThem() {
    const StudioWindow studio;
    Session* session = studio.session();
    STUDIO_RESTS(studio);
    session->setHardwareText(QString(session->project().hardwareText)
                                 .replace(QStringLiteral("cols = 8"), QStringLiteral("cols = 4")));
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    session->freeze(0);
    session->setParameter(QStringLiteral("K"), 2048);
    session->undo();
    STUDIO_RESTS(studio);
    session->setDirectives(QStringLiteral("double(A)\n"));
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(session->runOf(1), StudioWindow::kPatience);
    studio->hub()->selectCandidate(2);
    studio->hub()->selectCandidate(1);
    studio.trigger("A column of a paper: 3.5 inches");
    QVERIFY(studio->exportMesh(studio.path("a mesh.svg")));
    session->unfreeze();
    QVERIFY(studio->exportTable(studio.path("table.csv")));
    QVERIFY(studio->exportResult(studio.path("studio.json")));
    QTRY_VERIFY(studio->statusBar()->currentMessage().startsWith(QStringLiteral("Wrote studio")));
    QVERIFY(studio->exportActions(studio.path("actions.sh")));

    const ShellRun run = runScript(studio.path("actions.sh"), {QStringLiteral("again")});
    QVERIFY2(run.status == 0, run.said);
    QFile script(studio.path("actions.sh")), ours(studio.path("studio.json"));
    QVERIFY(script.open(QIODevice::ReadOnly) && ours.open(QIODevice::ReadOnly));
    const QByteArray words = script.readAll(), result = ours.readAll();
    qsizetype at = 0;
    for (const char* each :
         {"# 1. open", "# 2. the ranking: 4 mappings", "edit of the hardware", "mapping 1 is A",
          "K = 2048", "undo K = 2048", "edit of the directives", "look at mapping 2", "compare ",
          "export of a mesh.svg", "the comparison is left", "export of table.csv",
          "export of studio.json", "What was shown at the end"}) {
      const qsizetype found = words.indexOf(each, at);
      QVERIFY2(found >= 0, each);
      at = found;
    }
    QVERIFY(!words.contains("look at mapping 3"));
    const QDir again(studio.path("again"));
    QStringList exported;
    for (const QString& name : again.entryList(QDir::Files)) {
      if (name.endsWith(QStringLiteral("-studio.json")) || name == QLatin1String("result.json")) {
        QFile file(again.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(file.readAll() == result, qPrintable(name));
      }
      exported << name.section(QLatin1Char('-'), 1);
      if (!name.endsWith(QStringLiteral("mesh.svg"))) continue;
      QFile file(again.filePath(name));
      QVERIFY(file.open(QIODevice::ReadOnly));
      QVERIFY2(file.readAll().contains("viewBox=\"0 0 336 "), "the chosen width is kept");
    }
    for (const char* name : {"ranking.json", "mapping.json", "a_mesh.svg", "table.csv"})
      QVERIFY2(exported.contains(QLatin1String(name)), name);
  }

  /// The command finds the same points, and draws the same chart.
  void aSweepIsRepeated() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    SweepPanel* panel = studio->sweepPanel();
    chooseSweep(panel, 0, "l1: size", "1", "1464", 2);
    chooseSweep(panel, 1, "K", "1024", "4096", 2);
    panel->runButton()->click();
    SWEPT(panel);
    QVERIFY(studio->exportSweep(studio.path("sweep.csv")));
    QVERIFY(studio->exportSweep(studio.path("sweep.svg")));
    QVERIFY(studio->exportActions(studio.path("actions.sh")));
    const ShellRun run = runScript(studio.path("actions.sh"), {QStringLiteral("again")});
    QVERIFY2(run.status == 0, run.said);
    const QDir again(studio.path("again"));
    int compared = 0;
    for (const QString& name : again.entryList(QDir::Files)) {
      const QString own = name.section(QLatin1Char('-'), 1);
      if (own != QLatin1String("sweep.csv") && own != QLatin1String("sweep.svg")) continue;
      QFile theirs(again.filePath(name)), ours(studio.path(own.toUtf8().constData()));
      QVERIFY(theirs.open(QIODevice::ReadOnly) && ours.open(QIODevice::ReadOnly));
      QVERIFY2(theirs.readAll() == ours.readAll(), qPrintable(name));
      ++compared;
    }
    QCOMPARE(compared, 2);
  }

  /// The command draws each figure as wide as it was, in its colours.
  void figuresKeepTheirWidthAndTheme() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    const auto widthOf = [](const QString& path) {
      QFile file(path);
      if (!file.open(QIODevice::ReadOnly)) return QByteArray();
      const QByteArray words = file.readAll();
      const qsizetype at = words.indexOf("viewBox=");
      const QByteArray box = words.mid(at, words.indexOf('"', at + 9) - at);
      const bool dark = words.contains(darkTokens().text.name().toLatin1());
      return box.left(box.lastIndexOf(' ')) + (dark ? " dark" : " light");
    };
    studio->chartsPanel()->setCurrent(ChartsPanel::Traffic);
    QStringList names;
    for (const auto& [title, scheme] : {std::pair("A column of a paper: 3.5 inches", Scheme::Dark),
                                        std::pair("A slide: 13.3 inches", Scheme::Light)}) {
      studio.trigger(title);
      studio->setScheme(scheme);
      for (const char* chart : {"mesh", "peak", "chart"})
        names << QStringLiteral("%1_%2.svg").arg(QLatin1String(chart)).arg(names.size());
      const auto path = [&](qsizetype back) {
        return studio.path(qPrintable(names[names.size() - back]));
      };
      QVERIFY(studio->exportMesh(path(3)) && studio->exportPeak(path(2)) &&
              studio->exportChart(path(1)));
    }
    QVERIFY(studio->exportActions(studio.path("actions.sh")));
    const ShellRun run = runScript(studio.path("actions.sh"), {QStringLiteral("again")});
    QVERIFY2(run.status == 0, run.said);
    const QDir again(studio.path("again"));
    for (const QString& name : names) {
      const QStringList repeated = again.entryList({QStringLiteral("*-") + name});
      QCOMPARE(repeated.size(), 1);
      const QByteArray ours = widthOf(studio.path(qPrintable(name)));
      QVERIFY2(ours.size() > 20, ours);
      QCOMPARE(widthOf(again.filePath(repeated.front())), ours);
    }
  }

  /// A ranking without simulation has runs once simulation is switched on.
  void aPeakIsRepeatedThatWasSimulatedLater() {
    const StudioWindow studio;
    Session* session = studio.session();
    session->setSimulate(false);
    STUDIO_RESTS(studio);
    QCOMPARE(session->exploration()->reranked.tried, 0);
    session->setSimulate(true);
    STUDIO_IDLE(studio);
    studio->hub()->selectCandidate(1);
    QTRY_VERIFY_WITH_TIMEOUT(studio->peakPanel()->waterfall(), StudioWindow::kPatience);
    QVERIFY(studio->exportPeak(studio.path("peak.svg")));
    QVERIFY(studio->exportMesh(studio.path("mesh.svg")));
    QVERIFY(studio->exportActions(studio.path("actions.sh")));
    const ShellRun run = runScript(studio.path("actions.sh"), {QStringLiteral("again")});
    QVERIFY2(run.status == 0, run.said);
    const QDir again(studio.path("again"));
    QCOMPARE(again.entryList({QStringLiteral("*.svg")}, QDir::Files).size(), 2);
    QVERIFY(again.exists(QStringLiteral("result.json")));
  }

  /// The command cannot stop where a person did.
  void aScriptSaysWhichSearchesWereStopped() {
    ScriptInputs inputs{*exampleProject(), {}, 1, {}};
    inputs.arePartial = true;
    const QByteArray words = "\n# The search was stopped; the command searches to its end.\n";
    QCOMPARE(scriptOf(inputs).count(words), 1);
    ActionRecord record;
    record.start(inputs.project);
    record.add({Action::Kind::Table, {}, inputs, QStringLiteral("a.csv"), {}});
    record.add({Action::Kind::Result, {}, inputs, QStringLiteral("b.json"), {}});
    record.add({Action::Kind::Figure, {}, inputs, QStringLiteral("c.svg"), QStringLiteral("mesh")});
    QCOMPARE(scriptOf(record, inputs).count(words), 4);
    inputs.arePartial = false;
    QCOMPARE(scriptOf(inputs).count(words), 0);
  }

  /// Inputs with errors have no result that a script could repeat.
  void aScriptThatEndsWithErrorsSaysSo() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio.session()->setKernelText(QStringLiteral("kernel nothing"));
    QTRY_VERIFY_WITH_TIMEOUT(!studio.session()->staleReason().isEmpty(), StudioWindow::kPatience);
    const QString path = studio.path("actions.sh");
    for (const bool all : {true, false}) {
      QVERIFY(all ? studio->exportActions(path) : studio->exportScript(path));
      const ShellRun run = runScript(path, {QStringLiteral("all_%1").arg(all)});
      QVERIFY2(run.status == 0, run.said);
      QFile script(path);
      QVERIFY(script.open(QIODevice::ReadOnly));
      QVERIFY(script.readAll().contains("\n# these inputs have errors"));
    }
  }
};

QObject* makeScriptTests() { return new ScriptTests; }

#include "script_tests.moc"
