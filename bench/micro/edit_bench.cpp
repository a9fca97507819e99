// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <QCoreApplication>
#include <QEventLoop>

#include "bridge/session.h"
#include "frame_times.h"

// From a changed parameter to the new ranking in the studio, the pause after the last key included.

namespace {

using gridloom::widgets::Session;

void rankingAfterEdit(benchmark::State& state) {
  int argc = 1;
  char name[] = "edit_bench";
  char* argv[] = {name, nullptr};
  QCoreApplication app(argc, argv);
  Session session;
  session.setSimulate(false);
  QEventLoop loop;
  QObject::connect(&session, &Session::staleChanged, &loop, [&](bool stale) {
    if (!stale) loop.quit();
  });
  auto project = gridloom::widgets::exampleProject();
  if (!project) return state.SkipWithError("the presets cannot be found");
  session.setProject(*std::move(project));
  loop.exec();
  // A new size each time: what is known already would be shown at once.
  measureFrames(state, [&](int edit) {
    session.setParameter(QStringLiteral("K"), 4096 - 32 * (edit + 1));
    loop.exec();
  });
}

}  // namespace

BENCHMARK(rankingAfterEdit)->Unit(benchmark::kMillisecond)->Iterations(60)->UseRealTime();
