// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "search/branch.h"

namespace gridloom::search {

/// The search over the items of a plan, in rounds: an item may take so much work in one round, and more in the next.
/// Few are not done in the first; before the next one, every item left gives a point or so per order, which sets the
/// threshold for all of them.
///
/// Items (tile sizes and spatial loops) that compute fastest come first; that need not be the best
/// ones, so the first points are taken from items spread over all that are left. Each further round
/// allows eight times the work per item. A work limit is shared out to the items of a batch.
///
/// Thresholds and what is left of the work change between batches of a fixed order alone: what is looked at is the same on
/// any number of threads.
class Rounds {
 public:
  Rounds(const Plan& plan, const cost::Evaluator& evaluator, const Options& options,
         base::Progress& progress);

  /// Calls `improved` after each batch that changed the ranking.
  void run(const std::function<void()>& improved);

  const Ranking& ranking() const { return m_ranking; }
  /// Of items that were not looked at whole, as far as they were.
  Tally tally() const;
  std::int64_t work() const { return m_work; }
  /// Interrupted while it goes on: what there is by then.
  Stop stopped() const { return m_stop; }

 private:
  enum class Look : std::uint8_t { Whole, Plunge };
  /// An item that is left.
  struct Open {
    std::uint64_t item = 0;
    double bound = 0;                                       ///< no point of it is faster
    double best = std::numeric_limits<double>::infinity();  ///< cycles of its best point known
  };

  void stop(Stop why);
  void kind();
  void endIfCancelled();
  void look(Look how, std::int64_t mostWork);
  std::vector<Branch::Done> lookAt(std::span<const Open> batch, Look how, std::int64_t workEach);
  Branch::Done lookAtItem(const Open& open, Look how, std::int64_t workEach, double threshold);
  bool adopt(const Open& open, Look how, const Branch::Done& done);
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
  std::int64_t m_itemWork = 0;  ///< in this round
  std::int64_t m_work = 0;
  Ranking m_ranking;
  Tally m_tally;
  std::map<std::uint64_t, Tally> m_parts;  ///< of items that are not done
  Stop m_stop = Stop::Interrupted;
  bool m_ended = false;
};

}  // namespace gridloom::search
