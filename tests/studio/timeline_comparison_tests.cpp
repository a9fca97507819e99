// SPDX-License-Identifier: Apache-2.0

// Two runs on one timeline.

#include <QLabel>
#include <QToolTip>

#include "bridge/replay.h"
#include "canvas/mesh_canvas.h"
#include "canvas/mesh_moment.h"
#include "models/ranked_model.h"
#include "models/selection_hub.h"
#include "report/run_difference.h"
#include "studio_helpers.h"
#include "studio_window.h"
#include "suites.h"
#include "theme/tokens.h"
#include "timeline/timeline_canvas.h"
#include "timeline/timeline_comparison.h"
#include "timeline/timeline_parts.h"
#include "window/compare_panel.h"
#include "window/figure_strip.h"
#include "window/mesh_panel.h"
#include "window/ranked_panel.h"
#include "window/timeline_panel.h"

using namespace gridloom;
using namespace gridloom::widgets;

class TimelineComparisonTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  /// The frozen run stands above the shown one, row by row, and each band shows its own run.
  void theTimelineShowsBAgainstA() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    showTimeline(studio);
    TIMELINE_RECORDED(studio);
    TimelineCanvas* canvas = canvasOf(studio);
    studio->hub()->selectCore(9);
    const auto alone = studio->replay()->recording();
    studio.session()->freeze(0);
    QTest::qWait(50);
    QVERIFY2(!studio->replay()->against(), "A mapping beside itself shows nothing");
    QVERIFY(!canvas->scene().a);
    studio->hub()->selectCandidate(2);
    QTRY_VERIFY_WITH_TIMEOUT(studio->replay()->recording() && studio->replay()->against(),
                             StudioWindow::kPatience);
    QCOMPARE(studio->replay()->against(), alone);
    const TimelineScene& scene = canvas->scene();
    QVERIFY(scene.a);
    QCOMPARE(scene.a->cycles, alone->cycles());
    QCOMPARE(scene.range(), std::max(alone->cycles(), studio->replay()->recording()->cycles()));
    int differing = 0;
    for (const TimelineRow& row : scene.rows) {
      QCOMPARE(row.a != nullptr,
               row.match == TimelineRow::Match::Differs || row.match == TimelineRow::Match::OnlyA);
      differing += row.a != nullptr;
      QCOMPARE(row.detail.endsWith(QStringLiteral(": in A only")),
               row.match == TimelineRow::Match::OnlyA);
      QCOMPARE(row.detail.endsWith(QStringLiteral(": in B only")),
               row.match == TimelineRow::Match::OnlyB);
      if (row.match != TimelineRow::Match::Differs || row.kind != TimelineRow::Kind::Core) continue;
      const auto& cores = alone->states().cores();
      const auto core = std::ranges::find(cores, hardware::CoreId(9), &report::ActiveCore::core);
      QCOMPARE(*row.a->steps, alone->stepsOf(static_cast<std::size_t>(core - cores.begin())));
    }
    QVERIFY(differing > 0);
    // A tile of A is none that the mesh shows.
    for (std::size_t r = 0; r < scene.rows.size(); ++r) {
      const TimelineRow& row = scene.rows[r];
      if (row.kind != TimelineRow::Kind::Transfer || !row.a) continue;
      canvas->markRow(row);
      const TimelineLayout layout = canvas->layoutNow();
      const RowBands bands = bandsOf(row, layout.rowBox(r, canvas->view().scroll));
      QTest::mouseDClick(canvas, Qt::LeftButton, {}, bands.ofA.center().toPoint());
      QTest::qWait(100);
      QVERIFY(!studio->replay()->followed());
      QVERIFY(QToolTip::text().contains(QStringLiteral("the mesh shows B")));
      QTest::mouseDClick(canvas, Qt::LeftButton, {}, bands.ofB.center().toPoint());
      QTRY_VERIFY(studio->replay()->followed());
      break;
    }
    QVERIFY(studio->replay()->followed());
    // The last cycles of the longer run can be looked at.
    canvas->showRange(scene.range() - 10, scene.range());
    QCOMPARE(canvas->view().end, scene.range());
    QVERIFY(studio->exportTimeline(studio.path("ab.svg")));
    QFile file(studio.path("ab.svg"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("A above B"));
    studio.session()->unfreeze();
    QTRY_VERIFY(!canvas->scene().a);
  }

  /// Two runs are compared everywhere or nowhere: where A computes another amount, no view sets its
  /// cycles beside those of B, and the panel says why.
  void noViewComparesAnotherKernel() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    showTimeline(studio);
    TIMELINE_RECORDED(studio);
    studio.session()->freeze(0);
    studio.session()->setParameter(QStringLiteral("K"), 512);
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio->replay()->recording() && !studio->replay()->isRecording(),
                             StudioWindow::kPatience);
    QVERIFY(studio.session()->frozen().run && !studio.session()->difference());
    QVERIFY(!studio->replay()->against() && !canvasOf(studio)->scene().a);
    for (const std::size_t figure : {std::size_t{0}, std::size_t{1}, std::size_t{3}})
      QCOMPARE(studio->meshPanel()->figures()->change(figure), QString());
    QVERIFY(!studio->meshPanel()->canvas()->scene().compares);
    const RankedModel* table = studio->rankedPanel()->model();
    QCOMPARE(table->headerData(indexOf(RankedColumn::Error), Qt::Horizontal).toString(),
             QStringLiteral("Error"));
    const auto* verdict = studio->comparePanel()->findChild<QLabel*>(QStringLiteral("verdict"));
    QVERIFY2(verdict->text().contains(QStringLiteral("another kernel")),
             qPrintable(verdict->text()));
    // Back at the kernel of A, all compare again.
    studio.session()->setParameter(QStringLiteral("K"), 1024);
    STUDIO_RESTS(studio);
    studio->hub()->selectCandidate(2);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->difference() && studio->replay()->against(),
                             StudioWindow::kPatience);
    QVERIFY(!studio->meshPanel()->figures()->change(1).isEmpty());
  }

  /// What is recorded as the shown run is that of A as soon as it is frozen, and the other way
  /// round: no run is recorded twice.
  void aRunIsRecordedOnce() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    Replay* replay = studio->replay();
    replay->record();
    studio.session()->freeze(0);  // while it is being recorded
    TIMELINE_RECORDED(studio);
    const auto ofA = replay->recording();
    studio->hub()->selectCandidate(2);
    QCOMPARE(replay->against(), ofA);
    replay->record();
    TIMELINE_RECORDED(studio);
    const auto ofB = replay->recording();
    studio->hub()->selectCandidate(0);
    QCOMPARE(replay->recording(), ofA);
    QVERIFY(!replay->against());
    studio.session()->freeze(0);
    studio->hub()->selectCandidate(2);
    QCOMPARE(replay->against(), ofA);
    QVERIFY(ofB);
    // A recording on its way goes on for A.
    studio->hub()->selectCandidate(1);
    replay->record();
    QVERIFY(replay->isRecording());
    studio.session()->freeze(1);
    studio->hub()->selectCandidate(3);
    QVERIFY(replay->isRecording());
    QTRY_VERIFY_WITH_TIMEOUT(replay->against(), StudioWindow::kPatience);
  }

  /// A run beside an equal one shows no band and says so; what only one run has is named.
  void equalRowsHaveNoBands() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const auto& exploration = *studio.session()->exploration();
    service::SimulateOptions options;
    options.trace = true;
    options.window.useBins = kUseBins;
    base::Progress progress;
    const auto record = [&](std::size_t rank) {
      const auto run =
          service::simulateMapping(exploration.hardware, exploration.kernel,
                                   service::mappingAt(exploration, rank), options, progress);
      return std::make_shared<const Recording>(*run, progress);
    };
    TimelineChoice choice;
    choice.openClasses = {0, 99};
    choice.core = 9;
    const auto b = record(0);
    TimelineScene same = timelineOf(b, choice);
    const std::size_t rows = same.rows.size();
    showAgainst(same, record(0), choice);
    QCOMPARE(same.rows.size(), rows);
    for (const TimelineRow& row : same.rows) QVERIFY(!row.a);
    QCOMPARE(comparisonText(same), QStringLiteral("A and B do the same"));
    // A row per class of either run, whatever the two have in common.
    TimelineScene other = timelineOf(b, choice);
    const auto a = record(3);
    showAgainst(other, a, choice);
    for (const CoreClass& group : a->classes()) {
      QVERIFY(std::ranges::any_of(other.rows, [&](const TimelineRow& row) {
        return row.kind == TimelineRow::Kind::Class && row.title.endsWith(group.title);
      }));
    }
    QVERIFY(comparisonText(other).contains(QStringLiteral("differ")));
  }
};

QObject* makeTimelineComparisonTests() { return new TimelineComparisonTests; }

#include "timeline_comparison_tests.moc"
