// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace gridloom::exchange {

/// One event of a NoC event trace in the format of tt-metal's profiler (resources/docs/command.md).
struct NocEvent {
  enum class Kind : std::uint8_t {
    Zone,    ///< a profiler's marker, not an event of the network
    Read,    ///< also: with state
    Write,   ///< also: with state
    Inline,  ///< a write of one word
    Multicast,
    State,        ///< sets destination and size of the transfers "with state" that follow
    ReadBarrier,  ///< a barrier without its two ends
    ReadBarrierStart,
    ReadBarrierEnd,
    WriteBarrier,
    WriteBarrierStart,
    WriteBarrierEnd,
    WriteFlush,
    FullBarrier,
    AtomicBarrier,
    SemaphoreIncrement,
    SemaphoreWait,
    Local  ///< internal to the processor: known, but without network activity
  };
  Kind kind = Kind::Local;
  bool withState = false;
  std::uint8_t plane = 0;
  std::int16_t processor = 0;                            ///< index in NocTrace::processors
  std::array<std::int16_t, 2> from{-1, -1}, to{-1, -1};  ///< x, y; -1: not given
  std::array<std::int16_t, 4> area{-1, -1, -1, -1};      ///< multicast: x, y of start, x, y of end
  std::int64_t bytes = -1;                               ///< -1: not given
  std::int64_t cycle = 0;
  base::Span span;
};

struct NocTrace {
  base::SourceRef source;
  std::vector<std::string> processors;  ///< "BRISC", "NCRISC", ...
  std::vector<NocEvent> events;         ///< as in the file
  base::Diagnostics remarks;            ///< unknown kinds of events, the first of each
};

/// Reads the flat array of events. Errors, all located: not JSON (also when truncated), not an
/// array of objects, an event without the fields that its kind needs, events of several devices.
base::Result<NocTrace> readNocTrace(base::SourceRef source);

}  // namespace gridloom::exchange
