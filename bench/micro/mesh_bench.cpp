// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QMouseEvent>
#include <map>
#include <string>

#include "canvas/mesh_canvas.h"
#include "frame_times.h"
#include "service/workspace.h"
#include "texts/presets.h"

// Frames of the mesh while it is panned: 256 x 256 cores with links, and a wafer of 996 x 757, from
// the whole mesh to thirty cores. Counters are of single frames, in ms.

namespace {

using namespace gridloom;
using namespace gridloom::widgets;

/// A preset, with other values of its parameters.
MeshScene machine(const char* preset, const std::map<std::string, std::string>& parameters) {
  std::string text((*texts::loadHardwareText(preset))->text());
  for (const auto& [name, value] : parameters) {
    const std::size_t number = text.find("param " + name + " = ") + name.size() + 9;
    text.replace(number, text.find_first_not_of("0123456789", number) - number, value);
  }
  const auto opened = service::openHardware(base::makeSource("bench.hw", text));
  MeshScene scene = sceneOf((*opened)->topology);
  scene.heat = Heat::Work;
  for (std::size_t core = 0; core < scene.active.size(); ++core)
    scene.heatOfCore.push_back(static_cast<float>(core % 97) / 97);
  for (LinkUse& link : scene.links) link.use = 0.3F;
  return scene;
}

void panned(benchmark::State& state, const MeshScene& scene) {
  MeshCanvas canvas;
  canvas.resize(1200, 800);
  canvas.setScene(scene);
  canvas.fit();
  for (int zoom = 0; zoom < state.range(0); ++zoom) canvas.zoomIn();
  canvas.grab();
  QPointF at(600, 400);
  QMouseEvent press(QEvent::MouseButtonPress, at, at, Qt::LeftButton, Qt::LeftButton, {});
  QApplication::sendEvent(&canvas, &press);
  measureFrames(state, [&](int number) {
    at += QPointF(number % 40 < 20 ? 7 : -7, 3 - 6 * (number % 2));
    QMouseEvent move(QEvent::MouseMove, at, at, Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&canvas, &move);
    canvas.grab();
  });
  state.counters["pitch"] = canvas.viewport().pitch;
}

void large(benchmark::State& state) {
  static const MeshScene scene = machine("wormhole_8x8", {{"cols", "256"}, {"rows", "256"}});
  panned(state, scene);
}

void wafer(benchmark::State& state) {
  static const MeshScene scene = machine("cerebras_like", {});
  panned(state, scene);
}

}  // namespace

BENCHMARK(large)->ArgName("zoom")->DenseRange(0, 20, 1)->Iterations(60);
BENCHMARK(wafer)->ArgName("zoom")->DenseRange(0, 24, 1)->Iterations(60);

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication app(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
