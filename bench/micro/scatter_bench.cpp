// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "charts/scatter_plot.h"
#include "frame_times.h"

// Frames of the scatter with 2 * 10^5 points: drawn anew (data, size, brush), with the pointer
// moving over it, and with a rectangle that is dragged. Counters are of single frames, in ms.

namespace {

using namespace gridloom::widgets;

ScatterData pointsOf(int count) {
  std::mt19937 random(5);
  std::lognormal_distribution<double> cycles(13, 0.6);
  std::normal_distribution<double> error(0, 0.08);
  ScatterData data;
  data.expected = static_cast<std::size_t>(count);
  for (int i = 0; i < count; ++i) {
    const double simulated = cycles(random);
    data.points.push_back({simulated * std::exp(error(random)), simulated, i});
  }
  return data;
}

/// A size that changes with every frame makes all of it be drawn anew.
void redrawn(benchmark::State& state) {
  ScatterPlot plot(QStringLiteral("bench"));
  plot.setData(pointsOf(static_cast<int>(state.range(0))));
  measureFrames(state, [&](int number) {
    plot.resize(1200 + number % 2, 800);
    plot.grab();
  });
}

void brushed(benchmark::State& state) {
  ScatterPlot plot(QStringLiteral("bench"));
  plot.resize(1200, 800);
  plot.setData(pointsOf(static_cast<int>(state.range(0))));
  measureFrames(state, [&](int number) {
    std::vector<int> ids;
    for (int id = number % 2; id < state.range(0); id += 2) ids.push_back(id);
    plot.setBrushed(ids);
    plot.grab();
  });
}

void pointed(benchmark::State& state) {
  ScatterPlot plot(QStringLiteral("bench"));
  plot.resize(1200, 800);
  plot.setData(pointsOf(static_cast<int>(state.range(0))));
  plot.grab();
  const auto buttons = state.range(1) ? Qt::LeftButton : Qt::NoButton;
  measureFrames(state, [&](int number) {
    const QPointF at(200 + number % 700, 700 - number % 600);
    QMouseEvent move(QEvent::MouseMove, at, at, Qt::NoButton, buttons, Qt::NoModifier);
    QApplication::sendEvent(&plot, &move);
    plot.grab();
  });
}

}  // namespace

BENCHMARK(redrawn)->Arg(200'000)->Unit(benchmark::kMillisecond)->Iterations(60);
BENCHMARK(brushed)->Arg(200'000)->Unit(benchmark::kMillisecond)->Iterations(60);
BENCHMARK(pointed)
    ->ArgNames({"points", "dragged"})
    ->Args({200'000, 0})
    ->Args({200'000, 1})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(60);

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication app(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
