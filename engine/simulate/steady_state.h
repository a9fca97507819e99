// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "network/ticks.h"
#include "simulate/band.h"

namespace gridloom::simulate {

/// The state of an execution at one moment: what decides its future, and what it has counted.
struct Snapshot {
  std::int64_t index = 0;            ///< iteration of the band it was taken at
  network::Ticks now = 0;            ///< with what was skipped before
  std::vector<std::int64_t> state;   ///< relative to now and to the index
  std::vector<std::int64_t> counts;  ///< absolute
};

/// The last snapshots at one band. Two with the same state tell that what lies between them will
/// happen again and again, as long as the iterations are alike: these periods are counted and not
/// executed.
///
/// Some executions never come back to a state. Cores that load everything themselves and contend
/// for channels shift against each other (`wormhole_n150` with direct loads: no period in two
/// thousand iterations). A rotation of the channels is no symmetry, as they lie at different
/// places. Such runs are executed in full.
class RecurrenceFinder {
 public:
  explicit RecurrenceFinder(Band band) : m_band(std::move(band)) {}

  const Band& band() const { return m_band; }
  /// Whether a snapshot at this iteration can lead to something. `events`: executed so far.
  bool wants(std::int64_t index, std::int64_t events) const {
    return index % m_band.stride == 0 && events >= m_next && index < m_band.uniform;
  }
  /// Loops around the band went on: what was seen is past.
  void forget() { m_used = 0; }
  /// The slot to fill with the state of now.
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
