// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "network/ticks.h"
#include "simulate/band.h"

namespace gridloom::simulate {

/// The state of an execution at one time: what decides its future, and its counters.
struct Snapshot {
  std::int64_t index = 0;            ///< iteration of the band at which it was taken
  network::Ticks now = 0;            ///< with earlier skipped periods
  std::vector<std::int64_t> state;   ///< relative to `now` and `index`
  std::vector<std::int64_t> counts;  ///< absolute
};

/// The last snapshots of one band. Two with the same state are a period apart: it repeats as long
/// as the iterations are alike, so its repetitions are counted and not executed.
///
/// Some executions never return to a state. Where cores load everything themselves, their
/// contention for channels shifts them against each other (`wormhole_n150` with direct loads: no
/// period in two thousand iterations). Rotating the channels is no symmetry, as they are at
/// different routers. Such runs are executed in full.
class RecurrenceFinder {
 public:
  explicit RecurrenceFinder(Band band) : m_band(std::move(band)) {}

  const Band& band() const { return m_band; }
  /// Whether a snapshot at this iteration can be useful. `events`: executed so far.
  bool wants(std::int64_t index, std::int64_t events) const {
    return index % m_band.stride == 0 && events >= m_next && index < m_band.uniform;
  }
  /// A loop around the band advanced: drops the snapshots.
  void forget() { m_used = 0; }
  /// The snapshot to fill with the current state.
  Snapshot& next();
  /// After `next` was filled: the earlier snapshot with the same state, or null.
  const Snapshot* match(std::int64_t events);

 private:
  Band m_band;
  std::vector<Snapshot> m_ring;
  std::size_t m_used = 0, m_last = 0;
  std::int64_t m_next = 0;
};

}  // namespace gridloom::simulate
