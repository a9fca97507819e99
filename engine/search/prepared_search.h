// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>

#include "search/narrowed_plan.h"
#include "search/search.h"

namespace gridloom::search {

class Rounds;

/// A space that is made, to be searched more than once: the points and traffic patterns are shared.
class PreparedSearch {
 public:
  /// All but `options` must outlive it; of these it takes the numeric mode, and the time limit,
  /// which covers making the space and each search. Errors as topK (search.h).
  static base::Result<std::unique_ptr<PreparedSearch>>
  over(const kernel::Kernel& kernel, const kernel::TileNest& nest, const hardware::Topology& hw,
       const mapping::Constraints& constraints, const Options& options, base::Progress& progress);

  /// The points that were made: the work that it takes before the first search, in its steps.
  std::int64_t points() const { return static_cast<std::int64_t>(m_narrowed.plan.items.size()); }

  /// As topK (search.h).
  Outcome topK(const Options& options, base::Progress& progress) const;

  /// A point of a ranking (Outcome::rest) as a candidate. May be called by several threads.
  Candidate candidate(const Entry& point, cost::RecentWalks* walks = nullptr) const;

 private:
  using Clock = std::chrono::steady_clock;

  PreparedSearch(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                 const hardware::Topology& hw, hardware::ComputeModel compute,
                 const mapping::Constraints& constraints, const base::Progress& progress);
  base::Diagnostics plan(const mapping::Constraints& constraints, const base::Progress& progress);
  Outcome found(const Rounds& rounds, const Options& options) const;

  Clock::time_point m_begin;
  const kernel::Kernel& m_kernel;
  hardware::ComputeModel m_compute;
  cost::Evaluator m_evaluator;
  NarrowedPlan m_narrowed;
};

}  // namespace gridloom::search
