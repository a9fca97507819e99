// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "search/branch.h"

namespace gridloom::search {

/// The search over the items of a plan, in rounds. Each round limits the work per item, and each
/// further round allows eight times as much. The first round completes most items. Before the
/// second, every open item gives about one point per order, which sets the threshold for all of
/// them.
///
/// Items (tile sizes and spatial loops) with the fastest compute come first. They need not be the
/// best ones, so the first points are taken from items spread over all open ones. The items of a
/// batch share a work limit.
///
/// Thresholds, margins and remaining work change only between batches of a fixed order, so the
/// search visits the same points on any number of threads.
class Rounds {
 public:
  Rounds(const Plan& plan, const cost::Evaluator& evaluator, const Options& options,
         base::Progress& progress);

  /// Calls `improved` after each batch that changed the ranking.
  void run(const std::function<void()>& improved);

  const Ranking& ranking() const { return m_ranking; }
  /// Counts of items that were not completed, as far as they were searched.
  Tally tally() const;
  std::int64_t work() const { return m_work; }
  /// The largest margin that the search has pruned with.
  double margin() const { return m_margin; }
  /// Interrupted while the search runs; `ranking` then holds the results so far.
  Stop stopped() const { return m_stop; }

 private:
  enum class Look : std::uint8_t { Whole, Plunge };
  /// An item that is not completed.
  struct Open {
    std::uint64_t item = 0;
    double bound = 0;                                       ///< no point of it is faster
    double best = std::numeric_limits<double>::infinity();  ///< cycles of its best point known
    std::int64_t evaluated = 0;                             ///< points that a look evaluated
  };

  void stop(Stop why);
  void spaceOut();
  void endIfCancelled();
  void look(Look how, std::int64_t mostWork);
  std::vector<Branch::Done> lookAt(std::span<const Open> batch, Look how, std::int64_t workEach);
  Branch::Done lookAtItem(const Open& open, Look how, std::int64_t workEach, double threshold);
  bool adopt(const Open& open, Look how, const Branch::Done& done);
  std::size_t batchFrom(std::size_t begin, std::size_t size);
  std::int64_t workLeft() const;
  /// Cycles above which points are of no interest.
  double threshold() const { return std::min(m_ranking.threshold(), m_options.below); }
  double marginNow() const;
  std::int64_t patience() const;
  /// Whether no mapping can be faster than the ranking by more than the first margin.
  bool isNearLeast() const;
  /// Work that each of so many items may take; 0 when none is left.
  std::int64_t shareOf(std::size_t items) const;

  const Plan& m_plan;
  const cost::Evaluator& m_evaluator;
  const Options& m_options;
  base::Progress& m_progress;
  const std::function<void()>* m_improved = nullptr;
  struct Local {
    Branch branch;
    Ranking ranking;
  };
  tbb::enumerable_thread_specific<Local> m_locals;
  std::vector<Open> m_open;
  std::vector<Open> m_waiting;  ///< open, but their traffic patterns take more work than is left
  std::int64_t m_itemWork = 0;  ///< work limit per item in this round
  std::int64_t m_work = 0;
  double m_margin = 0;
  std::set<traffic::TrafficCache::Key> m_made;  ///< traffic patterns that were counted as work
  Ranking m_ranking;
  Tally m_tally;
  std::map<std::uint64_t, Tally> m_parts;  ///< of items that are not completed
  Stop m_stop = Stop::Interrupted;
  bool m_ended = false;
};

}  // namespace gridloom::search
