// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "service/reproduce_tables.h"

namespace gridloom::service {

namespace {

constexpr const char* kMesh = "wormhole_4x8";

/// The mesh with other links and other local memories.
base::Result<std::string> meshWith(CaseRunner& runner, double latencyFactor, double memoryFactor) {
  auto whole = runner.hardware(kMesh);
  if (!whole) return whole.takeDiagnostics();
  Hardware out = **whole;
  for (hardware::Interconnect& link : out.spec.interconnects) {
    if (link.latency) link.latency->value *= latencyFactor;
  }
  for (hardware::Memory& memory : out.spec.memories) {
    if (memory.scaleout == out.spec.cores.front().scaleout) memory.size.value *= memoryFactor;
  }
  auto topology = hardware::makeTopology(out.spec);
  if (!topology) return topology.takeDiagnostics();
  out.topology = *std::move(topology);
  std::string name =
      fmt::format("{}, latency x {:g}, memory x {:g}", kMesh, latencyFactor, memoryFactor);
  runner.add(name, std::make_shared<const Hardware>(std::move(out)));
  return name;
}

CaseRequest attention(const std::string& hardware) {
  return {hardware, "flash_attention", {{"H", 4}, {"SQ", 2048}, {"SK", 2048}, {"D", 64}}, "", "",
          5};
}

}  // namespace

ReproducedTable cyclotronDataflows(CaseRunner& runner) {
  struct Flow {
    const char* name;
    const char* directives;
  };
  constexpr std::array<Flow, 3> flows{{{"both inputs broadcast (SUMMA)", "tt_2d"},
                                       {"both inputs passed on", "stream_2d"},
                                       {"weights stay, sums passed on", "weight_stationary"}}};
  report::Reproduction out;
  out.title = "Dataflows of GEMM";
  out.source = "Cyclotron (paper 004), Fig. 15: figures only as curves, of a cluster";
  out.remarks = {fmt::format("GEMM of 2048 x 2048 x 2048 on {}", kMesh)};
  std::vector<CaseResult> results;
  for (const Flow& flow : flows) {
    auto result = runner.run(
        {kMesh, "gemm", {{"M", 2048}, {"N", 2048}, {"K", 2048}}, flow.directives, "", 5});
    if (!result) return result.takeDiagnostics();
    out.figures.push_back({flow.name, "TFLOP/s", std::nullopt, result->predicted.tflops,
                           result->simulated.tflops, result->mapping});
    results.push_back(*std::move(result));
  }
  out.claims.push_back(
      {"CY-1", "broadcasting (SUMMA) is best, weight stationary slowest",
       results[0].predicted.tflops >= results[1].predicted.tflops &&
           results[1].predicted.tflops >= results[2].predicted.tflops,
       results[0].simulated.tflops >= results[1].simulated.tflops &&
           results[1].simulated.tflops >= results[2].simulated.tflops,
       fmt::format("{:.1f}, {:.1f}, {:.1f} TFLOP/s simulated", results[0].simulated.tflops,
                   results[1].simulated.tflops, results[2].simulated.tflops)});
  return out;
}

ReproducedTable cyclotronAttention(CaseRunner& runner) {
  constexpr std::array<double, 4> latencies{1, 4, 16, 64};
  constexpr std::array<double, 4> memories{1, 0.5, 0.25, 0.125};
  report::Reproduction out;
  out.title = "FlashAttention-2: use of the cores, link latency, local memory";
  out.source = "Cyclotron (paper 004), 9.1 and Fig. 16b: figures only as pictures";
  out.remarks = {
      fmt::format("4 heads, 2048 x 2048, head dimension 64, on {}", kMesh),
      "the best mapping of each machine: what a knob costs after the mapping has adapted"};
  const auto sweep = [&](const std::string& subject, double latency, double memory,
                         std::vector<CaseResult>& results) -> base::Diagnostics {
    auto name = meshWith(runner, latency, memory);
    if (!name) return name.takeDiagnostics();
    auto result = runner.run(attention(*name));
    if (!result) return result.takeDiagnostics();
    out.figures.push_back({subject, "cycles", std::nullopt, result->predicted.cycles,
                           result->simulated.cycles, result->mapping});
    results.push_back(*std::move(result));
    return {};
  };
  std::vector<CaseResult> byLatency;
  std::vector<CaseResult> byMemory;
  for (const double factor : latencies) {
    auto errors = sweep(fmt::format("link latency x {:g}", factor), factor, 1, byLatency);
    if (!errors.empty()) return errors;
  }
  for (const double factor : memories) {
    auto errors = sweep(fmt::format("local memory x {:g}", factor), 1, factor, byMemory);
    if (!errors.empty()) return errors;
  }
  const Measure& whole = byLatency.front().simulated;
  out.claims.push_back(
      {"CY-5", "PEs are used alike", std::nullopt, whole.balance > 0.9,
       fmt::format("the least used core computes {:.0f}% of what the most used one does, "
                   "{:.0f}% of the time",
                   100 * whole.balance, 100 * whole.computing)});
  const auto rises = [](const std::vector<CaseResult>& results, Measure CaseResult::*m) {
    return std::ranges::is_sorted(results, {}, [&](const CaseResult& r) { return (r.*m).cycles; });
  };
  out.claims.push_back(
      {"CY-6", "link latency and registers are knobs: slower links and less memory cost time",
       rises(byLatency, &CaseResult::predicted) && rises(byMemory, &CaseResult::predicted),
       rises(byLatency, &CaseResult::simulated) && rises(byMemory, &CaseResult::simulated),
       fmt::format("{:.2f} x the cycles at 64 x the latency, {:.2f} x at an eighth of the memory",
                   byLatency.back().simulated.cycles / whole.cycles,
                   byMemory.back().simulated.cycles / whole.cycles)});
  return out;
}

}  // namespace gridloom::service
