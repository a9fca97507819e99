// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/large_vector.h"
#include "network/ticks.h"

namespace gridloom::simulate {

/// Utilization of a number of resources over time, in bounded memory: cumulative busy time at the
/// end of each bin. When a run outgrows the bins, pairs of bins merge. Bins are narrower than those
/// asked for, so that a period which repeats is known in detail.
class UseRecorder {
 public:
  /// Busy cycles since the start, per resource.
  using Row = base::LargeVector<float>;

  /// `most`: bins, of which 0 record nothing; fewer where there are too many resources.
  UseRecorder(std::size_t resources, std::size_t most);

  /// False for machines with too many resources.
  bool records() const { return m_bins > 0; }

  /// The time of the next row.
  network::Ticks next() const { return m_next; }
  /// Busy cycles at `next`, or at the last event before it.
  void add(const Row& row);
  /// From `end` on, the interval between `begin` and `end` repeats `times` times.
  void repeat(network::Ticks begin, network::Ticks end, std::int64_t times, const Row& before,
              const Row& after);

  struct Shares {
    network::Ticks bin = 0;
    std::size_t bins = 0;
    std::vector<float> shares;  ///< [resource][bin], 0 to 1
  };
  /// The last bin ends with the run. No bins when nothing was recorded.
  Shares finish(network::Ticks end, const Row& row) const;

 private:
  void merge();
  /// Busy cycles at `at` up to `end`, where they are `last`.
  void interpolate(network::Ticks at, network::Ticks end, const Row& last, Row& out) const;

  std::size_t m_resources;
  std::size_t m_most;      ///< bins that are asked for
  std::size_t m_bins;      ///< a multiple of them
  network::Ticks m_least;  ///< the narrowest bin that is reported
  network::Ticks m_bin;
  network::Ticks m_next = 0;
  std::vector<Row> m_rows;  ///< at the end of bin 0, 1, ...
};

}  // namespace gridloom::simulate
