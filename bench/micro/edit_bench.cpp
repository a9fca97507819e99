// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <QCoreApplication>
#include <QEventLoop>

#include "bridge/session.h"
#include "frame_times.h"

// From a changed parameter to what the studio shows of it, the pause after the last key included.

namespace {

using gridloom::widgets::Session;

/// The size that the shown result is of; 0 without one.
std::int64_t shownSize(const Session& session) {
  const auto shown = session.exploration();
  if (!shown) return 0;
  for (const auto& parameter : shown->kernel->kernel.parameters) {
    if (parameter.name == "K") return parameter.value;
  }
  return 0;
}

/// `wait` returns when what was asked for is shown, of this size.
template <class Wait> void afterEdits(benchmark::State& state, Wait wait) {
  int argc = 1;
  char name[] = "edit_bench";
  char* argv[] = {name, nullptr};
  QCoreApplication app(argc, argv);
  Session session;
  auto project = gridloom::widgets::exampleProject();
  if (!project) return state.SkipWithError("the presets cannot be found");
  session.setProject(*std::move(project));
  constexpr int kSize = 4096;
  wait(session, kSize);
  // A new size each time: what is known already would be shown at once.
  measureFrames(state, [&](int edit) {
    const int size = kSize - 32 * (edit + 1);
    session.setParameter(QStringLiteral("K"), size);
    wait(session, size);
  });
}

/// The model's ranking, which is shown while its first mappings are simulated.
void predictionAfterEdit(benchmark::State& state) {
  afterEdits(state, [](Session& session, int size) {
    QEventLoop loop;
    QObject::connect(&session, &Session::explorationChanged, &loop, [&] {
      if (shownSize(session) == size) loop.quit();
    });
    loop.exec();
  });
}

/// The ranking by simulation.
void rankingAfterEdit(benchmark::State& state) {
  afterEdits(state, [](Session& session, int size) {
    QEventLoop loop;
    QObject::connect(&session, &Session::explorationChanged, &loop, [&] {
      if (!session.stale() && shownSize(session) == size) loop.quit();
    });
    loop.exec();
  });
}

}  // namespace

BENCHMARK(predictionAfterEdit)->Unit(benchmark::kMillisecond)->Iterations(60)->UseRealTime();
BENCHMARK(rankingAfterEdit)->Unit(benchmark::kMillisecond)->Iterations(60)->UseRealTime();
