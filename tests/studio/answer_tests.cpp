// SPDX-License-Identifier: Apache-2.0

// How edits are answered: what is searched again, and what is known.

#include <QEventLoop>
#include <QSignalSpy>
#include <QTimer>
#include <functional>

#include "editors/code_editor.h"
#include "models/examples.h"
#include "models/project_history.h"
#include "studio_helpers.h"
#include "studio_window.h"
#include "suites.h"
#include "texts/presets.h"
#include "window/figure_strip.h"
#include "window/inputs_panel.h"
#include "window/ranked_panel.h"

using namespace gridloom;
using namespace gridloom::widgets;

class AnswerTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  /// An edit of another text does not open the hardware again: that of a wafer takes long.
  void theHardwareIsOpenedOnce() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const auto hardware = studio.session()->hardware();
    studio.session()->setParameter(QStringLiteral("K"), 512);
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->exploration()->kernel == studio.session()->kernel());
    QVERIFY(studio.session()->hardware() == hardware);
    const QString text = studio.session()->project().hardwareText;
    studio.session()->setHardwareText(
        QString(text).replace(QStringLiteral("cols = 8"), QStringLiteral("cols = 4")));
    STUDIO_RESTS(studio);
    QCOMPARE(studio.session()->hardware()->topology.coreCount(), std::int64_t{32});
    // After errors it is that of the text again.
    studio.session()->setHardwareText(text + QStringLiteral("%nothing"));
    QTRY_VERIFY(!studio.session()->hardwareIsCurrent());
    studio.session()->setHardwareText(text);
    STUDIO_RESTS(studio);
    QCOMPARE(studio.session()->hardware()->topology.coreCount(), std::int64_t{64});
  }

  /// The prediction of the next edit comes first: the simulation of a wafer waits for a pause.
  void aWaferIsSimulatedAfterAPause() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const auto wafer = std::ranges::find(examples(), false, &Example::isQuick);
    studio.session()->setProject(*projectOf(*wafer));
    QEventLoop shown;
    connect(studio.session(), &Session::explorationChanged, &shown, [&] {
      if (studio.session()->exploration() && !studio.session()->stale()) shown.quit();
    });
    QTimer::singleShot(StudioWindow::kPatience, &shown, &QEventLoop::quit);
    shown.exec();
    QVERIFY(!studio.session()->stale() && !studio.session()->runOf(0));
    QVERIFY(studio.session()->busy());
    QVERIFY(studio.session()->activity().startsWith(QStringLiteral("Simulating")));
    QTest::qWait(400);
    QVERIFY2(studio.session()->busy(), "the simulation has begun");
    studio.session()->cancel();
    QVERIFY(!studio.session()->busy());
    QTest::qWait(400);
    QVERIFY2(!studio.session()->busy(), "a stop holds");
  }

  /// The mappings that were shown, for the new inputs, before others are found; not greyed, but
  /// marked.
  void anEditIsAnsweredByTheShownMappingsFirst() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    const Session* session = studio.session();
    const service::ExplorationRef before = session->exploration();
    const auto strip = studio->findChild<FigureStrip*>();
    struct Shown {
      service::ExplorationRef exploration;
      bool provisional, enabled;
      QString note;
    };
    std::vector<Shown> shown;
    connect(session, &Session::explorationChanged, this, [&] {
      shown.push_back(
          {session->exploration(), session->provisional(), strip->isEnabled(), strip->note(1)});
    });
    studio.session()->setParameter(QStringLiteral("K"), 2048);
    STUDIO_RESTS(studio);
    QCOMPARE(shown.size(), std::size_t{2});
    QVERIFY(shown[0].provisional && shown[0].enabled && !shown[1].provisional);
    QCOMPARE(shown[0].note, QStringLiteral("best so far"));
    QVERIFY(shown[0].exploration->kernel != before->kernel);
    const mapping::Mapping known = service::mappingAt(*shown[0].exploration, 0);
    QVERIFY(std::ranges::any_of(
        before->top, [&](const ranking::Ranked& each) { return each.candidate.mapping == known; }));
  }

  /// The first ranking of the search is shown, too, where the shown mappings are far from it.
  void aMuchFasterRankingIsShownWhileTheSearchGoesOn() {
    const StudioWindow studio;
    const Session* session = studio.session();
    std::vector<double> shown;
    searchLong(studio, [&] {
      shown.push_back(session->exploration()->top.front().candidate.estimate.cycles);
      if (shown.size() == 2) studio.session()->cancel();
    });
    QVERIFY(shown.size() >= 2);
    QVERIFY(shown[1] < 0.9 * shown[0]);
  }

  /// A stop before the search has a mapping keeps the shown ones, predicted for the new inputs.
  void aStopKeepsTheMappingsThatAreShown() {
    const StudioWindow studio;
    const Session* session = studio.session();
    searchLong(studio, [&] { studio.session()->cancel(); });
    QVERIFY(!session->exploration()->top.empty());
    QVERIFY(!session->stale() && !session->provisional());
  }

  void aCommentSearchesAndSimulatesNothing() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    const service::ExplorationRef before = studio.session()->exploration();
    const service::SimulationRunRef run = studio.session()->runOf(1);
    QVERIFY(run);
    QSignalSpy explored(studio.session(), &Session::explorationChanged);
    CodeEditor* kernel = studio->kernelPanel()->editor();
    kernel->replaceText(QStringLiteral("// another comment\n\n") + kernel->toPlainText());
    QVERIFY(studio.session()->stale());
    STUDIO_RESTS(studio);
    CodeEditor* hardware = studio->hardwareEditor();
    hardware->replaceText(hardware->toPlainText() + QStringLiteral("\n\n// the end\n"));
    STUDIO_RESTS(studio);
    QCOMPARE(studio.session()->exploration(), before);
    QCOMPARE(studio.session()->runOf(1), run);
    QCOMPARE(explored.count(), 0);
  }

  void theResultOfAnEarlierTextComesBackWithIt() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    const service::ExplorationRef before = studio.session()->exploration();
    CodeEditor* kernel = studio->kernelPanel()->editor();
    const QString text = kernel->toPlainText();
    kernel->replaceText(text + QStringLiteral(" %"));
    QTRY_VERIFY_WITH_TIMEOUT(!studio.session()->problems().empty(), StudioWindow::kPatience);
    QCOMPARE(studio.session()->exploration(), before);
    QVERIFY(studio.session()->stale());
    kernel->replaceText(text);
    STUDIO_RESTS(studio);
    QCOMPARE(studio.session()->exploration(), before);
    studio.session()->setParameter(QStringLiteral("M"), 512);
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->exploration() != before);
    studio.session()->undo();
    STUDIO_RESTS(studio);
    QCOMPARE(studio.session()->exploration(), before);
    QVERIFY(studio.session()->runOf(0));
  }

  void aKernelInMlirIsRead() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    const service::ExplorationRef before = studio.session()->exploration();
    CodeEditor* kernel = studio->kernelPanel()->editor();
    kernel->replaceText(
        QStringLiteral("func.func @product(%A: memref<32x64xf32>, %B: memref<64x16xf32>, %C: "
                       "memref<32x16xf32>) {\n"
                       "  linalg.matmul ins(%A, %B : memref<32x64xf32>, memref<64x16xf32>)\n"
                       "      outs(%C : memref<32x16xf32>)\n  return\n}\n"));
    STUDIO_RESTS(studio);
    const auto now = studio.session()->exploration();
    QVERIFY(now && now != before);
    QVERIFY(now->kernel->kernel.name == "product");
    // What is not imported is said at its place.
    kernel->replaceText(QStringLiteral("func.func @f(%x: vector<4xf32>) {\n  return\n}\n"));
    QTRY_VERIFY_WITH_TIMEOUT(!studio.session()->problems().empty(), StudioWindow::kPatience);
  }

  void aKernelWithoutAMappingShowsItsLoops() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    CodeEditor* kernel = studio->kernelPanel()->editor();
    kernel->replaceText(
        QStringLiteral("kernel unmapped(P = 64) {\n  tensor A[P]: f32\n  tensor B[P]: f32\n"
                       "  B[i] = sum(j) A[j] where 2 * j <= i\n}\n"));
    const auto* facts = studio->kernelPanel()->facts();
    QTRY_VERIFY_WITH_TIMEOUT(
        facts->text().contains(QStringLiteral("<b>i</b></td><td align='right'")),
        StudioWindow::kPatience);
    QVERIFY2(facts->text().contains(QStringLiteral("must move")), qPrintable(facts->text()));
    QVERIFY2(facts->text().contains(QStringLiteral("Bound by")), qPrintable(facts->text()));
  }

  void loadingIsNoEdit() {
    const StudioWindow studio;
    studio->openFirst();
    STUDIO_RESTS(studio);
    const QString kernel = studio->kernelPanel()->editor()->toPlainText();
    QVERIFY(kernel.contains(QStringLiteral("gemm")));
    QVERIFY(QTest::qWaitForWindowActive(studio.operator->()));
    for (CodeEditor* editor : editorsOf(studio)) press(editor, "Ctrl+Z");
    QCOMPARE(studio->kernelPanel()->editor()->toPlainText(), kernel);
    QCOMPARE(studio.session()->project().kernelText, kernel);
    QVERIFY(!studio->hardwareEditor()->toPlainText().isEmpty());
    QVERIFY(!studio->isWindowModified());
  }

  void lineEndsOfAFileAreNoEdit() {
    const StudioWindow studio;
    Project foreign = studio.session()->project();
    foreign.kernelText.replace(QLatin1Char('\n'), QLatin1String("\r\n"));
    QVERIFY(saveProject(foreign, studio.path("foreign.gridloom")).ok());
    QVERIFY(studio->openProject(studio.path("foreign.gridloom")));
    STUDIO_RESTS(studio);
    QVERIFY(!studio->isWindowModified());
    QVERIFY(!studio.session()->history().canUndo());
  }

 private:
  // Removes directives that leave only slow mappings of a problem whose search takes seconds.
  // `provisional`: called for what is shown until it ends.
  void searchLong(const StudioWindow& studio, const std::function<void()>& provisional) {
    Session* session = studio.session();
    Project project = session->project();
    project.kernelText = QString::fromUtf8((*texts::loadKernelText("conv2d"))->text());
    project.hardwareText = QString::fromUtf8((*texts::loadHardwareText("npu_strix_4x8"))->text());
    project.parameters.clear();
    project.directives =
        QStringLiteral("tile(n, 1)\ntile(p, 2)\ntile(q, 2)\ntile(f, 8)\ntile(c, 8)\n"
                       "tile(r, 1)\ntile(s, 1)\n");
    session->setProject(project);
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    connect(session, &Session::explorationChanged, this, [=] {
      if (session->provisional()) provisional();
    });
    session->setDirectives({});
    STUDIO_RESTS(studio);
  }
};

QObject* makeAnswerTests() { return new AnswerTests; }

#include "answer_tests.moc"
