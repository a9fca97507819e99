// SPDX-License-Identifier: Apache-2.0

// A tile is followed through a run.

#include <QImage>

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
#include "timeline/timeline_followed.h"
#include "window/mesh_panel.h"
#include "window/ranked_panel.h"
#include "window/timeline_panel.h"

using namespace gridloom;
using namespace gridloom::widgets;

class FollowTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  /// A multicast tile is held by every core that gets it, from its load on until it is released;
  /// each of its transfers is among the engine's tiles in flight.
  void aTileIsFollowed() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    showTimeline(studio);
    TIMELINE_RECORDED(studio);
    Replay* replay = studio->replay();
    const Recording& recording = *replay->recording();
    const double cycle = std::floor(0.5 * recording.cycles());
    studio->hub()->selectCycle(cycle);
    studio->hub()->selectCore(9);
    QVERIFY(replay->followTransferOf({9, QStringLiteral("A")}, cycle));
    QTRY_VERIFY(replay->followed());
    const report::TilePath path = *replay->followed();
    QCOMPARE(path.operand, std::string("A"));
    QVERIFY(path.whole);
    std::set<hardware::CoreId> cores;
    double end = 0;
    for (const report::TileStay& stay : path.stays) {
      QVERIFY(stay.from < stay.to);
      QVERIFY2(cores.insert(stay.core).second, "A core gets a tile once");
      end = std::max(end, stay.to);
    }
    QCOMPARE(cores.size(), std::size_t{8});  // a row or column of the mesh
    QVERIFY(cores.contains(hardware::CoreId(9)));
    QCOMPARE(path.transfers.front().activity, report::Activity::Load);
    QVERIFY(end < recording.cycles());
    int loads = 0, receives = 0;
    for (const report::TileInFlight& move : path.transfers) {
      loads += move.activity == report::Activity::Load;
      receives += move.activity == report::Activity::Receive;
      const report::RunState then = recording.states().at((move.begin + move.end) / 2);
      QVERIFY(std::ranges::any_of(then.tiles, [&](const report::TileInFlight& tile) {
        return tile.core == move.core && tile.process == move.process && tile.begin == move.begin &&
               tile.activity == move.activity;
      }));
      QVERIFY(std::ranges::any_of(path.stays, [&](const report::TileStay& stay) {
        return stay.core == move.core && stay.from <= move.begin && move.end <= stay.to;
      }));
    }
    QCOMPARE(loads, 1);
    QCOMPARE(receives, 7);
    // Both views show it, until it is no longer followed.
    const auto rows = [&] {
      return std::ranges::count(canvasOf(studio)->scene().rows, TimelineRow::Kind::Followed,
                                &TimelineRow::kind);
    };
    QCOMPARE(rows(), 8);
    const auto& moment = studio->meshPanel()->canvas()->scene().moment;
    QVERIFY(moment);
    QCOMPARE(moment->path.size(), std::size_t{8});
    replay->goTo(std::ceil(end));
    for (const PathCell& cell : moment->path) QCOMPARE(cell.phase, PathCell::Phase::Consumed);
    replay->goTo(std::floor(path.stays.front().from) - 1);
    for (const PathCell& cell : moment->path) QCOMPARE(cell.phase, PathCell::Phase::Before);
    replay->unfollow();
    QCOMPARE(rows(), 0);
    QVERIFY(moment->path.empty());
    // A result goes from where it is computed to memory.
    QVERIFY(replay->followTransferOf({9, QStringLiteral("C")}, recording.cycles()));
    QTRY_VERIFY(replay->followed());
    QCOMPARE(replay->followed()->stays.size(), std::size_t{1});
    QCOMPARE(replay->followed()->transfers.back().activity, report::Activity::Store);
    QVERIFY(!replay->followTransferOf({9, QStringLiteral("A")}, 0));
  }

  /// A click on a tile follows that one: in a timeline the tile of the row that is drawn at the
  /// pixel, whatever else its core moves then; on the mesh the tile that is drawn.
  void theTileThatIsClickedIsFollowed() {
    const StudioWindow studio(QSize(1920, 1080));
    STUDIO_RESTS(studio);
    // Every core receives and sends.
    studio.session()->setDirectives(QStringLiteral("stream(A, x)\n"));
    STUDIO_RESTS(studio);
    showTimeline(studio);
    TIMELINE_RECORDED(studio);
    Replay* replay = studio->replay();
    TimelineCanvas* canvas = canvasOf(studio);
    constexpr int kCore = 9;
    studio->hub()->selectCore(kCore);
    std::vector<TimelineRow> rows;
    for (const TimelineRow& row : canvas->scene().rows) {
      if (row.kind == TimelineRow::Kind::Transfer && row.operand == QLatin1String("A"))
        rows.push_back(row);
    }
    QCOMPARE(rows.size(), std::size_t{2});
    for (const TimelineRow& row : rows) {
      const TimelineRow& other = &row == &rows.front() ? rows.back() : rows.front();
      const double third = row.spans[row.spans.size() / 3].first;
      const auto [from, to] = other.spans[other.spans.size() / 2];
      for (const double at : {third + 0.3, (from + to) / 2}) {
        const auto after =
            std::ranges::upper_bound(row.spans, at, {}, &std::pair<double, double>::first);
        const double begin = std::prev(after)->first;
        replay->unfollow();
        canvas->showRange(at - 2, at + 2);
        canvas->markRow(row);
        const TimelineLayout layout = canvas->layoutNow();
        const auto index = static_cast<std::size_t>(canvas->view().selected);
        const double y = layout.rowBox(index, canvas->view().scroll).center().y();
        QTest::mouseDClick(canvas, Qt::LeftButton, {}, QPointF(layout.xOf(at), y).toPoint());
        QTRY_VERIFY(replay->followed());
        QVERIFY(std::ranges::any_of(replay->followed()->transfers, [&](const auto& move) {
          return move.core == hardware::CoreId(kCore) && move.activity == row.activity &&
                 move.begin == begin;
        }));
      }
    }
    MeshCanvas* mesh = studio->meshPanel()->canvas();
    replay->goTo(40000);
    mesh->fit();
    int clicked = 0;
    // Where several lie above each other, the click is on the one that is painted last.
    const auto uppermostAt = [&](QPoint at) {
      const report::TileInFlight* uppermost = nullptr;
      for (const MovingTile& tile : mesh->scene().moment->tiles) {
        const auto place = placeOfTile(mesh->scene(), mesh->viewport(), tile);
        if (place && (*place - at).manhattanLength() < 3) uppermost = &tile.move;
      }
      return *uppermost;
    };
    for (const MovingTile& tile : std::vector(mesh->scene().moment->tiles)) {
      const auto place = placeOfTile(mesh->scene(), mesh->viewport(), tile);
      if (!place) continue;
      const report::TileInFlight wanted = uppermostAt(place->toPoint());
      replay->unfollow();
      QTest::mouseClick(mesh, Qt::LeftButton, {}, place->toPoint());
      QTRY_VERIFY(replay->followed());
      QVERIFY(replay->followed()->contains(wanted));
      if (++clicked == 12) break;
    }
    QVERIFY(clicked > 2);
    // The others fade as a whole: their squares hide nothing.
    QTRY_VERIFY(!mesh->scene().moment->path.empty());
    const QImage image = mesh->grab().toImage();
    int faded = 0;
    for (const MovingTile& tile : mesh->scene().moment->tiles) {
      const auto place = placeOfTile(mesh->scene(), mesh->viewport(), tile);
      if (!place || tile.followed) continue;
      for (const int dx : {-2, 0, 2})
        QVERIFY(image.pixelColor(place->toPoint() + QPoint(dx, -2)) != lightTokens().panel);
      ++faded;
    }
    QVERIFY(faded > 0);
  }

  /// On machines and kernels of all kinds, a path is found and every transfer of it is in a stay.
  void pathsAreFoundInEveryKindOfRun_data() { addKindsOfRun(); }

  void pathsAreFoundInEveryKindOfRun() {
    QFETCH(QString, hardware);
    QFETCH(QString, kernel);
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio.chooseHardware(hardware.toLatin1().constData());
    studio.chooseKernel(kernel.toLatin1().constData());
    STUDIO_RESTS(studio);
    if (!studio.session()->runOf(0)) QSKIP("this has no simulation");
    studio->replay()->record();
    TIMELINE_RECORDED(studio);
    const Recording& recording = *studio->replay()->recording();
    const service::SimulationRun& run = recording.run();
    const report::TileTracker tracker(run.schedule, run.hardware->topology, *run.kernel->nest,
                                      recording.states(), recording.cycles());
    const base::Progress goesOn;
    int found = 0;
    for (const double share : {0.1, 0.5, 0.9}) {
      const double cycle = std::floor(share * recording.until());
      int tried = 0;
      for (const report::TileInFlight& tile : recording.states().at(cycle).tiles) {
        if (++tried > 20) break;
        const report::TilePath path = tracker.pathOf(tile, goesOn);
        if (path.stays.empty()) continue;
        ++found;
        QVERIFY(std::ranges::any_of(path.transfers, [&](const report::TileInFlight& move) {
          return move.core == tile.core && move.process == tile.process && move.begin == tile.begin;
        }));
        for (const report::TileInFlight& move : path.transfers) {
          QVERIFY(std::ranges::any_of(path.stays, [&](const report::TileStay& stay) {
            return stay.core == move.core && stay.from <= move.begin && move.begin <= stay.to;
          }));
        }
      }
    }
    qInfo("%d ways", found);
  }

  /// Of a path over many cores, the timeline says how many it shows; the selected core is among
  /// them.
  void aLongPathSaysWhatItShows() {
    const StudioWindow studio;
    QString hardware = studio.session()->project().hardwareText;
    hardware.replace(QStringLiteral("cols = 8"), QStringLiteral("cols = 16"));
    studio.session()->setHardwareText(hardware);
    STUDIO_RESTS(studio);
    showTimeline(studio);
    TIMELINE_RECORDED(studio);
    const auto recording = studio->replay()->recording();
    report::TilePath path;
    path.operand = "A";
    for (int core = 0; core < 128; ++core)
      path.stays.push_back({hardware::CoreId(core), {}, 10.0 * core, 10.0 * core + 500});
    const TimelineScene plain = timelineOf(recording, {});
    const auto shown = [&](int chosen) {
      TimelineScene scene = plain;
      showFollowed(scene, path, chosen);
      scene.rows.resize(scene.rows.size() - plain.rows.size());
      return scene.rows;
    };
    for (const int chosen : {-1, 5, 100}) {
      const auto rows = shown(chosen);
      QCOMPARE(rows.size(), kMostPathRows + 1);
      QCOMPARE(rows.front().kind, TimelineRow::Kind::Path);
      QVERIFY2(rows.front().title.startsWith(QStringLiteral("64 of 128 cores")),
               qPrintable(rows.front().title));
      QVERIFY(chosen < 0 || std::ranges::find(rows, chosen, &TimelineRow::index) != rows.end());
    }
    path.whole = false;
    QVERIFY(shown(-1).front().title.contains(QStringLiteral("of more than 128 cores")));
    path.stays.resize(kMostPathRows);
    QCOMPARE(shown(-1).size(), kMostPathRows);
    // The path ends where closing the window cancels it.
    base::Progress closing;
    closing.cancel();
    const service::SimulationRun& run = recording->run();
    const report::TileTracker tracker(run.schedule, run.hardware->topology, *run.kernel->nest,
                                      recording->states(), recording->cycles());
    const auto move = recording->transferOf({9, QStringLiteral("A")}, 40000);
    QVERIFY(move && !tracker.pathOf(*move, base::Progress()).stays.empty());
    QVERIFY(tracker.pathOf(*move, closing).stays.empty());
  }
};

QObject* makeFollowTests() { return new FollowTests; }

#include "follow_tests.moc"
