// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gridloom::report {

/// Cycles from the start of the trace.
struct ReplaySpan {
  double start = 0, end = 0;
};

/// One processor of one core, recorded and simulated.
struct ReplayedProcessor {
  std::string core;  ///< its router: "(1, 2)"
  std::string processor;
  std::int64_t transfers = 0;
  std::int64_t bytes = 0;
  ReplaySpan recorded, simulated;
  double waited = 0;  ///< simulated cycles in barriers and semaphore waits
};

/// The result of a whole trace in one of the three issue orders.
struct ReplayedIssue {
  std::string issue;  ///< "free", "paced", "recorded"
  double cycles = 0;
  double coreError = 0;  ///< mean over the processors of the relative error of their finish cycle
};

struct ReplayedResource {
  std::string name;
  double busy = 0;  ///< share of the simulated cycles
};

/// The replay of a recorded trace of transfers.
struct ReplayRecord {
  std::string trace;
  std::string hardware;
  std::string issue;
  std::int64_t events = 0;
  std::int64_t transfers = 0;
  std::int64_t bytes = 0;
  double recorded = 0;  ///< cycles
  double simulated = 0;
  double eventCost = 0;  ///< cycles of overhead per recorded event
  std::vector<ReplayedIssue> issues;
  std::vector<ReplayedProcessor> processors;
  std::vector<ReplayedResource> busiest;  ///< links and channels, busiest first
};

/// Simulated over recorded, minus 1.
double replayError(double simulated, double recorded);

/// Magnitudes of the errors over several traces.
struct ReplaySummary {
  double meanError = 0;
  double worstError = 0;
};
ReplaySummary summarize(std::span<const ReplayRecord> replays);

/// One trace with its processors; several traces with one line each.
std::string replayText(std::span<const ReplayRecord> replays);

}  // namespace gridloom::report
