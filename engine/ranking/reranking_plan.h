// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ranking/mapping_structure.h"
#include "ranking/model_errors.h"
#include "ranking/ranked.h"

namespace gridloom::ranking {

/// Decides which mappings of a ranking are simulated next, from the results so far. It uses work
/// and cycles, not the clock, so the decision does not depend on the number of threads.
///
/// The model's errors are similar within a family (model_errors.h). So the first mapping of each
/// family comes first, as long as its prediction is within `kComparable` of the best. Next comes
/// the mapping with the least expected cycles. Of mappings with the same predicted cycles, term by
/// term, only the first takes part.
///
/// That goes on while a mapping may be faster than the fastest: what it is expected to take, less
/// the typical deviation from that. Here, mappings of different families take part even if their
/// predictions are the same: with other loops on the mesh, tiles lie on other channels. Then come
/// those with the same prediction as one of the fastest: their routes to ports may be better.
///
/// What the search lists is not all: where the model is wrong by more than the listed mappings
/// differ, the fastest may be far behind them. So after the first few, the neighbours of the
/// fastest simulated mapping are added; at the end those of the next fastest, and so on while these
/// are within the typical error of the fastest. While much of the work is left, all that comes
/// close to the fastest by its prediction is tried, too. Where the whole ranking is predicted to be
/// faster than the fastest, the model is too optimistic about these mappings, and the ranking is
/// continued.
class RerankingPlan {
 public:
  RerankingPlan(const Reranking& rerank, std::span<const Ranked> ranked);

  /// How many mappings of a ranking are simulated at the most; a ranking of as many is enough.
  static std::size_t ranked(const Reranking& rerank);

  /// Mappings to simulate in parallel; empty when the plan is complete.
  std::vector<std::size_t> next();
  /// Work limit for each mapping of the last `next`; none: unlimited.
  std::optional<std::int64_t> limit() const { return m_limit; }
  /// Records the result of one mapping. No cycles: it was not simulated, for lack of work or
  /// because of an error.
  void record(std::size_t at, std::int64_t work, std::optional<double> cycles);

  /// The simulated mapping whose neighbours are to be added now; each once. `ended`: whether `next`
  /// is empty.
  std::optional<std::size_t> toExpand(bool ended);
  /// Once no mapping may be faster by its expected cycles: the fastest simulated cycles, where all
  /// of the ranking is predicted to take fewer, so that a longer ranking may, too. Given once.
  std::optional<double> toSearchFurther();
  /// Adds a mapping of the longer ranking as the next position.
  void addRanked(const search::Candidate& candidate) { add(candidate, false); }
  /// Once `next` is empty and nothing is to be expanded: while over half of the work is left,
  /// allows for larger deviations from the expected cycles; then admits each mapping whose
  /// prediction is below the fastest; at last, while over half of the work is left, also those
  /// whose prediction is comparable to the fastest, and neighbours are looked at once more. False:
  /// the plan is complete.
  bool widen();
  /// Adds a neighbour as the next position of the ranking. False: it cannot be faster by what is
  /// known, and is not added.
  bool addNeighbour(const search::Candidate& candidate);
  /// Counts work that is not a simulation.
  void charge(std::int64_t work) { m_left -= std::min(work, m_left); }
  std::int64_t workLeft() const { return m_left; }

  /// Whether a mapping is a neighbour, not one of the ranking.
  bool isNeighbour(std::size_t at) const { return m_entries[at].neighbour; }
  /// Number of mappings of the ranking handed out.
  std::size_t tried() const { return m_tried - m_neighboursTried; }
  /// Number of mappings with simulated cycles, neighbours or not.
  std::size_t simulated() const { return m_simulated; }

 private:
  struct Entry {
    double predicted = 0;
    Structure structure;
    bool neighbour = false;
    bool done = false;
    double simulated = 0;  ///< cycles; 0: none
  };
  /// Mappings with the same predicted cycles, term by term.
  struct Alike {
    double fastest = 0;     ///< simulated cycles; 0: none yet
    int count = 0;          ///< simulated mappings
    bool expanded = false;  ///< neighbours of one of them are added
  };
  void add(const search::Candidate& candidate, bool neighbour);
  double expected(const Entry& entry) const;
  /// The fewest cycles that a mapping may take, by the errors seen so far.
  double fewestFor(const Entry& entry) const;
  std::optional<std::size_t> familyToOpen() const;
  template <class Cycles>
  std::optional<std::size_t> leastBy(const Cycles& of, std::size_t Structure::*group) const;
  std::size_t mostOfRanking() const;
  bool mayTry(std::size_t at) const;
  std::optional<std::size_t> oneOfTheFirst() const;
  std::optional<std::size_t> mayBeFaster() const;
  std::optional<std::size_t> alikeToFastest() const;
  std::optional<std::size_t> fastestToExpand() const;

  const Reranking m_rerank;
  Structures m_structures;
  ModelErrors m_errors;
  std::vector<Entry> m_entries;
  std::vector<Alike> m_alike;  ///< by Structure::alike
  std::int64_t m_left = 0;
  std::optional<std::int64_t> m_limit;
  double m_fastest = 0;          ///< simulated cycles; 0: none yet
  std::int64_t m_workTried = 0;  ///< of all simulations that ended
  std::int64_t m_worked = 0;     ///< of all, ended or not
  int m_width = 1;               ///< deviations from the expected cycles that are allowed for
  /// Where positive: a mapping may be as fast as its prediction divided by this, whatever the
  /// errors seen so far.
  double m_doubt = 0;
  bool m_searchedFurther = false;
  std::size_t m_tried = 0, m_neighboursTried = 0, m_simulated = 0;
};

}  // namespace gridloom::ranking
