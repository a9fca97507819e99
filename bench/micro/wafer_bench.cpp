// SPDX-License-Identifier: Apache-2.0
//
// The stations of one mapping on a wafer of 996 x 757 cores, and whole runs on it. `events` is per
// second.
#include <benchmark/benchmark.h>

#include "cost/model.h"
#include "schedule/verify.h"
#include "simulate/simulation.h"
#include "support/problem.h"

namespace {

using namespace gridloom;

constexpr mapping::LoopId kI(0), kJ(1), kK(2);

/// Operands pass from neighbour to neighbour; they live in the cores, or in the host's memory.
mapping::Mapping systolic(mapping::TensorLayout layout) {
  mapping::Mapping m;
  m.tileSize = {4, 4, 64};
  m.space = {kJ, kI};
  m.dimOrder = {0, 1};
  m.order = {kK};
  m.inputs = {{mapping::MovementKind::Stream, 1, 0, 1, 2},
              {mapping::MovementKind::Stream, 2, 1, 1, 2}};
  m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
  for (mapping::InputMovement& input : m.inputs) input.layout = layout;
  m.outputs.front().layout = layout;
  return m;
}

const test::Problem& wafer() {
  static const test::Problem problem =
      test::makeProblem("cerebras_like", "gemm", {{"M", 3028}, {"N", 3984}, {"K", 256}});
  return problem;
}

void makeTopology(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(test::makeProblem("cerebras_like", "gemm"));
}
BENCHMARK(makeTopology)->Unit(benchmark::kMillisecond);

void estimate(benchmark::State& state, mapping::TensorLayout layout) {
  const test::Problem& p = wafer();
  const mapping::Mapping m = systolic(layout);
  for (auto _ : state) {
    benchmark::DoNotOptimize(cost::estimate(p.kernel, p.nest, p.hw, p.compute, m));
  }
}
BENCHMARK_CAPTURE(estimate, local, mapping::TensorLayout::Local)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(estimate, host, mapping::TensorLayout::PageInterleaved)
    ->Unit(benchmark::kMillisecond);

void lower(benchmark::State& state) {
  const test::Problem& p = wafer();
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        schedule::lower(p.kernel, p.nest, p.hw, systolic(mapping::TensorLayout::Local)));
  }
}
BENCHMARK(lower)->Unit(benchmark::kMillisecond);

void verify(benchmark::State& state) {
  const test::Problem& p = wafer();
  const auto schedule =
      schedule::lower(p.kernel, p.nest, p.hw, systolic(mapping::TensorLayout::Local));
  for (auto _ : state)
    benchmark::DoNotOptimize(schedule::verify(*schedule, p.kernel, p.nest, p.hw));
}
BENCHMARK(verify)->Unit(benchmark::kMillisecond)->Iterations(1);

void simulate(benchmark::State& state, mapping::TensorLayout layout) {
  const test::Problem& p = wafer();
  auto lowered = schedule::lower(p.kernel, p.nest, p.hw, systolic(layout));
  const auto schedule = schedule::verify(*std::move(lowered), p.kernel, p.nest, p.hw);
  if (!schedule) return state.SkipWithError("the schedule is not legal");
  std::int64_t events = 0;
  for (auto _ : state) {
    base::Progress progress;
    const auto result = simulate::simulate(*schedule, {}, progress);
    if (!result) return state.SkipWithError("the simulation failed");
    events += result->events;
  }
  state.counters["events/run"] =
      static_cast<double>(events) / static_cast<double>(state.iterations());
  state.counters["events"] =
      benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(simulate, local, mapping::TensorLayout::Local)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(simulate, host, mapping::TensorLayout::PageInterleaved)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
