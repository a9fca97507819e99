// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "network/ticks.h"

namespace gridloom::network {

/// When a part starts on a server, and when its last byte has left it.
struct ServiceInterval {
  Ticks start = 0, finish = 0;
};

/// Time per byte at a server. The time for a number of bytes is rounded once, whenever it is
/// served.
class Pace {
 public:
  Pace() = default;
  /// A bandwidth of 0 does not limit.
  static Pace of(double bytesPerCycle) {
    Pace pace;
    if (bytesPerCycle > 0) {
      pace.m_ticksPerByte = static_cast<double>(kTicksPerCycle) / bytesPerCycle;
    }
    return pace;
  }
  Ticks operator()(std::int64_t bytes) const {
    const double ticks = static_cast<double>(bytes) * m_ticksPerByte + 0.5;
    return ticks < static_cast<double>(kEndOfTime) ? static_cast<Ticks>(ticks) : kEndOfTime;
  }

 private:
  double m_ticksPerByte = 0;
};

/// How fast a server serves, and how long the head takes through it.
struct ServiceRate {
  Pace pace;
  Ticks latency = 0;
};

/// A resource that serves parts of transfers one after the other, in the order of arrival.
///
/// Parts pass a sequence of servers by virtual cut-through: the head enters the next server one
/// latency after it entered this one, each server is busy for bytes/bandwidth, and the tail leaves
/// a server no earlier than it left the one before plus the latency.
struct Server {
  Ticks free = 0;
  Ticks busy = 0;
  std::int64_t bytes = 0;

  /// Servers are many and their rates few, so the caller says how long the part takes. The head
  /// arrives at `head` (never before that of an earlier call). The tail left the server
  /// before at `tail`, latency included.
  ServiceInterval pass(Ticks head, Ticks tail, std::int64_t amount, Ticks service) {
    const Ticks start = std::max(head, free);
    free = std::min(start + service, kEndOfTime);
    busy = std::min(busy + service, kEndOfTime);
    bytes += amount;
    return {start, std::max(free, tail)};
  }
};

}  // namespace gridloom::network
