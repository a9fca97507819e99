// SPDX-License-Identifier: Apache-2.0

// The timeline and the replay: what they show is what the engine says, at every zoom and cycle.

#include "bridge/replay.h"
#include "canvas/mesh_canvas.h"
#include "canvas/mesh_moment.h"
#include "models/ranked_model.h"
#include "models/selection_hub.h"
#include "studio_helpers.h"
#include "studio_window.h"
#include "suites.h"
#include "theme/tokens.h"
#include "timeline/timeline_canvas.h"
#include "window/figure_strip.h"
#include "window/mesh_panel.h"
#include "window/ranked_panel.h"
#include "window/timeline_panel.h"

using namespace gridloom;
using namespace gridloom::widgets;

class TimelineTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  /// The row that is marked stays marked where others come in above it, and it is the row that was
  /// chosen where a core has several.
  void theMarkedRowStaysMarked() {
    const StudioWindow studio(QSize(1920, 1080));
    STUDIO_RESTS(studio);
    showTimeline(studio);
    TIMELINE_RECORDED(studio);
    TimelineCanvas* canvas = canvasOf(studio);
    const auto marked = [&] {
      return canvas->scene().rows[static_cast<std::size_t>(canvas->view().selected)].title;
    };
    const auto group = std::ranges::find_if(canvas->scene().rows, &TimelineRow::expands);
    Q_EMIT canvas->rowPicked(static_cast<int>(group - canvas->scene().rows.begin()));
    const QString second = marked();
    QVERIFY(studio->replay()->followTransferOf({9, QStringLiteral("A")}, 40000));
    QTRY_VERIFY(studio->replay()->followed());
    QCOMPARE(marked(), second);
    studio->replay()->unfollow();
    studio->hub()->selectCore(9);
    for (std::size_t r = 0; r < canvas->scene().rows.size(); ++r) {
      if (canvas->scene().rows[r].kind != TimelineRow::Kind::Transfer) continue;
      Q_EMIT canvas->rowPicked(static_cast<int>(r));
      QCOMPARE(canvas->view().selected, static_cast<int>(r));
    }
    // Also where the core of the row is selected.
    const QString transfer = marked();
    QVERIFY(studio->replay()->followTransferOf({9, QStringLiteral("A")}, 40000));
    QTRY_VERIFY(studio->replay()->followed());
    QCOMPARE(marked(), transfer);
  }

  void mouseAndKeysMoveTheCursor() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    showTimeline(studio);
    TIMELINE_RECORDED(studio);
    TimelineCanvas* canvas = canvasOf(studio);
    QTRY_VERIFY(canvas->isVisible());
    const TimelineLayout layout = canvas->layoutNow();
    const QPoint middle = layout.tracks.center().toPoint();
    QTest::mouseClick(canvas, Qt::LeftButton, {}, middle);
    const double picked = studio->hub()->cycle();
    QVERIFY(std::abs(picked - canvas->scene().cycles / 2) < 0.01 * canvas->scene().cycles);
    QCOMPARE(studio->meshPanel()->heat(), Heat::State);
    QVERIFY(studio->meshPanel()->canvas()->scene().moment);
    QTest::keyClick(canvas, Qt::Key_Right);
    QCOMPARE(studio->hub()->cycle(), picked + 1);
    QTest::keyClick(canvas, Qt::Key_Left);
    QTest::keyClick(canvas, Qt::Key_Left);
    QCOMPARE(studio->hub()->cycle(), picked - 1);
    QTest::keyClick(canvas, Qt::Key_End);
    QCOMPARE(studio->hub()->cycle(), canvas->scene().cycles);
    for (int i = 0; i < 60; ++i) QTest::keyClick(canvas, Qt::Key_Plus);
    QCOMPARE(canvas->view().end - canvas->view().begin, 1.0);
    QVERIFY(canvas->view().end <= canvas->scene().cycles);
    QTest::keyClick(canvas, Qt::Key_0);
    QCOMPARE(canvas->view().end, canvas->scene().cycles);
    QTest::keyClick(canvas, Qt::Key_Escape);
    QCOMPARE(studio->hub()->cycle(), -1.0);
    QCOMPARE(studio->meshPanel()->heat(), Heat::States);
    QVERIFY(!studio->meshPanel()->canvas()->scene().moment);
  }

  void aTypedCycleIsShown() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    showTimeline(studio);
    TIMELINE_RECORDED(studio);
    QLineEdit* box = studio->timelinePanel()->cycleBox();
    box->setFocus();
    QTest::keyClicks(box, QStringLiteral("12 345"));
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(studio->hub()->cycle(), 12345.0);
    box->selectAll();
    QTest::keyClicks(box, QStringLiteral("999999999999"));
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(studio->hub()->cycle(), studio->replay()->recording()->cycles());
    box->selectAll();
    QTest::keyClick(box, Qt::Key_Delete);
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(studio->hub()->cycle(), -1.0);
  }

  void itPlaysBothWaysAtEverySpeed() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    showTimeline(studio);
    TIMELINE_RECORDED(studio);
    Replay* replay = studio->replay();
    for (const double speed : {0.1, 1.0, 1000.0}) {
      replay->setSpeed(speed);
      replay->goTo(2000);
      replay->play(false);
      QTRY_VERIFY(studio->hub()->cycle() > 2000);
      replay->pause();
      replay->goTo(20000);
      replay->play(true);
      QTRY_VERIFY(studio->hub()->cycle() < 20000);
      replay->pause();
      QVERIFY(!replay->isPlaying());
    }
    // It stops at the ends, and plays on from the other one.
    replay->setSpeed(1000);
    replay->goTo(replay->recording()->cycles() - 10);
    replay->play(false);
    QTRY_VERIFY(!replay->isPlaying());
    QCOMPARE(studio->hub()->cycle(), replay->recording()->cycles());
    replay->goTo(10);
    replay->play(true);
    QTRY_VERIFY(!replay->isPlaying());
    QCOMPARE(studio->hub()->cycle(), 0.0);
  }

  void rowsAndSelectionGoTogether() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    showTimeline(studio);
    TIMELINE_RECORDED(studio);
    TimelineCanvas* canvas = canvasOf(studio);
    const auto rows = [&](TimelineRow::Kind kind) {
      return std::ranges::count(canvas->scene().rows, kind, &TimelineRow::kind);
    };
    QCOMPARE(rows(TimelineRow::Kind::Core), 0);
    studio->hub()->selectCore(9);
    QCOMPARE(rows(TimelineRow::Kind::Core), 1);
    QVERIFY(rows(TimelineRow::Kind::Transfer) > 0);
    studio->hub()->selectCore(-1);
    QCOMPARE(rows(TimelineRow::Kind::Transfer), 0);
    // A class opens into its cores, and a core's row selects the core.
    const auto group = std::ranges::find_if(canvas->scene().rows, &TimelineRow::expands);
    const auto at = static_cast<int>(group - canvas->scene().rows.begin());
    Q_EMIT canvas->rowToggled(at);
    const auto opened = static_cast<qsizetype>(rows(TimelineRow::Kind::Core));
    QVERIFY(opened > 1);
    Q_EMIT canvas->rowPicked(at + 2);
    QCOMPARE(studio->hub()->core(), canvas->scene().rows[static_cast<std::size_t>(at) + 2].index);
    Q_EMIT canvas->rowToggled(at);
    // A link of the reports has a row, whatever its rank.
    const auto& hw = studio->replay()->recording()->run().hardware->topology;
    const QString name = text(hw.linkName(hardware::LinkId::of(100)));
    studio->hub()->selectResource(name);
    QVERIFY(canvas->view().selected >= 0);
    QCOMPARE(canvas->scene().rows[static_cast<std::size_t>(canvas->view().selected)].title, name);
  }

  void whatIsLeftOutIsSaid() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const auto& exploration = *studio.session()->exploration();
    service::SimulateOptions options;
    options.trace = true;
    options.window.spans = 1000;
    base::Progress progress;
    const auto run =
        service::simulateMapping(exploration.hardware, exploration.kernel,
                                 exploration.top.front().candidate.mapping, options, progress);
    QVERIFY(run.ok());
    const Recording recording(*run, progress);
    QVERIFY(recording.isTruncated());
    QVERIFY(recording.until() > 0 && recording.until() < recording.cycles());
    const auto scene = timelineOf(std::make_shared<Recording>(*run, progress), {});
    QCOMPARE(scene.until, recording.until());
  }

  void aRecordingCanBeStopped() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    Replay* replay = studio->replay();
    replay->record();
    QVERIFY(replay->isRecording());
    replay->stop();
    QVERIFY(!replay->isRecording());
    QTest::qWait(50);
    QVERIFY(!replay->recording());
    QVERIFY(replay->canRecord());
    replay->record();
    TIMELINE_RECORDED(studio);
  }

  void everyKindOfRunIsShown_data() { addKindsOfRun(); }

  void everyKindOfRunIsShown() {
    QFETCH(QString, hardware);
    QFETCH(QString, kernel);
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    showTimeline(studio);
    studio.chooseHardware(hardware.toLatin1().constData());
    studio.chooseKernel(kernel.toLatin1().constData());
    STUDIO_RESTS(studio);
    Replay* replay = studio->replay();
    if (!studio.session()->runOf(0)) QSKIP("this has no simulation");
    if (!replay->isRecording()) replay->record();
    TIMELINE_RECORDED(studio);
    const Recording& recording = *replay->recording();
    std::size_t cores = 0;
    for (const CoreClass& group : recording.classes()) cores += group.cores.size();
    QCOMPARE(cores, recording.states().cores().size());
    studio->hub()->selectCore(static_cast<int>(recording.states().cores().back().core.value()));
    for (const double share : {0.0, 0.4, 1.0}) {
      replay->goTo(std::floor(share * recording.until()));
      // The stacks of the rows are the totals of the engine.
      StateSteps::Counts counts{};
      for (const CoreClass& group : recording.classes()) {
        const StateSteps::Counts own = group.steps.at(studio->hub()->cycle());
        for (std::size_t s = 0; s < simulate::kStates; ++s) counts[s] += own[s];
      }
      for (std::size_t s = 0; s < simulate::kStates; ++s)
        QCOMPARE(static_cast<std::int64_t>(counts[s]), replay->state()->totals[s]);
      QVERIFY(!canvasOf(studio)->grab().isNull());
      QVERIFY(!studio->meshPanel()->canvas()->grab().isNull());
    }
  }

  void exportsRepeat() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    QVERIFY(!studio->exportTimeline(studio.path("none.svg")));
    showTimeline(studio);
    TIMELINE_RECORDED(studio);
    QByteArray first;
    for (const char* name : {"a.svg", "b.svg"}) {
      QVERIFY(studio->exportTimeline(studio.path(name)));
      QFile file(studio.path(name));
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QByteArray bytes = file.readAll();
      QVERIFY(bytes.contains("cores"));
      if (first.isEmpty()) first = bytes;
      QCOMPARE(bytes, first);
    }
  }
};

QObject* makeTimelineTests() { return new TimelineTests; }

#include "timeline_tests.moc"
