// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "search/search.h"
#include "simulate/simulation.h"

namespace gridloom::ranking {

/// How many mappings of a ranking are simulated.
struct Reranking {
  int least = 0;  ///< the model's first `least`, always
  int most = 0;   ///< up to `most` mappings of different structure, within `work`
  /// Up to `furthest` mappings, within `work`, that may be faster than the fastest simulated one by
  /// their expected cycles: where the model is too optimistic, a later mapping may be the best.
  int furthest = 0;
  /// limit for all together, as simulate::WorkRates: verification and simulation, lowering, the
  /// prediction of neighbours and further search
  std::int64_t work = 0;
  std::int64_t first = 0;  ///< limit for the first two together, if larger
  /// Up to so many neighbours (mapping/neighbours.h) of the fastest simulated mappings, within
  /// `work`, that may be faster: the model may place the fastest further back than the search
  /// looks.
  int around = 0;
  /// Where all mappings of the ranking are predicted to be faster than the fastest simulated one, a
  /// longer ranking, of so many mappings at the most, is searched for, within `work`.
  int further = 0;
};
/// The default of a search: at most 0.3 s of processor time, also where a single mapping takes that
/// long.
constexpr Reranking kQuickReranking{0, 10, 300, 12'000'000, 16'000'000, 1000, 3000};
constexpr Reranking rerankFirst(int count) { return {count, count, count, 0}; }

struct Ranked {
  search::Candidate candidate;
  std::string line;  ///< mapping::describe
  /// Position in the ranking by the model, from 0. None: not in it as far as it was listed; a
  /// neighbour of a simulated mapping.
  std::optional<std::size_t> place;
  /// equivalent mappings, which differ in names of loops and dimensions only and are not listed
  std::size_t twins = 0;
  std::optional<simulate::Simulation> simulated;
  base::Diagnostics notSimulated;  ///< why a requested simulation failed

  /// Simulated cycles if there are, else predicted ones.
  double cycles() const { return simulated ? simulated->cycles : candidate.estimate.cycles; }
};

/// The result of re-ranking by simulation.
struct Reranked {
  std::size_t tried = 0;      ///< mappings that were to be simulated
  std::size_t simulated = 0;  ///< mappings that were simulated
  std::size_t tooLong = 0;    ///< mappings that exceed the work limit
  /// Simulated cycles of the model's first; 0 when it was not simulated.
  double firstCycles = 0;
};

/// How a ranking is re-ranked.
struct RerankOptions {
  Reranking rerank = {};
  int threads = 0;                    ///< 0: one per processor
  simulate::Options simulation = {};  ///< of each simulation
};

}  // namespace gridloom::ranking
