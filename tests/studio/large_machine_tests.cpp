// SPDX-License-Identifier: Apache-2.0

// Large machines: an edit ends their search, and their mesh is drawn in the background.

#include <QSignalSpy>
#include <algorithm>
#include <memory>

#include "canvas/mesh_canvas.h"
#include "models/examples.h"
#include "models/selection_hub.h"
#include "studio_window.h"
#include "suites.h"
#include "window/mesh_panel.h"

using namespace gridloom::widgets;

class LargeMachineTests : public QObject {
  Q_OBJECT

 private:
  /// The systolic array of the examples, on 130 x 130 cores.
  static Project largeProject() {
    const auto& all = examples();
    const auto wafer = std::ranges::find(all, QStringLiteral("cerebras_like"), &Example::hardware);
    Project project = *projectOf(*wafer);
    project.hardwareText.replace(QStringLiteral("param cols = 996"),
                                 QStringLiteral("param cols = 130"));
    project.hardwareText.replace(QStringLiteral("param rows = 757"),
                                 QStringLiteral("param rows = 130"));
    project.parameters = {
        {QStringLiteral("M"), 780}, {QStringLiteral("N"), 650}, {QStringLiteral("K"), 1024}};
    project.top = 1;
    return project;
  }

 private Q_SLOTS:
  /// An explanation that it stops is begun again.
  void anEditThatChangesNothingLeavesTheExplanation() {
    const StudioWindow studio;
    Session* session = studio.session();
    Project two = largeProject();
    two.top = 2;
    session->setProject(two);
    QTRY_VERIFY_WITH_TIMEOUT(!session->busy() && session->explainedCandidate() == 0,
                             StudioWindow::kPatience);
    const QSignalSpy explained(session, &Session::explanationChanged);
    studio->hub()->selectCandidate(1);
    QVERIFY(session->activity().startsWith(QStringLiteral("Trying twice")));
    session->setHardwareText(session->project().hardwareText + QStringLiteral("\n// nothing\n"));
    QTRY_VERIFY_WITH_TIMEOUT(explained.count() == 1 && !session->stale() && !session->busy(),
                             StudioWindow::kPatience);
    QCOMPARE(session->explainedCandidate(), 1);
  }

  void aSwitchOfSimulationDoesNotEndTheDrawing() {
    const StudioWindow studio;
    Session* session = studio.session();
    STUDIO_RESTS(studio);
    const auto once = std::make_unique<QObject>();
    bool began = false, goesOn = false;
    connect(session, &Session::explorationChanged, once.get(), [&] {
      if (!session->exploration() || session->stale() || !session->project().simulate) return;
      began = studio->meshPanel()->awaitsScene();
      session->setSimulate(false);
      goesOn = studio->meshPanel()->awaitsScene();
    });
    session->setProject(largeProject());
    QTRY_VERIFY_WITH_TIMEOUT(!session->project().simulate, StudioWindow::kPatience);
    QVERIFY(began && goesOn);
    const MeshCanvas* canvas = studio->meshPanel()->canvas();
    QTRY_VERIFY_WITH_TIMEOUT(canvas->scene().coreCount() == 130 * 130 &&
                                 !canvas->scene().flows.empty(),
                             StudioWindow::kPatience);
  }

  /// Though the result that is shown is that of a small one.
  void anEditEndsTheSearchOfALargeMachine() {
    const StudioWindow studio;
    Session* session = studio.session();
    STUDIO_RESTS(studio);
    Project large = largeProject();
    large.directives.clear();
    session->openProblem(large, QStringLiteral("another machine"));
    QTRY_VERIFY_WITH_TIMEOUT(session->activity().startsWith(QStringLiteral("Exploring")),
                             StudioWindow::kPatience);
    session->setHardwareText(
        QString(large.hardwareText)
            .replace(QStringLiteral("param cols = 130"), QStringLiteral("param cols = 131")));
    QVERIFY2(!session->busy(), qPrintable(session->activity()));
    session->cancel();
  }
};

QObject* makeLargeMachineTests() { return new LargeMachineTests; }

#include "large_machine_tests.moc"
