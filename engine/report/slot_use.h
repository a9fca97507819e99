// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "report/cycle_search.h"
#include "schedule/schedule.h"
#include "simulate/simulation.h"

namespace gridloom::report {

/// Slots of a buffer of a core that are being filled, are full or are being read.
struct BufferFill {
  hardware::CoreId core;
  schedule::BufferId buffer;
  int slots = 0;  ///< at least 1
};

/// The slots of the buffers of a traced run. A seek takes O(buffers of cores x log events). The
/// events must outlive it.
class SlotUse {
 public:
  /// `events` as Simulation::slotEvents.
  explicit SlotUse(std::span<const simulate::SlotEvent> events);

  /// The buffers with a slot in use at `cycle`: an event counts from its cycle on.
  std::vector<BufferFill> at(double cycle) const;

  /// The slots of a buffer are filled and freed in turn: the n-th tile that it gets, from 0, holds
  /// its slot for this long.
  struct Stay {
    double from = 0;
    double to = 0;  ///< infinite where the trace does not have its end
  };
  Stay stayOf(hardware::CoreId core, schedule::BufferId buffer, std::int64_t tile) const;
  /// How many tiles the buffer had got, and how many slots a process had released, by `cycle`.
  std::int64_t acquired(hardware::CoreId core, schedule::BufferId buffer, double cycle) const;
  std::int64_t releasedBy(hardware::CoreId core, schedule::BufferId buffer, std::int16_t process,
                          double cycle) const;
  /// Whether the process acquires slots of the buffer.
  bool acquires(hardware::CoreId core, schedule::BufferId buffer, std::int16_t process) const;

 private:
  using Events = std::span<const simulate::SlotEvent>;
  Events of(hardware::CoreId core, schedule::BufferId buffer) const;

  Events m_events;
  std::vector<CycleRange> m_ranges;  ///< per buffer of each core
  std::vector<std::int32_t> m_used;  ///< per event: slots in use after it
};

}  // namespace gridloom::report
