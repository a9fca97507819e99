// SPDX-License-Identifier: Apache-2.0
//
// Simulation of whole kernels at real sizes. `events` is per second.
#include <benchmark/benchmark.h>

#include <optional>
#include <ostream>
#include <streambuf>

#include "exchange/trace_json.h"
#include "schedule/verify.h"
#include "search/search.h"
#include "simulate/simulation.h"
#include "support/problem.h"

namespace {

using namespace gridloom;

base::Result<schedule::VerifiedSchedule> verified(const test::Problem& p,
                                                  const mapping::Mapping& m) {
  auto schedule = schedule::lower(p.kernel, p.nest, p.hw, m);
  if (!schedule) return schedule.takeDiagnostics();
  return schedule::verify(*std::move(schedule), p.kernel, p.nest, p.hw);
}

void run(benchmark::State& state, const test::Problem& p, const mapping::Mapping& m) {
  const auto schedule = verified(p, m);
  if (!schedule) return state.SkipWithError("the schedule is not legal");
  std::int64_t events = 0;
  double cycles = 0;
  for (auto _ : state) {
    base::Progress progress;
    const auto result = simulate::simulate(*schedule, {}, progress);
    if (!result) return state.SkipWithError("the simulation failed");
    events += result->events;
    cycles = result->cycles;
  }
  state.counters["cycles"] = cycles;
  state.counters["events/run"] =
      static_cast<double>(events) / static_cast<double>(state.iterations());
  state.counters["events"] =
      benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}

std::optional<mapping::Mapping> bestOf(const test::Problem& p) {
  base::Progress progress;
  search::Options options;
  options.top = 1;
  const auto best = search::topK(p.kernel, p.nest, p.hw, {}, options, progress);
  if (!best || best->top.empty()) return std::nullopt;
  return best->top.front().mapping;
}

void bestGemm(benchmark::State& state, const char* hardware, std::int64_t size) {
  const test::Problem p =
      test::makeProblem(hardware, "gemm", {{"M", size}, {"N", size}, {"K", size}});
  const auto best = bestOf(p);
  if (!best) return state.SkipWithError("nothing fits");
  run(state, p, *best);
}
BENCHMARK_CAPTURE(bestGemm, wormhole_8x8, "wormhole_8x8", 4096)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bestGemm, wormhole_8x8_16384, "wormhole_8x8", 16384)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bestGemm, wormhole_n150, "wormhole_n150", 4096)->Unit(benchmark::kMillisecond);

/// Takes what is written, and counts it.
class Sink : public std::streambuf {
 public:
  std::int64_t bytes = 0;

 protected:
  int overflow(int c) override {
    ++bytes;
    return c == EOF ? 0 : c;
  }
  std::streamsize xsputn(const char*, std::streamsize count) override {
    bytes += count;
    return count;
  }
};

// Every event, and the whole trace as text.
void traceGemm(benchmark::State& state) {
  const test::Problem p = test::makeProblem("wormhole_8x8", "gemm");
  const auto best = bestOf(p);
  if (!best) return state.SkipWithError("nothing fits");
  const auto schedule = verified(p, *best);
  if (!schedule) return state.SkipWithError("the schedule is not legal");
  simulate::Options options;
  options.trace = true;
  Sink sink;
  for (auto _ : state) {
    base::Progress progress;
    const auto result = simulate::simulate(*schedule, options, progress);
    if (!result) return state.SkipWithError("the simulation failed");
    std::ostream out(&sink);
    exchange::writeTrace(out, *result, (*schedule)->schedule, p.nest, p.hw);
  }
  state.SetBytesProcessed(sink.bytes);
}
BENCHMARK(traceGemm)->Unit(benchmark::kMillisecond);

// Every core loads every tile itself: the most traffic a mapping can make.
void directGemm(benchmark::State& state) {
  const test::Problem p = test::makeProblem("wormhole_8x8", "gemm");
  mapping::Mapping m;
  m.tileSize = {128, 128, 128};
  m.space = {mapping::LoopId(0), mapping::LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {mapping::LoopId(0), mapping::LoopId(1), mapping::LoopId(2)};
  m.inputs = {{mapping::MovementKind::Direct, 0, 0, 3, 2},
              {mapping::MovementKind::Direct, 0, 0, 3, 2}};
  m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
  run(state, p, m);
}
BENCHMARK(directGemm)->Unit(benchmark::kMillisecond);

void verifyGemm(benchmark::State& state) {
  const test::Problem p = test::makeProblem("wormhole_8x8", "gemm");
  mapping::Mapping m;
  m.tileSize = {128, 128, 128};
  m.space = {mapping::LoopId(0), mapping::LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {mapping::LoopId(0), mapping::LoopId(1), mapping::LoopId(2)};
  m.inputs = {{mapping::MovementKind::Multicast, 2, 1, 3, 2},
              {mapping::MovementKind::Multicast, 1, 0, 3, 2}};
  m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
  const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, m);
  for (auto _ : state)
    benchmark::DoNotOptimize(schedule::verify(*schedule, p.kernel, p.nest, p.hw));
}
BENCHMARK(verifyGemm)->Unit(benchmark::kMillisecond);

}  // namespace
