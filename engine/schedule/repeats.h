// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/token_machine.h"

namespace gridloom::schedule {

/// Whether iterations may repeat each other. Verification and simulation then skip whole periods,
/// so the schedule alone does not tell how long they run.
bool mayRepeat(const Schedule& schedule);

/// The first compute process: core 0 has the most iterations, and compute runs all of them. -1: no
/// core is active.
std::int32_t referenceProcess(const PlacedSchedule& placed);

/// The number of whole periods from `before` to `now` that may be skipped; 0 when the interval
/// between them is no period. It is one when the states are equal except for loop counters. The
/// periods end before any loop of any core ends, and hold whole rounds of rotating tiles. Skipping
/// them is exact: the next step depends only on the state, on positions in rounds and on
/// comparisons of waves with trip counts, and those have the same outcome in the skipped periods.
std::int64_t periodsToSkip(const TokenMachine::State& before, const TokenMachine::State& now,
                           const Placement& placement);

/// Skips repeating periods in a run without time. It looks for them at the iterations of one
/// compute process.
class RepeatSkipper {
 public:
  explicit RepeatSkipper(TokenMachine& machine);

  /// Call after every step of a process.
  void afterStep(std::int32_t process) {
    if (process == m_reference) look();
  }

 private:
  /// The state at the end of an iteration of one loop, replaced at growing intervals (Brent's cycle
  /// detection).
  struct Watch {
    std::optional<TokenMachine::State> seen;
    std::int64_t count = 0, keepAt = 1;
  };
  void look();
  bool skipSince(const TokenMachine::State& before);

  TokenMachine& m_machine;
  std::int32_t m_reference = -1;      ///< the process whose loops are watched; -1: none
  std::vector<std::int32_t> m_waves;  ///< of the reference, per loop, when it was last looked at
  std::vector<Watch> m_watches;       ///< per loop
};

}  // namespace gridloom::schedule
