// SPDX-License-Identifier: Apache-2.0
#include "service/refine.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <tuple>

#include "service/lowering.h"
#include "simulate/systolic_array.h"

namespace gridloom::service {

namespace {

/// Lowering and verifying a core takes about as long as this many events.
constexpr std::int64_t kEventsPerCore = 100;

std::int64_t setUpOf(const Ranked& ranked) {
  return kEventsPerCore * ranked.candidate.estimate.activeCores;
}

/// From the `most`th on, a mapping is not simulated whose prediction is above what one before it takes. `ranked`: as the
/// model does; some may not be simulated.
bool isHopeless(std::span<const Ranked> ranked, std::size_t at, std::size_t most) {
  if (at < most) return false;
  const double predicted = ranked[at].candidate.estimate.cycles;
  return std::ranges::any_of(ranked.first(at), [&](const Ranked& before) {
    return before.simulated && before.simulated->cycles < predicted;
  });
}

class Refiner {
 public:
  Refiner(std::vector<Ranked>& ranked, const Subject& subject, const std::string& mode,
          const ExploreOptions& options, base::Progress& progress)
      : m_ranked(ranked),
        m_subject(subject),
        m_options(options),
        m_progress(progress),
        m_least(static_cast<std::size_t>(std::max(0, options.refine.least))),
        m_most(std::max(m_least, static_cast<std::size_t>(std::max(0, options.refine.most)))),
        m_furthest(
            std::max(m_most, static_cast<std::size_t>(std::max(0, options.refine.furthest)))) {
    m_most = std::min(m_most, ranked.size());
    m_furthest = std::min(m_furthest, ranked.size());
    m_work.resize(m_furthest);
    m_simulation = simulatorOptions(mode, options.limits);
    m_simulation.folds = std::make_shared<simulate::FoldTables>();
  }

  void run() {
    tbb::task_arena arena(m_options.threads > 0 ? m_options.threads : tbb::task_arena::automatic);
    const auto lanes = static_cast<std::size_t>(arena.max_concurrency());
    arena.execute([&] {
      tbb::parallel_for(std::size_t{0}, lanes, [&](std::size_t) {
        while (!m_progress.cancelled() && simulateNext()) {
        }
      });
    });
    dropBeyondReach();
  }

  std::size_t wanted() const { return m_most; }

 private:
  static constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

  /// The work that a mapping may take, by what is known of those in front of it.
  struct Turn {
    std::size_t at = 0;
    std::int64_t left = 0;
  };

  Turn takeTurn() {
    const std::lock_guard lock(m_mutex);
    const std::size_t at = m_next++;
    if (at >= m_furthest || isHopeless(m_ranked, at, m_most)) return {at, 0};
    return {at, at < m_least ? kUnbounded : m_options.refine.work - m_spent};
  }

  bool simulateNext() {
    const Turn turn = takeTurn();
    if (turn.left <= 0) return false;
    std::optional<simulate::Simulation> simulation;
    const std::int64_t work = simulate(m_ranked[turn.at], turn.left, simulation);
    m_work[turn.at] = work;
    const std::lock_guard lock(m_mutex);
    m_ranked[turn.at].simulated = std::move(simulation);
    m_spent += std::min(work, kUnbounded - m_spent);
    return true;
  }

  /// The work it took; more than `left` when that did not suffice. What fails for another reason keeps the reason.
  std::int64_t simulate(Ranked& ranked, std::int64_t left,
                        std::optional<simulate::Simulation>& out) const {
    const std::int64_t setUp = setUpOf(ranked);
    if (setUp >= left) return kUnbounded;
    auto schedule = verifiedSchedule(m_subject.kernel, m_subject.nest, m_subject.hw,
                                     ranked.candidate.mapping, m_progress);
    if (!schedule) {
      if (!m_progress.cancelled()) ranked.notSimulated = schedule.takeDiagnostics();
      return setUp;
    }
    simulate::Options options = m_simulation;
    const bool lessLeft = left - setUp < options.maxEvents;
    if (lessLeft) options.maxEvents = left - setUp;
    auto simulation = simulate::simulate(*schedule, m_subject.kernel, m_subject.nest, m_subject.hw,
                                         options, m_progress);
    if (simulation) {
      out = *std::move(simulation);
      return setUp + out->executed;
    }
    if (m_progress.cancelled()) return setUp;
    if (lessLeft && !simulate::hasInternalError(simulation.diagnostics())) return kUnbounded;
    ranked.notSimulated = simulation.takeDiagnostics();
    return setUp + options.maxEvents;
  }

  void dropBeyondReach() {
    std::int64_t spent = 0;
    bool reached = true;
    for (std::size_t at = 0; at < m_furthest; ++at) {
      spent += std::min(m_work[at], kUnbounded - spent);
      reached = at < m_least ||
                (reached && spent <= m_options.refine.work && !isHopeless(m_ranked, at, m_most));
      if (reached) continue;
      m_ranked[at].simulated.reset();
      m_ranked[at].notSimulated.clear();
    }
  }

  std::vector<Ranked>& m_ranked;
  const Subject& m_subject;
  const ExploreOptions& m_options;
  base::Progress& m_progress;
  simulate::Options m_simulation;  ///< of each mapping
  std::size_t m_least = 0;
  std::size_t m_most = 0, m_furthest = 0;
  std::vector<std::int64_t> m_work;  ///< of each mapping
  std::mutex m_mutex;                ///< of what follows
  std::size_t m_next = 0;
  std::int64_t m_spent = 0;
};

auto orderOf(const Ranked& ranked) {
  return std::tuple(!ranked.simulated, ranked.simulated ? ranked.simulated->cycles : 0,
                    ranked.place);
}

}  // namespace

Refined refine(std::vector<Ranked>& ranked, const Subject& subject, const std::string& mode,
               const ExploreOptions& options, base::Progress& progress) {
  Refiner refiner(ranked, subject, mode, options, progress);
  refiner.run();
  Refined out;
  out.wanted = refiner.wanted();
  out.simulated = static_cast<std::size_t>(
      std::ranges::count_if(ranked, [](const Ranked& r) { return r.simulated.has_value(); }));
  if (!ranked.empty() && ranked.front().simulated) {
    out.firstCycles = ranked.front().simulated->cycles;
  }
  std::ranges::sort(ranked, {}, orderOf);
  return out;
}

std::size_t refinedWithin(const Refinement& refine, std::span<const Ranked> ranked) {
  std::vector<const Ranked*> byModel(ranked.size());
  for (const Ranked& r : ranked) byModel[r.place] = &r;
  const auto least = static_cast<std::size_t>(refine.least);
  const auto most = static_cast<std::size_t>(refine.most);
  const std::size_t furthest =
      std::min(byModel.size(), static_cast<std::size_t>(std::max(refine.most, refine.furthest)));
  std::int64_t spent = 0;
  double fastest = std::numeric_limits<double>::infinity();
  std::size_t reached = 0;
  for (; reached < furthest; ++reached) {
    const Ranked& r = *byModel[reached];
    spent += setUpOf(r) + r.simulated->executed;
    if (reached >= least && spent > refine.work) break;
    if (reached >= most && fastest < r.candidate.estimate.cycles) break;
    fastest = std::min(fastest, r.simulated->cycles);
  }
  return reached;
}

}  // namespace gridloom::service
