// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "schedule/active_tiles.h"
#include "schedule/demands.h"
#include "schedule/findings.h"
#include "schedule/repeats.h"
#include "schedule/token_machine.h"

namespace gridloom::schedule {

/// Runs the synchronisation of a schedule without time, from the first iteration to the last.
/// Repeating periods are skipped, so the work does not grow with the trip counts.
///
/// Processes wait for tokens of fixed processes and never choose. If they deadlock in one execution
/// order, they deadlock in all, so one run decides.
class DryRun {
 public:
  explicit DryRun(const PlacedSchedule& placed, const base::Progress* progress = nullptr);

  /// Stops at the first error. Adds a note when `maxSteps` ended the run early, and an error when
  /// `progress` was cancelled. Returns the number of steps.
  std::int64_t run(Findings& findings, std::int64_t maxSteps);

 private:
  std::int64_t runSteps(Findings& findings, std::int64_t maxSteps);
  bool takeStep(Findings& findings);
  void tellStall(Findings& findings);
  void deliverAll(std::int32_t process);
  bool writesTo(const Code& code, std::size_t output) const;
  std::string missingOperand(std::int32_t process) const;
  std::string missingInput(std::int32_t process, kernel::Phase phase) const;
  bool isMet(std::int32_t process, const Demand& demand,
             std::span<const kernel::TileSpan> tile) const;
  std::string missingResult(std::int32_t process) const;
  bool isMadeElsewhere(std::int32_t process, std::size_t output) const;
  void findBuffers();
  bool lacks(std::int32_t process, Buffer::Use use, int operand) const;
  void tell(Findings& findings, std::int32_t process, std::string what) const;

  const PlacedSchedule& m_placed;
  const base::Progress* m_progress;
  std::vector<Demand> m_demands;
  ActiveTiles m_activeTiles;
  TokenMachine m_machine;
  RepeatSkipper m_skipper;
  bool m_repeats;  ///< every iteration has the same transfers, and none waits for a store
  std::vector<std::size_t> m_splitAllReduces;  ///< all-reduces inside compute, per core
  /// Per output: dimensions whose cores leave it to the one at coordinate 0.
  std::vector<mapping::DimMask> m_finishing;
  /// Per use, per operand: its buffer, or -1.
  std::vector<std::vector<std::int32_t>> m_bufferOf;
};

}  // namespace gridloom::schedule
