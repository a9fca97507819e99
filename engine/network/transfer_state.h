// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "network/ticks.h"
#include "network/transfer_program.h"

namespace gridloom::network {

inline constexpr Ticks kNever = kEndOfTime;

/// What issuing a step costs its processor; waits and work cost nothing.
struct IssueCosts {
  explicit IssueCosts(const hardware::CoreInterface& core);
  Ticks of(const TransferStep& step) const;

  Ticks read = 0, write = 0;
};

/// How far one processor of a transfer program is.
struct ProcessorState {
  std::size_t next = 0;                                ///< its step
  std::int64_t reads = 0, writes = 0, departures = 0;  ///< packets in flight
  Ticks readsDone = 0, writesDone = 0, departed = 0;   ///< the last packet of each
  Ticks waitsSince = kNever;
  Ticks first = 0, last = 0, waited = 0, lastByte = 0;

  /// The packets of a read or write enter the network.
  void issue(const TransferStep& step, std::int64_t packets);
  /// When the last of the packets arrived that `waitsFor` (Reads, Writes, Departures) names; none
  /// while one of them is in flight.
  std::optional<Ticks> doneWith(std::uint8_t waitsFor) const;
};

/// What the processors did: their times, transfers and bytes, and the sums over all of them. The
/// counts of the network are left out. A program issued at its recorded times ends with the
/// completion of its last transfer where its last step is a wait.
TransferResult resultOf(const TransferProgram& program, std::span<const ProcessorState> states,
                        Ticks completion, IssueOrder issue);

}  // namespace gridloom::network
