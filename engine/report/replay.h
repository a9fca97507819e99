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
  std::string core;  ///< "(1, 2)", its router
  std::string processor;
  std::int64_t transfers = 0;
  std::int64_t bytes = 0;
  ReplaySpan recorded, simulated;
  double waited = 0;  ///< simulated cycles in barriers and for semaphores
};

/// The cycles of the whole trace when processors issue in one of the three ways.
struct ReplayedIssue {
  std::string issue;  ///< "free", "paced", "recorded"
  double cycles = 0;
  double coreError = 0;  ///< mean over the processors, of the cycle at which each is done
};

struct ReplayedResource {
  std::string name;
  double busy = 0;  ///< share of the simulated cycles
};

/// A recorded trace of transfers, simulated anew.
struct ReplayRecord {
  std::string trace;
  std::string hardware;
  std::string issue;
  std::int64_t events = 0;
  std::int64_t transfers = 0;
  std::int64_t bytes = 0;
  double recorded = 0;  ///< cycles
  double simulated = 0;
  double eventCost = 0;  ///< cycles that recording an event costs its processor
  std::vector<ReplayedIssue> issues;
  std::vector<ReplayedProcessor> processors;
  std::vector<ReplayedResource> busiest;  ///< links and channels, the busiest first
};

/// Simulated over recorded, minus 1.
double replayError(double simulated, double recorded);

/// Over several traces, of the magnitudes of their errors.
struct ReplaySummary {
  double meanError = 0;
  double worstError = 0;
};
ReplaySummary summarize(std::span<const ReplayRecord> replays);

/// One trace with its processors; one line each for several.
std::string replayText(std::span<const ReplayRecord> replays);

}  // namespace gridloom::report
