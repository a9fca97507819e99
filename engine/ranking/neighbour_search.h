// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cost/evaluator.h"
#include "mapping/neighbours.h"
#include "ranking/ranked.h"
#include "ranking/subject.h"

namespace gridloom::ranking {

/// Predicts the neighbours (mapping/neighbours.h) of mappings in a ranking.
class NeighbourSearch {
 public:
  /// The arguments must outlive it. `mode` is the numeric mode of the ranking.
  NeighbourSearch(const Subject& subject, const mapping::Constraints& constraints,
                  const std::string& mode, const base::Progress& progress);

  struct Found {
    std::vector<search::Candidate> neighbours;
    std::int64_t work = 0;  ///< in events
  };
  /// Neighbours of `ranked[at]` that are not in `ranked`, with the model's predictions, as far as
  /// `mostWork` reaches. None once `progress` is cancelled.
  Found of(std::span<const Ranked> ranked, std::size_t at, std::int64_t mostWork);

 private:
  void prepare();
  std::int64_t workOf(const mapping::Mapping& mapping);

  const Subject& m_subject;
  const mapping::Constraints& m_constraints;
  std::string m_mode;
  const base::Progress& m_progress;
  std::optional<hardware::ComputeModel> m_compute;  ///< none: not prepared
  std::unique_ptr<cost::Evaluator> m_evaluator;
  cost::RecentWalks m_walks;
  mapping::Axes m_axes;
  std::optional<mapping::Neighbours> m_neighbours;
  /// Those that predictions were made with.
  std::set<traffic::TrafficCache::Key> m_patterns;
};

}  // namespace gridloom::ranking
