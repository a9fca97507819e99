// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QEventLoop>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <algorithm>
#include <array>

#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "frame_times.h"
#include "models/examples.h"
#include "models/selection_hub.h"
#include "theme/apply_theme.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"

// From a click on the mesh until the window has described and painted what is there: a core, a link
// and a channel in turn, on a small machine and on a wafer, the whole mesh and zoomed in. Nothing
// runs in the background. All is done on the window's thread, so that the time of a click is also
// for how long the window answers nothing else.

namespace {

using namespace gridloom::widgets;

void waitUntil(const auto& done) {
  while (!done()) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
}

void click(MeshCanvas& canvas, QPointF at) {
  for (const auto type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
    const auto held = type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton;
    QMouseEvent event(type, at, canvas.mapToGlobal(at), Qt::LeftButton, held, {});
    QApplication::sendEvent(&canvas, &event);
  }
}

/// A core in view, the link from it to its right neighbour, and a channel.
std::array<QPointF, 3> placesOn(const MeshCanvas& canvas) {
  const QPointF middle(canvas.width() / 2.0, canvas.height() / 2.0);
  int core = canvas.coreAt(middle);
  for (double x = middle.x(); core < 0 && x < canvas.width(); x += 3)
    core = canvas.coreAt({x, middle.y()});
  const QPointF at = canvas.centreOfCore(std::max(0, core));
  const QPointF right = at + QPointF(canvas.viewport().pitch, 0);
  const auto& memories = canvas.scene().memories;
  const QPointF channel =
      memories.empty() ? at : canvas.viewport().rectOf(memories.front().box).center();
  return {at, (at + right) / 2, channel};
}

void clicks(benchmark::State& state, const Example& example, int zoom) {
  const QTemporaryDir folder;
  MainWindow window(folder.filePath(QStringLiteral("settings.ini")));
  window.resize(1400, 900);
  window.show();
  Session& session = *window.session();
  auto project = *projectOf(example);
  project.simulate = example.isQuick;  // a wafer is simulated for seconds
  session.setProject(std::move(project));
  waitUntil([&] { return session.exploration() && !session.stale() && !session.busy(); });
  MeshCanvas& canvas = *window.meshPanel()->canvas();
  waitUntil([&] { return canvas.scene().coreCount() > 0 && !canvas.isStale(); });
  for (int i = 0; i < zoom; ++i) canvas.zoomIn();
  canvas.grab();
  const std::array<QPointF, 3> places = placesOn(canvas);
  int described = 0;
  measureFrames(state, [&](int number) {
    click(canvas, places[static_cast<std::size_t>(number % 3)]);
    const bool any = window.hub()->core() >= 0 || !window.hub()->resource().isEmpty();
    described += any ? 1 : 0;
    QCoreApplication::processEvents();
    window.grab();
  });
  state.counters["described"] = described;
  session.cancel();
}

void registerClicks() {
  static const std::vector<Example> all = examples();
  for (const Example& example : all) {
    if (example.kernel != QLatin1String("gemm")) continue;
    for (const int zoom : {0, 12}) {
      const QString name = QStringLiteral("click/%1/zoom:%2").arg(example.hardware).arg(zoom);
      benchmark::RegisterBenchmark(
          qPrintable(name),
          [&example, zoom](benchmark::State& state) { clicks(state, example, zoom); })
          ->Unit(benchmark::kMillisecond)
          ->Iterations(60)
          ->UseRealTime();
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  applyTheme(app, Scheme::Light);
  registerClicks();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
