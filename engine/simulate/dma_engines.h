// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/placed_schedule.h"

namespace gridloom::simulate {

/// The DMA channels that several processes share (schedule/engines.h). A transfer takes all the
/// channels it needs at once, at its source and at its destinations, and holds each until its last
/// byte has passed. It never holds one while it waits for another, so there is no deadlock. Waiting
/// transfers are served in the order of arrival.
///
/// A channel with one process is not counted here: its transfers run in sequence anyway.
class DmaEngines {
 public:
  explicit DmaEngines(const schedule::PlacedSchedule& placed);

  bool any() const { return !m_engines.empty(); }
  /// The shared channel through which tiles enter or leave the local memory of a process's core, or
  /// its shared buffer; -1 where there is none.
  std::int32_t of(std::int32_t process, bool out, bool sharedBuffer) const {
    return m_of[(out ? 1U : 0U) + (sharedBuffer ? 2U : 0U)][static_cast<std::size_t>(process)];
  }
  /// Takes all of `engines` (-1 is ignored) and returns true, or takes none and queues the process.
  bool take(std::int32_t process, std::span<const std::int32_t> engines);
  /// Frees a channel (-1: nothing). Appends the processes that waited for it; they must try again.
  void give(std::int32_t engine, std::vector<std::int32_t>& again);

  /// Appends the state that decides what happens next.
  void appendState(std::vector<std::int64_t>& words) const;

 private:
  struct Engine {
    bool busy = false;
    std::vector<std::int32_t> waiting;
  };
  using Flows = std::vector<std::int32_t>;  ///< processes
  void addShared(const std::vector<Flows>& channels, std::size_t kind);
  void addCores(const schedule::PlacedSchedule& placed);
  void addSharedBuffer(const schedule::PlacedSchedule& placed, std::size_t level);

  std::vector<Engine> m_engines;
  std::vector<std::int32_t> m_of[4];  ///< [in or out, of cores or shared buffer][process]
};

}  // namespace gridloom::simulate
