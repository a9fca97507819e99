// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <vector>

#include "canvas/mesh_canvas.h"
#include "canvas/mesh_moment.h"
#include "report/run_states.h"
#include "service/workspace.h"
#include "texts/presets.h"
#include "theme/tokens.h"
#include "timeline/recording.h"
#include "timeline/timeline_painter.h"

// A frame of the timeline with 10^6 spans on 64 tracks at every zoom; a seek in a trace of 10^7
// spans; a seek in a recorded run of 65,536 cores, up to the frame of the mesh. The counters are of
// single frames and seeks: p50, p95 and the longest, in milliseconds.

namespace {

using namespace gridloom;
using namespace gridloom::widgets;
using simulate::State;

constexpr int kTracks = 64;
constexpr double kCycles = 1e7;
constexpr QSize kPage{1500, 1400};  // every track is visible

void summarize(benchmark::State& state, std::vector<double>& milliseconds) {
  std::ranges::sort(milliseconds);
  const auto at = [&](double share) {
    return milliseconds[static_cast<std::size_t>(share *
                                                 static_cast<double>(milliseconds.size() - 1))];
  };
  state.counters["p50"] = at(0.5);
  state.counters["p95"] = at(0.95);
  state.counters["max"] = at(1);
}

template <class Work> double timed(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

TimelineScene sceneOf(int spans) {
  std::mt19937 random(7);
  TimelineScene scene;
  scene.cycles = scene.until = kCycles;
  const int each = spans / kTracks;
  std::vector<StateSteps::Step> all;
  for (int t = 0; t < kTracks; ++t) {
    std::vector<StateSteps::Step> steps;
    std::vector<TileMark> tiles;
    auto now = State::Idle;
    for (int n = 0; n < each; ++n) {
      const auto next = n % 2 == 0 ? State::Compute : static_cast<State>(1 + random() % 5);
      const double at = kCycles * (n + static_cast<double>(random() % 90) / 100) / each;
      steps.push_back({at, now, next});
      if (next != State::Compute && !tiles.empty())
        tiles.back().firstEnd = tiles.back().lastEnd = at;
      if (next == State::Compute) tiles.push_back({at, at, at, at});
      now = next;
    }
    all.insert(all.end(), steps.begin(), steps.end());
    TimelineRow row;
    row.kind = TimelineRow::Kind::Core;
    row.title = QStringLiteral("core %1").arg(t);
    row.steps = std::make_shared<const StateSteps>(std::move(steps), 1);
    row.tiles = std::make_shared<const std::vector<TileMark>>(std::move(tiles));
    scene.rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(all, {}, &StateSteps::Step::cycle);
  scene.whole.push_back(std::make_shared<const StateSteps>(std::move(all), kTracks));
  return scene;
}

/// Pans and zooms from the whole run to one cycle.
void frame(benchmark::State& state) {
  const TimelineScene scene = sceneOf(static_cast<int>(state.range(0)));
  QImage image(kPage, QImage::Format_ARGB32_Premultiplied);
  std::vector<double> milliseconds;
  for (auto _ : state) {
    for (double width = kCycles; width >= 1; width /= 3) {
      for (const double part : {0.0, 0.31, 0.77}) {
        TimelineView view;
        view.begin = (kCycles - width) * part;
        view.end = view.begin + width;
        view.cursor = view.begin + width / 2;
        milliseconds.push_back(timed([&] {
          image.fill(Qt::white);
          QPainter painter(&image);
          paintTimeline(painter, QRectF(image.rect()), scene, view, lightTokens());
        }));
      }
    }
  }
  summarize(state, milliseconds);
}

/// A run of `spans` spans on 64 cores of 4 processes, tiles that overlap included.
void seek(benchmark::State& state) {
  const auto cores = static_cast<std::size_t>(state.range(1));
  constexpr std::size_t kProcesses = 4;
  schedule::Schedule schedule;
  schedule.programs.resize(1);
  schedule.programs[0].processes.resize(kProcesses);
  using Role = schedule::Process::Role;
  for (std::size_t p = 0; p < kProcesses; ++p)
    schedule.programs[0].processes[p].role = p == 0 ? Role::Compute : Role::Mover;
  schedule.programOfCore.assign(cores, schedule::ProgramId::of(std::size_t{0}));
  simulate::Simulation run;
  run.cycles = kCycles;
  const auto each = static_cast<std::size_t>(state.range(0)) / (cores * kProcesses);
  for (std::size_t c = 0; c < cores; ++c) {
    for (std::size_t p = 0; p < kProcesses; ++p) {
      for (std::size_t n = 0; n < each; ++n) {
        const double step = kCycles / static_cast<double>(each);
        const double begin = step * static_cast<double>(n);
        const bool computes = p == 0;
        run.trace.spans.push_back({hardware::CoreId::of(c), static_cast<std::int16_t>(p),
                                   computes ? State::Compute : State::WaitLink,
                                   static_cast<std::int8_t>(computes ? 0 : n % 3), begin,
                                   begin + step * (computes ? 0.8 : 1.9)});
      }
    }
  }
  const gridloom::report::RunStates states(schedule, run);
  std::mt19937_64 random(3);
  std::vector<double> milliseconds;
  for (auto _ : state) {
    const double cycle = kCycles * static_cast<double>(random() % 1000000) / 1e6;
    milliseconds.push_back(timed([&] { benchmark::DoNotOptimize(states.at(cycle)); }));
  }
  summarize(state, milliseconds);
}

/// A systolic GEMM on 256 x 256 cores, recorded as the studio does it.
std::shared_ptr<const Recording> recordedWafer() {
  std::string hardware((*texts::loadHardwareText("cerebras_like"))->text());
  for (const auto& [from, to] :
       {std::pair("cols = 996", "cols = 256"), std::pair("rows = 757", "rows = 256")})
    hardware.replace(hardware.find(from), std::string_view(from).size(), to);
  const auto machine = service::openHardware(base::makeSource("bench.hw", hardware));
  service::KernelOptions sizes;
  sizes.set = {{"M", 1536}, {"N", 1280}, {"K", 4096}};
  const auto kernel = service::openKernel(*texts::loadKernelText("gemm"), sizes);
  const auto directives =
      service::openDirectives(*texts::loadDirectivesText("wafer_gemm"), **kernel, **machine);
  base::Progress progress;
  service::ExploreOptions one;
  one.top = 1;
  const auto found = service::explore(*machine, *kernel, *directives, one, progress);
  service::SimulateOptions options;
  options.trace = true;
  options.window.slots = true;
  options.window.spans = kMostSpans;
  options.window.useBins = kUseBins;
  const auto run = service::simulateMapping(*machine, *kernel, service::mappingAt(**found, 0),
                                            options, progress);
  return std::make_shared<const Recording>(*run, progress);
}

/// A seek on a mesh of 65,536 cores, up to its frame, with that many pixels per core. `states` and
/// `moment` are parts of it, in ms: what the engine finds, and what the mesh makes of it.
void seekOnMesh(benchmark::State& state) {
  static const std::shared_ptr<const Recording> recording = recordedWafer();
  MeshCanvas canvas;
  canvas.resize(1200, 800);
  canvas.setScene(gridloom::widgets::sceneOf(recording->run().hardware->topology));
  canvas.fit();
  while (canvas.viewport().pitch < static_cast<double>(state.range(0))) canvas.zoomIn();
  canvas.grab();
  std::mt19937_64 random(3);
  std::vector<double> milliseconds, states, moments;
  for (auto _ : state) {
    const double cycle = recording->until() * static_cast<double>(random() % 1000) / 1000;
    report::RunState at;
    std::shared_ptr<const MeshMoment> moment;
    states.push_back(timed([&] { at = recording->states().at(cycle); }));
    moments.push_back(
        timed([&] { moment = std::make_shared<const MeshMoment>(momentOf(*recording, at)); }));
    milliseconds.push_back(states.back() + moments.back() + timed([&] {
                             canvas.setMoment(moment);
                             canvas.grab();
                           }));
  }
  summarize(state, milliseconds);
  std::ranges::sort(states);
  std::ranges::sort(moments);
  state.counters["states"] = states[states.size() / 2];
  state.counters["moment"] = moments[moments.size() / 2];
}

}  // namespace

BENCHMARK(frame)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->Iterations(5);
BENCHMARK(seek)
    ->Args({10'000'000, 64})
    ->Args({10'000'000, 4096})
    ->Args({10'000'000, 65536})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(60);

BENCHMARK(seekOnMesh)
    ->ArgName("pitch")
    ->Arg(1)
    ->Arg(30)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(60);

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication app(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
