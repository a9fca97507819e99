// SPDX-License-Identifier: Apache-2.0

// What is recorded of a run, beside the states that the command prints.

#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QProcess>
#include <random>

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

class RecordingTests : public QObject {
  Q_OBJECT

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
};

QObject* makeRecordingTests() { return new RecordingTests; }

#include "recording_tests.moc"
