// SPDX-License-Identifier: Apache-2.0
#include "service/replay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "exchange/replay_json.h"

namespace gridloom::service {

namespace {

using exchange::ReplayProgram;
using network::IssueOrder;

constexpr std::array<std::pair<const char*, IssueOrder>, 3> kIssues{
    {{"free", IssueOrder::Free}, {"paced", IssueOrder::Paced}, {"recorded", IssueOrder::Recorded}}};
constexpr std::size_t kBusiest = 5;

/// Mean relative error of the cycles at which processors finish.
double coreError(const ReplayProgram& made, const network::TransferResult& result) {
  double sum = 0;
  for (std::size_t p = 0; p < made.recorded.size(); ++p) {
    const double recorded = made.recorded[p].recorded.end;
    sum += std::abs(report::replayError(result.processors[p].end, recorded));
  }
  return made.recorded.empty() ? 0 : sum / static_cast<double>(made.recorded.size());
}

void addProcessors(report::ReplayRecord& record, const ReplayProgram& made,
                   const network::TransferResult& result) {
  record.processors = made.recorded;
  for (std::size_t p = 0; p < record.processors.size(); ++p) {
    const network::TransferResult::Processor& simulated = result.processors[p];
    report::ReplayedProcessor& out = record.processors[p];
    out.simulated = {simulated.start, simulated.end};
    out.transfers = simulated.transfers;
    out.bytes = simulated.bytes;
    out.waited = simulated.waited;
  }
}

void addBusiest(report::ReplayRecord& record, const hardware::Topology& hw,
                const network::TransferResult& result) {
  const double cycles = std::max(result.end, result.drained);
  if (cycles <= 0) return;
  std::vector<report::ReplayedResource> all;
  for (std::size_t l = 0; l < result.linkBusy.size(); ++l) {
    if (result.linkBusy[l] <= 0) continue;
    all.push_back({hw.linkName(hardware::LinkId::of(l)), result.linkBusy[l] / cycles});
  }
  for (std::size_t c = 0; c < result.channelBusy.size(); ++c) {
    if (result.channelBusy[c] <= 0) continue;
    all.push_back({hw.global().name + " " + std::to_string(c), result.channelBusy[c] / cycles});
  }
  std::ranges::stable_sort(all, std::greater<>(), &report::ReplayedResource::busy);
  all.resize(std::min(all.size(), kBusiest));
  record.busiest = std::move(all);
}

}  // namespace

base::Result<std::optional<report::ReplayRecord>>
replay(const exchange::NocTrace& trace, const Hardware& hardware, const std::string& hardwareName,
       const std::string& issue, base::Progress& progress) {
  auto made = exchange::replayProgram(trace, hardware.topology);
  if (!made) return made.takeDiagnostics();
  report::ReplayRecord record;
  record.trace = trace.source->name();
  record.hardware = hardwareName;
  record.issue = issue;
  record.events = static_cast<std::int64_t>(trace.events.size());
  record.recorded = made->cycles;
  record.eventCost = made->eventCost;
  for (const auto& [name, order] : kIssues) {
    network::TransferOptions options;
    options.issue = order;
    options.overhead = made->eventCost;
    auto result = network::simulateTransfers(made->program, hardware.topology, options, progress);
    if (!result) return result.takeDiagnostics();
    if (!result->complete) return std::optional<report::ReplayRecord>();
    if (result->transfers == 0) {
      return base::errorAt(trace.source, {0, 1}, "the trace has no transfers",
                           "record a run in which cores read or write over the network");
    }
    record.issues.push_back({name, result->end, coreError(*made, *result)});
    if (issue != name) continue;
    record.simulated = result->end;
    record.transfers = result->transfers;
    record.bytes = result->bytes;
    addProcessors(record, *made, *result);
    addBusiest(record, hardware.topology, *result);
  }
  return std::optional(std::move(record));
}

std::string jsonOf(std::span<const report::ReplayRecord> replays) {
  return exchange::replayJson(replays);
}

}  // namespace gridloom::service
