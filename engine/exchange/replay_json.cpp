// SPDX-License-Identifier: Apache-2.0
#include "exchange/replay_json.h"

#include <nlohmann/json.hpp>

namespace gridloom::exchange {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const report::ReplaySpan& span) { return {{"start", span.start}, {"end", span.end}}; }

Json toJson(const report::ReplayRecord& replay) {
  Json issues = Json::object();
  for (const report::ReplayedIssue& issue : replay.issues) {
    issues[issue.issue] = {{"cycles", issue.cycles},
                           {"error", report::replayError(issue.cycles, replay.recorded)},
                           {"mean_processor_error", issue.coreError}};
  }
  Json processors = Json::array();
  for (const report::ReplayedProcessor& p : replay.processors) {
    processors.push_back({{"core", p.core},
                          {"processor", p.processor},
                          {"transfers", p.transfers},
                          {"bytes", p.bytes},
                          {"recorded", toJson(p.recorded)},
                          {"simulated", toJson(p.simulated)},
                          {"waited", p.waited}});
  }
  Json busiest = Json::array();
  for (const report::ReplayedResource& resource : replay.busiest) {
    busiest.push_back({{"name", resource.name}, {"busy", resource.busy}});
  }
  return {{"trace", replay.trace},
          {"issue", replay.issue},
          {"events", replay.events},
          {"transfers", replay.transfers},
          {"bytes", replay.bytes},
          {"recorded_cycles", replay.recorded},
          {"simulated_cycles", replay.simulated},
          {"error", report::replayError(replay.simulated, replay.recorded)},
          {"recording_cycles_per_event", replay.eventCost},
          {"by_issue", std::move(issues)},
          {"processors", std::move(processors)},
          {"busiest", std::move(busiest)}};
}

}  // namespace

std::string replayJson(std::span<const report::ReplayRecord> replays) {
  Json traces = Json::array();
  for (const report::ReplayRecord& replay : replays) traces.push_back(toJson(replay));
  const report::ReplaySummary summary = report::summarize(replays);
  const Json out = {{"schema", "gridloom.replay/1"},
                    {"hardware", replays.empty() ? "" : replays.front().hardware},
                    {"mean_error", summary.meanError},
                    {"worst_error", summary.worstError},
                    {"traces", std::move(traces)}};
  return out.dump(2) + "\n";
}

}  // namespace gridloom::exchange
