// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "service/workspace.h"

namespace gridloom::service {

/// Which mappings of a ranking differ in structure. Twins move the same tiles as often, alike, on as many cores: only
/// names of loops and dimensions, or orders that change nothing, tell them apart.
struct Structure {
  std::size_t twinOf =
      0;  ///< the first of the ranking that is its twin; itself where there is none
  std::size_t family =
      0;  ///< the first with the same loops in space and the same kinds of movement
};
std::vector<Structure> structuresOf(std::span<const Ranked> ranked);

/// Decides which mappings of a ranking are simulated next, from what the ones before came to: counts of events and
/// cycles, not the clock, so that any number of threads decides alike.
///
/// The model's errors are alike within a family. So the first of each family comes first, as far as predictions are
/// within `kComparable` of the best; then that with the least predicted cycles, times how much longer than predicted its
/// family took so far. Twins of the fastest come last: routes to ports may tell them apart by a percent.
class RerankingPlan {
 public:
  RerankingPlan(const Reranking& rerank, std::span<const Ranked> ranked);

  /// To be simulated side by side; none when it is enough.
  std::vector<std::size_t> next();
  /// Work that each of the last `next` may take; none: as much as it needs.
  std::optional<std::int64_t> limit() const { return m_limit; }
  /// What one of them came to; no cycles: it was not simulated, for want of work or for another reason.
  void record(std::size_t at, std::int64_t work, std::optional<double> cycles);

  /// How many were given out, and how many of them have cycles.
  std::size_t tried() const { return m_tried; }
  std::size_t simulated() const { return m_simulated; }

 private:
  struct Entry {
    double predicted = 0;
    Structure structure;
    bool done = false;
  };
  struct Family {
    double logs = 0;  ///< of simulated over predicted cycles
    int count = 0;
  };
  double expected(const Entry& entry) const;
  bool opensFamily(std::size_t at) const;
  std::optional<std::size_t> best() const;
  std::optional<std::size_t> twinOfFastest() const;

  const Reranking m_rerank;
  std::vector<Entry> m_entries;
  std::vector<Family> m_families;  ///< by Structure::family
  std::int64_t m_left = 0;
  std::optional<std::int64_t> m_limit;
  double m_fastest = 0;  ///< simulated cycles; 0: none yet
  std::size_t m_fastestAt = 0;
  std::size_t m_tried = 0, m_simulated = 0;
};

}  // namespace gridloom::service
