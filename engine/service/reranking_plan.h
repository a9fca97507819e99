// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "service/workspace.h"

namespace gridloom::service {

/// Classifies the mappings of a ranking by structure. Equivalent mappings (twins) move the same
/// tiles equally often, in the same way, on as many cores. They differ only in names of loops and
/// dimensions, or in orders without effect.
struct Structure {
  /// the first mapping of the ranking that is equivalent; itself if none is before it
  std::size_t twinOf = 0;
  std::size_t alike = 0;  ///< the first with the same cycles, term by term: equal to the model
  std::size_t family = 0;  ///< the first with the same spatial loops and the same kinds of movement
};
std::vector<Structure> structuresOf(std::span<const Ranked> ranked);

/// Decides which mappings of a ranking are simulated next, from the results so far. It uses counts
/// of events and cycles, not the clock, so the decision does not depend on the number of threads.
///
/// The model's errors are similar within a family. So the first mapping of each family comes first,
/// as long as its prediction is within `kComparable` of the best. Next comes the mapping with the
/// least expected cycles: its predicted cycles times its family's mean ratio of simulated to
/// predicted cycles. Of mappings that are equal to the model only the first takes part.
///
/// That goes on while a mapping may be faster than the fastest: its prediction is less, or what it
/// is expected to take less the typical error seen so far. Then come those that are equal to the
/// model to one of the fastest: their routes to ports may be better.
class RerankingPlan {
 public:
  RerankingPlan(const Reranking& rerank, std::span<const Ranked> ranked);

  /// Mappings to simulate in parallel; empty when the plan is complete.
  std::vector<std::size_t> next();
  /// Work limit for each mapping of the last `next`; none: unlimited.
  std::optional<std::int64_t> limit() const { return m_limit; }
  /// Records the result of one mapping. No cycles: it was not simulated, for lack of work or
  /// because of an error.
  void record(std::size_t at, std::int64_t work, std::optional<double> cycles);

  /// Number of mappings handed out, and of those with simulated cycles.
  std::size_t tried() const { return m_tried; }
  std::size_t simulated() const { return m_simulated; }

 private:
  struct Entry {
    double predicted = 0;
    Structure structure;
    bool done = false;
  };
  struct Alike {
    double fastest = 0;  ///< simulated cycles; 0: none yet
    int count = 0;       ///< simulated mappings
  };
  struct Family {
    double logs = 0;  ///< sum of the logarithms of simulated over predicted cycles
    int count = 0;
  };
  double expected(const Entry& entry) const;
  double typicalError() const;
  double hopedFor(const Entry& entry) const;
  std::optional<std::size_t> familyToOpen() const;
  template <class Cycles> std::optional<std::size_t> leastBy(const Cycles& of) const;
  std::optional<std::size_t> mayBeFaster() const;
  std::optional<std::size_t> alikeToFastest() const;

  const Reranking m_rerank;
  std::vector<Entry> m_entries;
  std::vector<Alike> m_alike;      ///< by Structure::alike
  std::vector<Family> m_families;  ///< by Structure::family
  std::int64_t m_left = 0;
  std::optional<std::int64_t> m_limit;
  double m_squares = 0;  ///< sum of the squared logarithms of simulated over predicted cycles
  double m_fastest = 0;  ///< simulated cycles; 0: none yet
  std::size_t m_tried = 0, m_simulated = 0;
};

}  // namespace gridloom::service
