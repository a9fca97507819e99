// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/progress.h"
#include "base/result.h"
#include "schedule/placed_schedule.h"

namespace gridloom::schedule {

struct SourceMap;

/// Limits a verification and returns its length.
struct VerifyEffort {
  /// about two seconds; ordinary schedules need a hundredth of it
  std::int64_t maxSteps = 20'000'000;
  std::int64_t steps = 0;  ///< steps run; a step takes one process up to its next wait or transfer
};

/// A schedule in which `verify` found no error. Only this can be simulated. Cheap to copy. The
/// kernel, the nest and the hardware it was verified with must outlive it. Passes take the plain
/// schedule and give a plain one, which must be verified again.
class VerifiedSchedule {
 public:
  const PlacedSchedule& operator*() const { return *m_placed; }
  const PlacedSchedule* operator->() const { return m_placed.get(); }

 private:
  friend base::Result<VerifiedSchedule> verify(Schedule, const kernel::Kernel&,
                                               const kernel::TileNest&, const hardware::Topology&,
                                               const SourceMap*, const base::Progress*,
                                               VerifyEffort*);
  explicit VerifiedSchedule(std::shared_ptr<const PlacedSchedule> placed)
      : m_placed(std::move(placed)) {}

  std::shared_ptr<const PlacedSchedule> m_placed;
};

/// Proves before anything runs:
///  - Loops nest, and buffers fit local memory.
///  - Every buffer and channel has one process at each end.
///  - Every receive has its send and vice versa, with equal counts for every core.
///  - No slot is read before it is written, or overwritten before its last reader releases it.
///  - The processes do not deadlock at the channels' depths.
///
/// It executes all iterations without time, edge tiles included. A run that `effort` cuts short is
/// proved up to there only, and a note says so. What compute needs of inputs follows from the
/// kernel's accesses, not from the schedule's transfers. An error names the core, process and the
/// instruction, and its location in `places` when the schedule came from a text. Cancelling
/// `progress` gives an error.
base::Result<VerifiedSchedule> verify(Schedule schedule, const kernel::Kernel& kernel,
                                      const kernel::TileNest& nest, const hardware::Topology& hw,
                                      const SourceMap* places = nullptr,
                                      const base::Progress* progress = nullptr,
                                      VerifyEffort* effort = nullptr);

}  // namespace gridloom::schedule
