// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "network/traffic_programs.h"
#include "network/transfers.h"
#include "study/quantity.h"
#include "study/runs.h"

namespace gridloom::study {

namespace {

/// Random placements over which a figure for randomly placed tiles is the mean.
constexpr int kPlacements = 10;
constexpr double kWarmUp = 1000;  ///< cycles
constexpr double kMeasured = 4000;
constexpr double kMostTransfers = 1 << 20;

std::int64_t countOf(Run& run, std::string_view name) {
  return std::llround(run.number(name, 0, 0, kMostTransfers));
}

base::Result<network::TransferResult> simulateFree(const network::TransferProgram& program,
                                                   const Run& run) {
  network::TransferOptions options;
  options.issue = network::IssueOrder::Free;
  return network::simulateTransfers(program, run.hw(), options, run.progress);
}

RunResult simulatedOnly(const char* quantity, double value) {
  return {{{quantity, {kNone, value}}}, {}};
}

}  // namespace

base::Result<RunResult> runUnicast(Run run) {
  const bool dram = run.setting("memory") == "DRAM";
  const network::Burst burst{run.setting("direction") == "read", 0, countOf(run, "bytes"),
                             countOf(run, "transactions")};
  // A column is the axis that the tests share: the way there and back is then once around its ring.
  const std::int64_t column = countOf(run, "same_axis") != 0 ? 1 : 4;
  if (!run.errors.empty()) return run.errors;
  const hardware::NodeId peer =
      dram ? network::channelRouters(run.hw()).front() : network::routerAt(run.hw(), column, 5);
  network::TransferProgram program;
  program.processors.push_back(
      network::burstOf(burst, network::routerAt(run.hw(), 1, 1), peer, dram ? 0 : -1));
  const auto result = simulateFree(program, run);
  if (!result) return result.diagnostics();
  return simulatedOnly("cycles", result->end);
}

base::Result<RunResult> runStreams(Run run) {
  const network::DramStreams streams{run.setting("direction") == "read",
                                     countOf(run, "noc") % run.hw().planes(),
                                     std::max<std::int64_t>(1, countOf(run, "channels")),
                                     countOf(run, "tiles"), run.setting("placed") == "carefully"};
  if (!run.errors.empty()) return run.errors;
  std::mt19937 random(1);
  double sum = 0;
  const int placements = streams.besideChannel ? 1 : kPlacements;
  for (int i = 0; i < placements; ++i) {
    const auto result = simulateFree(network::dramStreams(run.hw(), streams, random), run);
    if (!result) return result.diagnostics();
    if (result->end > 0) sum += static_cast<double>(result->bytes) / result->end;
  }
  return simulatedOnly("gbps", sum / placements * run.hw().clock() / 1e9);
}

base::Result<RunResult> runLoad(Run run) {
  const bool uniform = run.setting("traffic") == "uniform";
  const double rate = run.number("rate");
  if (!run.errors.empty()) return run.errors;
  if ((!uniform && run.setting("traffic") != "neighbour") || !(rate > 0 && rate < 1)) {
    return base::plainError("expected uniform or neighbour traffic at a rate between 0 and 1");
  }
  network::TransferOptions options;
  options.issue = network::IssueOrder::Recorded;
  options.countFrom = kWarmUp;
  const auto program = network::randomPackets(run.hw(), rate, uniform, kWarmUp + kMeasured);
  const auto result = network::simulateTransfers(program, run.hw(), options, run.progress);
  if (!result) return result.diagnostics();
  return simulatedOnly("latency", result->meanLatency);
}

}  // namespace gridloom::study
