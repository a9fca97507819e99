// SPDX-License-Identifier: Apache-2.0
#include "report/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/table.h"

namespace gridloom::report {

namespace {

Cell wholeCyclesCell(double cycles) {
  return {fmt::format("{:.0f}", cycles), fmt::format("{}", cycles)};
}

Cell errorCell(double error) {
  return {fmt::format("{:+.1f}%", 100 * error), fmt::format("{}", error)};
}

Cell countCell(std::int64_t count) {
  const std::string text = fmt::format("{}", count);
  return {text, text};
}

std::string issuesText(const ReplayRecord& record) {
  std::string text;
  for (const ReplayedIssue& issue : record.issues) {
    text += fmt::format("{}{} {:.0f} cycles ({:+.1f}%; cores {:.1f}%)", text.empty() ? "" : "\n",
                        issue.issue, issue.cycles, 100 * replayError(issue.cycles, record.recorded),
                        100 * issue.coreError);
  }
  return text;
}

std::string busiestText(const ReplayRecord& record) {
  std::string text;
  for (const ReplayedResource& resource : record.busiest) {
    text +=
        fmt::format("{}{} {:.1f}%", text.empty() ? "" : "\n", resource.name, 100 * resource.busy);
  }
  return text;
}

}  // namespace

double replayError(double simulated, double recorded) {
  return recorded > 0 ? simulated / recorded - 1 : 0;
}

ReplaySummary summarize(std::span<const ReplayRecord> replays) {
  ReplaySummary summary;
  for (const ReplayRecord& replay : replays) {
    const double error = std::abs(replayError(replay.simulated, replay.recorded));
    summary.meanError += error / static_cast<double>(replays.size());
    summary.worstError = std::max(summary.worstError, error);
  }
  return summary;
}

namespace {

std::string oneText(const ReplayRecord& record) {
  const double error = replayError(record.simulated, record.recorded);
  std::vector<Fact> facts{
      {"trace", record.trace},
      {"hardware", record.hardware},
      {"transfers", fmt::format("{} of {} bytes in all", record.transfers, record.bytes)},
      {"recorded", fmt::format("{:.0f} cycles", record.recorded)},
      {"simulated", fmt::format("{:.0f} cycles ({:+.1f}%), issue: {}", record.simulated,
                                100 * error, record.issue)},
      {"by issue", issuesText(record)},
      {"recording", fmt::format("{:.0f} cycles per event", record.eventCost)}};
  if (!record.busiest.empty()) facts.push_back({"busiest", busiestText(record)});
  Table table;
  table.columns = {{"core", "core", Align::Left},
                   {"processor", "processor", Align::Left},
                   {"transfers", "transfers"},
                   {"bytes", "bytes"},
                   {"recorded", "recorded_cycles"},
                   {"simulated", "simulated_cycles"},
                   {"error", "error"},
                   {"waited", "waited_cycles"}};
  for (const ReplayedProcessor& p : record.processors) {
    const double recorded = p.recorded.end - p.recorded.start;
    const double simulated = p.simulated.end - p.simulated.start;
    table.rows.push_back({textCell(p.core), textCell(p.processor), countCell(p.transfers),
                          countCell(p.bytes), wholeCyclesCell(recorded), wholeCyclesCell(simulated),
                          errorCell(replayError(simulated, recorded)), wholeCyclesCell(p.waited)});
  }
  return factsText(facts) + "\n" + tableText(table);
}

std::string severalText(std::span<const ReplayRecord> replays) {
  Table table;
  table.columns = {{"trace", "trace", Align::Left},
                   {"transfers", "transfers"},
                   {"recorded", "recorded_cycles"},
                   {"simulated", "simulated_cycles"},
                   {"error", "error"}};
  for (const ReplayedIssue& issue : replays.front().issues) {
    table.columns.push_back({issue.issue, issue.issue + "_error"});
    table.columns.push_back({"cores", issue.issue + "_processor_error"});
  }
  for (const ReplayRecord& replay : replays) {
    auto& row = table.rows.emplace_back();
    row = {textCell(replay.trace), countCell(replay.transfers), wholeCyclesCell(replay.recorded),
           wholeCyclesCell(replay.simulated),
           errorCell(replayError(replay.simulated, replay.recorded))};
    for (const ReplayedIssue& issue : replay.issues) {
      row.push_back(errorCell(replayError(issue.cycles, replay.recorded)));
      row.push_back(errorCell(issue.coreError));
    }
  }
  const ReplaySummary summary = summarize(replays);
  return tableText(table) +
         fmt::format("\nmean error {:.2f}%, worst {:.1f}% ({} traces, issue: {})\n",
                     100 * summary.meanError, 100 * summary.worstError, replays.size(),
                     replays.front().issue);
}

}  // namespace

std::string replayText(std::span<const ReplayRecord> replays) {
  if (replays.empty()) return {};
  return replays.size() == 1 ? oneText(replays.front()) : severalText(replays);
}

}  // namespace gridloom::report
