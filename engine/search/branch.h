// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "cost/evaluator.h"
#include "search/costed_options.h"
#include "search/plan.h"
#include "search/ranking.h"
#include "search/search.h"

namespace gridloom::search {

/// Counts of one part of the space.
struct Tally {
  std::int64_t evaluated = 0;
  std::int64_t pruned = 0;
  /// Points that need more than a memory holds, and the one of them that needs the least.
  struct Over {
    std::int64_t count = 0;
    double leastNeeded = std::numeric_limits<double>::infinity();
    Entry leastEntry;
    void add(const Over& other);
  };
  Over local;
  std::array<Over, hardware::kMostSharedBuffers> shared;  ///< by level

  void add(const Tally& other);
};

/// Branch and bound over the movements of one item. It fixes operands one after the other. The cost
/// of the fixed ones alone is an admissible bound, since the recursion of the model only grows with
/// every transfer added.
class Branch {
 public:
  Branch(const Plan& plan, const cost::Evaluator& evaluator, const Options& options)
      : m_plan(plan),
        m_evaluator(evaluator),
        m_top(static_cast<std::size_t>(options.top)),
        m_exhaustive(options.exhaustive),
        m_trustBounds(options.trustBounds),
        m_costed(evaluator) {}

  /// One item to search, with its limits.
  struct Task {
    std::uint64_t item = 0;
    /// cost above which a point is of no interest
    double threshold = std::numeric_limits<double>::infinity();
    double margin = 0;  ///< share of the threshold by which a point must be faster
    std::int64_t work = std::numeric_limits<std::int64_t>::max();  ///< steps it may take
    std::int64_t evaluated = 0;  ///< points that were evaluated before
    /// least local memory that points need which are known to be infeasible
    double leastNeeded = std::numeric_limits<double>::infinity();
  };
  /// Result of a task.
  struct Done {
    bool whole = false;     ///< the tally covers all its points
    std::int64_t work = 0;  ///< steps: bounds and costs of candidates, whole or not
    double best = std::numeric_limits<double>::infinity();   ///< cycles of the best point found
    double bound = std::numeric_limits<double>::infinity();  ///< `plunge`: no point is faster
    Tally tally = {};
  };

  /// Evaluates all points that may enter the ranking, and adds those that do to `out`. Ends early
  /// when the work is used up or `progress` is cancelled.
  Done run(const Task& task, Ranking& out, const base::Progress& progress);

  /// Evaluates one point per order: operand by operand, the option with the least bound beside the
  /// chosen ones. This gives a first ranking quickly; the tally counts these points.
  Done plunge(const Task& task, Ranking& out, const base::Progress& progress);

 private:
  struct Option {
    std::uint32_t number = 0;  ///< in `m_costed`
    std::uint64_t digit = 0;   ///< index into the order plan's list
    double bound = 0;
    std::int64_t localBytes = 0;
  };

  /// The option that needs the least of a memory.
  struct Least {
    std::int64_t bytes = std::numeric_limits<std::int64_t>::max();
    std::uint64_t digit = 0;
    void add(std::int64_t needed, std::uint64_t itsDigit);
  };
  /// Options of an operand that do not fit into a memory, whatever the others are.
  struct Unfit {
    std::int64_t count = 0;
    Least least;
  };
  /// An input, an output or an all-reduce.
  struct Operand {
    std::size_t number = 0;            ///< inputs, then outputs, then all-reduces
    std::uint64_t radix = 0;           ///< weight of its digit
    std::vector<std::uint32_t> known;  ///< [digit]: number of the option in `m_costed`
    std::vector<Option> options;       ///< those that fit, by bound
    double leastBound = 0;
    Least least;  ///< local memory of those that fit the shared buffers by themselves, if any does
    Unfit local;
    std::array<Unfit, hardware::kMostSharedBuffers> shared;  ///< by level
    std::int64_t count() const { return static_cast<std::int64_t>(known.size()); }
    MemoryTime leastTime;  ///< of those that fit
    double apart = 0;      ///< the largest of those that fit
    // Over this operand and all that are fixed after it: the least memory, and the digits that need
    // it; the least time of global memory.
    std::int64_t leastBytes = 0;
    std::uint64_t leastChoice = 0;
    MemoryTime timeLeft;
    double laterApart = 0;  ///< `apart` of those that are fixed after it
  };

  void start(const Task& task, const base::Progress& progress);
  Done finishItem(Ranking& out);
  /// What is known of an order before its points are looked at.
  enum class Points : std::uint8_t { HoldsNothing, NoneFits, TooSlow, Open };
  /// Calls visit(points) for every order of the item with points, until the item is to end.
  template <class Visit> void forOrders(const Visit& visit) {
    for (std::uint32_t o = 0; o < m_movements->orders.size(); ++o) {
      const OrderPlan& plan = m_movements->orders[o];
      if (m_stopped || m_progress->cancelled()) return;
      if (plan.points == 0) continue;
      m_here.order = o;
      const Points points = startOrder(plan);
      if (!m_stopped) visit(points);
    }
  }
  /// Costs the options of an order, unless none fits or all are too slow.
  Points startOrder(const OrderPlan& plan);
  /// Whether no options fit into local memory, in any order or in the one that is set, and no
  /// example of that needs less than the one that is known.
  bool holdsNothing() const;
  /// Whether reading the inputs takes too long in every order, with any options that fit.
  bool readsTooLong();
  double timeOfReads(std::uint32_t option);
  void plungeOrder();
  const Option* leastBound(const Operand& operand, std::size_t depth, std::int64_t& bytes);
  std::int64_t rejectUnfit();
  void listOptions(const OrderPlan& plan, Operand& operand);
  /// Of a list of options of inputs or outputs, or of the topologies of all-reduces.
  std::uint32_t known(const OrderPlan& plan, std::uint32_t operand, std::uint32_t digit);
  std::size_t countOptions(const OrderPlan& plan, std::size_t operand) const;
  bool fitOptions();
  void fitOptions(Operand& operand, std::int64_t room);
  double quickBound(const Option& option);
  bool isFast(const Operand& operand);
  bool costOptions();
  void costOptions(Operand& operand);
  void fixFewestFirst();
  void fixSlowestFirst();
  void sumUpBytes();
  void sumUpTimes();
  /// Searches the options of the operands from `depth` on. Returns whether the operands before take
  /// too long by themselves, because tiles wait for each other.
  bool descend(std::size_t depth, std::int64_t bytes, std::uint64_t choice, std::int64_t below);
  /// The first shared buffer without room for an option beside the fixed ones, or kNone.
  int overfull(const CostedOption& option) const;
  void fix(const CostedOption& option);
  void release(const CostedOption& option);
  /// Costs the whole candidate of the fixed options. Returns whether it takes too long because
  /// tiles wait for each other.
  bool finish(std::uint64_t choice);
  bool waitsTooLong(std::size_t depth);
  void addLoads(const CostedOption& option);
  /// Cycles above which points are left out.
  double limit() const { return std::min(m_threshold, m_local.threshold()) * m_wanted; }
  void reject(Tally::Over& reason, std::int64_t points, std::int64_t needed, std::uint64_t choice);
  std::int64_t leastBytes(std::size_t depth) const;
  std::uint64_t leastChoice(std::size_t depth) const;
  /// Whether the option does not fit beside the fixed ones, which need `needed` bytes of local
  /// memory with it; then the `points` behind it are counted, `choice` as their example.
  bool exceedsMemory(const CostedOption& option, std::int64_t needed, std::int64_t points,
                     std::uint64_t choice);
  /// Whether a bound is asked for before an option of the operand is taken.
  bool asksBound(std::size_t depth) const {
    return depth + 1 == m_operands.size() ? m_trustBounds : !m_exhaustive && depth > 0;
  }
  /// Whether global memory alone takes too long for the option beside the fixed ones. Not asked in
  /// an exhaustive search.
  bool exceedsMemoryTime(std::size_t depth, const CostedOption& option) const;
  void takeWork(std::int64_t steps);
  /// Takes one step of work; false when the search of the item must end.
  bool step();

  const Plan& m_plan;
  const cost::Evaluator& m_evaluator;
  std::size_t m_top;
  bool m_exhaustive, m_trustBounds;

  // State of the current item and order.
  const MovementPlan* m_movements = nullptr;
  CostedOptions m_costed;
  cost::TiledCandidate m_candidate;
  std::vector<Operand> m_operands;            ///< in the order in which they are fixed
  std::vector<const CostedOption*> m_chosen;  ///< by the operand's number
  std::vector<cost::LoadedCost> m_whole;      ///< of a point, in the order of the model
  std::vector<const cost::HeldTiles*> m_fixed;
  cost::Recursion m_bound;           ///< of the fixed options
  std::vector<MemoryTime> m_memory;  ///< [depth]: of the options fixed before
  /// bytes that the fixed options need in each shared buffer
  std::array<std::int64_t, hardware::kMostSharedBuffers> m_shared = {};
  cost::Scratch m_scratch;
  double m_threshold = 0;
  double m_wanted = 1;  ///< 1 / (1 + margin)
  Ranking m_local{0};
  Done m_done;
  double m_orderBound = 0;  ///< no point of the order is faster
  double m_tiles = 1;
  double m_leastNeeded = 0;  ///< Task::leastNeeded
  const base::Progress* m_progress = nullptr;
  std::int64_t m_stepWork = 1;
  std::uint32_t m_steps = 0;
  std::int64_t m_evaluatedBefore = 0;
  std::int64_t m_workLeft = 0;  ///< of the item, at its start
  bool m_stopped = false;
  Entry m_here;
};

}  // namespace gridloom::search
