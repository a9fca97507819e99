// SPDX-License-Identifier: Apache-2.0
//
// Transfers on Wormhole's network, without a kernel. `transfers` is per second.
#include <benchmark/benchmark.h>

#include <random>

#include "network/transfers.h"
#include "support/problem.h"

namespace {

using namespace gridloom;
using Step = network::TransferStep;

/// Every core reads and writes at random places; `wait` transfers at a time, each of up to `most`
/// bytes.
network::TransferProgram randomTransfers(const hardware::Topology& hw, int perCore, int wait,
                                         int most) {
  std::mt19937 random(1);
  network::TransferProgram program;
  for (std::int64_t c = 0; c < hw.coreCount(); ++c) {
    network::TransferProcessor& processor = program.processors.emplace_back();
    processor.node = hw.nodeOf(hardware::CoreId(static_cast<std::int32_t>(c)));
    for (int i = 0; i < perCore; ++i) {
      Step step;
      step.kind = random() % 2 == 0 ? Step::Kind::Read : Step::Kind::Write;
      const auto core =
          static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(hw.coreCount()));
      step.peer = hw.nodeOf(hardware::CoreId(core)).value();
      step.bytes = 32 + static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(most));
      processor.steps.push_back(step);
      if (i % wait != wait - 1) continue;
      step.kind = Step::Kind::Wait;
      step.waitsFor = Step::Reads | Step::Writes;
      processor.steps.push_back(step);
    }
  }
  return program;
}

void transfers(benchmark::State& state, int wait, int most) {
  const hardware::Topology hw = test::makeProblem("wormhole_n150", "gemm").hw;
  const network::TransferProgram program = randomTransfers(hw, 1000, wait, most);
  network::TransferOptions options;
  options.issue = network::IssueOrder::Free;
  std::int64_t count = 0;
  std::int64_t events = 0;
  for (auto _ : state) {
    base::Progress progress;
    const auto result = network::simulateTransfers(program, hw, options, progress);
    if (!result) return state.SkipWithError("the transfers do not end");
    count += result->transfers;
    events += result->events;
  }
  state.counters["transfers"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsRate);
  state.counters["events"] =
      benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(transfers, light, 1, 256)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transfers, pages, 8, 2048)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transfers, saturated, 1000, 4096)->Unit(benchmark::kMillisecond);

}  // namespace
