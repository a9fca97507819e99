// SPDX-License-Identifier: Apache-2.0

// The timeline and the replay: what they show is what the engine says, at every zoom and cycle.

#include <QDockWidget>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPainter>
#include <QProcess>
#include <QToolTip>
#include <random>

#include "bridge/replay.h"
#include "canvas/mesh_canvas.h"
#include "canvas/mesh_moment.h"
#include "models/ranked_model.h"
#include "models/selection_hub.h"
#include "studio_window.h"
#include "suites.h"
#include "theme/tokens.h"
#include "timeline/timeline_canvas.h"
#include "timeline/timeline_comparison.h"
#include "timeline/timeline_followed.h"
#include "timeline/timeline_parts.h"
#include "window/compare_panel.h"
#include "window/figure_strip.h"
#include "window/mesh_panel.h"
#include "window/ranked_panel.h"
#include "window/timeline_panel.h"

using namespace gridloom;
using namespace gridloom::widgets;

namespace {

/// Random states of some cores, and what each does at a cycle by a walk over its steps.
struct RandomCores {
  static constexpr int kCores = 5;
  static constexpr double kCycles = 1000;
  std::vector<std::vector<StateSteps::Step>> cores{kCores};

  explicit RandomCores(unsigned seed) {
    std::mt19937 random(seed);
    for (auto& steps : cores) {
      auto state = simulate::State::Idle;
      for (double at = 0; at < kCycles; at += static_cast<double>(random() % 40)) {
        const auto next = static_cast<simulate::State>(random() % simulate::kStates);
        if (next == state) continue;
        steps.push_back({at, state, next});
        state = next;
      }
    }
  }
  StateSteps joined() const {
    std::vector<StateSteps::Step> all;
    for (const auto& steps : cores) all.insert(all.end(), steps.begin(), steps.end());
    std::ranges::stable_sort(all, {}, &StateSteps::Step::cycle);
    return {all, kCores};
  }
  double timeIn(simulate::State wanted, double begin, double end) const {
    double sum = 0;
    for (const auto& steps : cores) {
      auto state = simulate::State::Idle;
      double at = 0;
      const auto add = [&](double until) {
        if (state == wanted) sum += std::max(0.0, std::min(until, end) - std::max(at, begin));
        at = until;
      };
      for (const auto& step : steps) {
        add(step.cycle);
        state = step.after;
      }
      add(1e9);
    }
    return sum;
  }
};

QByteArray stateOfCommand(const QString& cycle, const QString& file) {
  QProcess command;
  command.start(QStringLiteral(GRIDLOOM_COMMAND),
                {QStringLiteral("simulate"), QStringLiteral("-H"), QStringLiteral("wormhole_8x8"),
                 QStringLiteral("-K"), QStringLiteral("gemm"), QStringLiteral("--set"),
                 QStringLiteral("M=1024"), QStringLiteral("--set"), QStringLiteral("N=1024"),
                 QStringLiteral("--set"), QStringLiteral("K=1024"), QStringLiteral("--at"), cycle,
                 QStringLiteral("--json"), file});
  if (!command.waitForFinished(60000) || command.exitCode() != 0) return {};
  QFile written(file);
  return written.open(QIODevice::ReadOnly) ? written.readAll() : QByteArray();
}

}  // namespace

#define TIMELINE_RECORDED(studio)                                                                  \
  QTRY_VERIFY_WITH_TIMEOUT((studio)->replay()->recording() != nullptr, StudioWindow::kPatience)

class TimelineTests : public QObject {
  Q_OBJECT

 private:
  static void showTimeline(const StudioWindow& studio) {
    studio->findChild<QDockWidget*>(QStringLiteral("timelineDock"))->raise();
  }
  static TimelineCanvas* canvasOf(const StudioWindow& studio) {
    return studio->timelinePanel()->canvas();
  }

 private Q_SLOTS:
  void sharesAreThoseOfAWalk() {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const RandomCores random(seed);
      const StateSteps steps = random.joined();
      for (const std::size_t columns : {std::size_t{1}, std::size_t{7}, std::size_t{900}}) {
        const double begin = 10.5 * seed, width = 300.0 / static_cast<double>(columns);
        std::vector<std::array<float, simulate::kStates>> shares;
        steps.shares(begin, width, shares, columns);
        for (std::size_t c = 0; c < columns; ++c) {
          float sum = 0;
          for (std::size_t s = 0; s < simulate::kStates; ++s) {
            const double from = begin + width * static_cast<double>(c);
            const double expected =
                random.timeIn(static_cast<simulate::State>(s), from, from + width) /
                (width * RandomCores::kCores);
            QVERIFY(std::abs(static_cast<double>(shares[c][s]) - expected) < 1e-4);
            sum += shares[c][s];
          }
          QVERIFY(std::abs(sum - 1.0F) < 1e-3F);
        }
      }
    }
  }

  /// Of a million cycles, one in which a link is busy stays visible, and so does one core that
  /// waits where rows are scan lines.
  void whatIsHotStaysVisible() {
    std::vector<float> use(8192, 0.0F);
    use[5000] = 1.0F;
    TimelineScene scene;
    scene.cycles = scene.until = 1e6;
    scene.binCycles = 1e6 / 8192;
    TimelineRow link;
    link.kind = TimelineRow::Kind::Link;
    link.use = use;
    scene.rows.push_back(link);
    TimelineRow core;
    core.kind = TimelineRow::Kind::Core;
    using simulate::State;
    core.steps = std::make_shared<StateSteps>(
        std::vector<StateSteps::Step>{{0, State::Idle, State::Compute},
                                      {5e5, State::Compute, State::WaitDram},
                                      {5e5 + 100, State::WaitDram, State::Compute}},
        1);
    core.tiles = std::make_shared<std::vector<TileMark>>();
    scene.rows.push_back(core);
    for (const double scale : {1.0, 0.06}) {
      TimelineView view;
      view.end = scene.cycles;
      view.rowScale = scale;
      QImage image(700, 160, QImage::Format_ARGB32_Premultiplied);
      image.fill(Qt::white);
      QPainter painter(&image);
      paintTimeline(painter, QRectF(image.rect()), scene, view, lightTokens());
      painter.end();
      const TimelineLayout layout(scene, QRectF(image.rect()), view);
      const QRectF box = layout.rowBox(0, 0);
      bool found = false, waits = false;
      for (int x = 0; x < image.width(); ++x) {
        found = found || image.pixelColor(x, static_cast<int>(box.center().y())).saturation() > 90;
        const QRectF row = layout.rowBox(1, 0);
        for (int y = static_cast<int>(row.top()); y <= static_cast<int>(row.bottom()); ++y)
          waits = waits || image.pixelColor(x, y) == lightTokens().memory;
      }
      if (scale == 1.0) QVERIFY2(found, "the busy cycle of the link");
      if (scale < 1) QVERIFY2(waits, "the wait of the core");
    }
  }

  /// The state at the cursor is that of `gridloom simulate --at`.
  void theReplayEqualsTheCommand() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    showTimeline(studio);
    TIMELINE_RECORDED(studio);
    const Recording& recording = *studio->replay()->recording();
    for (const double share : {0.0, 0.07, 0.31, 0.5, 0.77, 0.999, 1.0}) {
      const double cycle = std::floor(share * recording.cycles());
      const QByteArray json =
          stateOfCommand(QString::number(cycle, 'f', 0), studio.path("state.json"));
      QVERIFY(!json.isEmpty());
      const QJsonObject told = QJsonDocument::fromJson(json).object();
      QCOMPARE(told.value(QStringLiteral("cycles")).toDouble(), recording.cycles());
      studio->hub()->selectCycle(cycle);
      const report::RunState* state = studio->replay()->state();
      QVERIFY(state);
      const MeshMoment moment = momentOf(recording, *state);
      QCOMPARE(QJsonValue(cycle), told.value(QStringLiteral("cycle")));
      const QJsonObject totals = told.value(QStringLiteral("states")).toObject();
      for (std::size_t s = 0; s < simulate::kStates; ++s) {
        const QString name = text(simulate::nameOf(static_cast<simulate::State>(s)));
        QCOMPARE(moment.totals[s], totals.value(name).toInteger());
      }
      const QJsonArray cores = told.value(QStringLiteral("cores")).toArray();
      QCOMPARE(static_cast<std::size_t>(cores.size()), recording.states().cores().size());
      for (qsizetype c = 0; c < cores.size(); ++c) {
        const auto core = recording.states().cores()[static_cast<std::size_t>(c)].core;
        const auto now = static_cast<simulate::State>(moment.states[core.index()]);
        QCOMPARE(text(simulate::nameOf(now)),
                 cores[c].toObject().value(QStringLiteral("state")).toString());
      }
      // What each core holds in its buffers.
      std::map<int, QStringList> held;
      for (const HeldBuffer& buffer : moment.buffers)
        held[buffer.core] << QStringLiteral("%1 %2/%3 %4")
                                 .arg(buffer.name)
                                 .arg(buffer.used)
                                 .arg(buffer.slots)
                                 .arg(buffer.bytes);
      for (qsizetype c = 0; c < cores.size(); ++c) {
        const auto core = recording.states().cores()[static_cast<std::size_t>(c)].core;
        QStringList said;
        for (const QJsonValue& each :
             cores[c].toObject().value(QStringLiteral("buffers")).toArray())
          said << QStringLiteral("%1 %2/%3 %4")
                      .arg(each[QStringLiteral("name")].toString())
                      .arg(each[QStringLiteral("used")].toInt())
                      .arg(each[QStringLiteral("slots")].toInt())
                      .arg(each[QStringLiteral("bytes")].toInteger());
        QCOMPARE(held[static_cast<int>(core.value())], said);
      }
      if (share > 0.3 && share < 1) QVERIFY(!held.empty());
      const QJsonArray tiles = told.value(QStringLiteral("tiles_in_flight")).toArray();
      QCOMPARE(static_cast<std::size_t>(tiles.size()), moment.tiles.size());
      for (qsizetype t = 0; t < tiles.size(); ++t) {
        const QJsonObject tile = tiles[t].toObject();
        const MovingTile& moving = moment.tiles[static_cast<std::size_t>(t)];
        QCOMPARE(moving.operand, tile.value(QStringLiteral("operand")).toString());
        QCOMPARE(text(report::nameOf(moving.move.activity)),
                 tile.value(QStringLiteral("activity")).toString());
        QVERIFY(std::abs(moving.move.done - tile.value(QStringLiteral("done")).toDouble()) < 1e-5);
      }
    }
  }

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

  /// On machines and kernels of all kinds, a path is found and every transfer of it is in a stay.
  void pathsAreFoundInEveryKindOfRun_data() { everyKindOfRunIsShown_data(); }
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

  /// Behind the last event that is recorded, a core is neither empty nor idle: nothing is known.
  void whatIsNotRecordedIsNotShown() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const auto& exploration = *studio.session()->exploration();
    service::SimulateOptions options;
    options.trace = true;
    options.window.slots = true;
    const base::Progress progress;
    const auto recorded = [&](std::int64_t most) {
      options.window.spans = most;
      base::Progress own;
      const auto run = service::simulateMapping(exploration.hardware, exploration.kernel,
                                                service::mappingAt(exploration, 0), options, own);
      return std::make_shared<const Recording>(*run, progress);
    };
    const auto whole = recorded(1'000'000), part = recorded(800);
    QVERIFY(!whole->isTruncated() && part->isTruncated());
    const auto at = [](const Recording& recording, double cycle) {
      return momentOf(recording, recording.states().at(cycle));
    };
    QVERIFY(part->slotsUntil() > 0 && part->slotsUntil() < part->cycles());
    for (const double share : {0.1, 0.5, 0.9, 0.999}) {
      const double before = std::floor(share * part->slotsUntil());
      const MeshMoment known = at(*part, before), all = at(*whole, before);
      QVERIFY(known.knowsSlots);
      QCOMPARE(known.fill, all.fill);
      const double early = std::floor(share * part->until());
      QCOMPARE(at(*part, early).states, at(*whole, early).states);
      QVERIFY(at(*whole, share * whole->cycles()).knowsSlots);
    }
    const double behind = 0.99 * part->cycles();
    QVERIFY(at(*whole, behind).knowsSlots && at(*whole, behind).knowsStates);
    const MeshMoment unknown = at(*part, behind);
    QVERIFY(!unknown.knowsSlots && !unknown.knowsStates);
    QVERIFY(unknown.fill.empty() && unknown.buffers.empty());
    for (const std::uint8_t state : unknown.states) QCOMPARE(state, MeshMoment::kNoProgram);
    MeshScene scene = studio->meshPanel()->canvas()->scene();
    scene.moment = std::make_shared<const MeshMoment>(unknown);
    QVERIFY2(scene.describe(9).contains(QStringLiteral("not recorded")),
             qPrintable(scene.describe(9)));
    // The states may be known for longer than the slots.
    MeshMoment statesOnly = at(*whole, behind);
    statesOnly.knowsSlots = false;
    statesOnly.buffers.clear();
    scene.moment = std::make_shared<const MeshMoment>(statesOnly);
    QVERIFY2(scene.describe(9).contains(QStringLiteral("buffers in use: not recorded")),
             qPrintable(scene.describe(9)));
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

  /// Several statements, windows, partial sums; a ring and a single core.
  void everyKindOfRunIsShown_data() {
    QTest::addColumn<QString>("hardware");
    QTest::addColumn<QString>("kernel");
    for (const char* kernel : {"softmax", "conv2d", "ttm"})
      for (const char* hardware : {"wormhole_4x8", "spyre_ring", "systolic_32x32"})
        QTest::addRow("%s on %s", kernel, hardware)
            << QString::fromLatin1(hardware) << QString::fromLatin1(kernel);
  }
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
