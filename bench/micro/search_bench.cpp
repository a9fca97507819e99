// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "search/search.h"
#include "support/problem.h"

namespace {

using gridloom::test::makeProblem;
using gridloom::test::Settings;

void explore(benchmark::State& state, const char* hardware, const char* kernel, Settings settings,
             bool exhaustive) {
  const auto p = makeProblem(hardware, kernel, settings);
  gridloom::search::Options options;
  options.exhaustive = exhaustive;
  double evaluated = 0, size = 0;
  for (auto _ : state) {
    gridloom::base::Progress progress;
    const auto outcome = topK(p.kernel, p.nest, p.hw, {}, options, progress);
    evaluated = static_cast<double>(outcome->space.evaluated);
    size = static_cast<double>(outcome->space.size);
  }
  state.counters["space"] = size;
  state.counters["evaluated"] = evaluated;
  state.counters["evaluated/s"] =
      benchmark::Counter(evaluated, benchmark::Counter::kIsIterationInvariantRate);
}

// The whole model for every point that fits, without bounds.
void wholeModel(benchmark::State& state) {
  const auto p = makeProblem("wormhole_8x8", "gemm", {{"M", 512}, {"N", 512}, {"K", 512}});
  gridloom::search::Options options;
  options.exhaustive = true;
  options.trustBounds = false;
  double whole = 0;
  for (auto _ : state) {
    gridloom::base::Progress progress;
    const auto outcome = topK(p.kernel, p.nest, p.hw, {}, options, progress);
    whole = static_cast<double>(outcome->space.evaluated);
  }
  state.counters["whole"] = whole;
  state.counters["whole/s"] =
      benchmark::Counter(whole, benchmark::Counter::kIsIterationInvariantRate);
}

void gemm4096(benchmark::State& s) {
  explore(s, "wormhole_8x8", "gemm", {{"M", 4096}, {"N", 4096}, {"K", 4096}}, false);
}
void gemm4096Exhaustive(benchmark::State& s) {
  explore(s, "wormhole_8x8", "gemm", {{"M", 4096}, {"N", 4096}, {"K", 4096}}, true);
}
void flashAttention(benchmark::State& s) {
  explore(s, "wormhole_8x8", "flash_attention", {}, false);
}
// A port at every core: many traffic patterns, each over all links.
void gemmOnMesh64(benchmark::State& s) {
  const std::string mesh = gridloom::test::smallMesh(64, 64, 12, 1 << 20);
  explore(s, mesh.c_str(), "gemm", {{"M", 4096}, {"N", 4096}, {"K", 4096}}, false);
}

// Until something can be shown.
void firstRanking(benchmark::State& s) {
  const auto p = makeProblem("wormhole_8x8", "gemm");
  for (auto _ : s) {
    gridloom::base::Progress progress;
    gridloom::search::Options options;
    options.onImproved = [&](const gridloom::search::Outcome&) { progress.cancel(); };
    benchmark::DoNotOptimize(topK(p.kernel, p.nest, p.hw, {}, options, progress));
  }
}

void conv2d(benchmark::State& s) { explore(s, "wormhole_8x8", "conv2d", {}, false); }

// Spaces in which items that compute fastest are not the best ones.
void mhaOnNpu(benchmark::State& s) { explore(s, "npu_strix_4x8", "mha", {}, false); }
void ttmcOnNpu(benchmark::State& s) { explore(s, "npu_phoenix_4x4", "ttmc", {}, false); }

}  // namespace

BENCHMARK(gemm4096)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(gemm4096Exhaustive)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
BENCHMARK(wholeModel)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
BENCHMARK(gemmOnMesh64)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
BENCHMARK(firstRanking)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(flashAttention)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(conv2d)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
BENCHMARK(mhaOnNpu)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
BENCHMARK(ttmcOnNpu)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
