// SPDX-License-Identifier: Apache-2.0
#include "service/refine.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <tuple>

#include "service/lowering.h"

namespace gridloom::service {

namespace {

/// Lowering and verifying a core takes about as long as this many events.
constexpr std::int64_t kEventsPerCore = 100;

std::int64_t setUpOf(const Ranked& ranked) {
  return kEventsPerCore * ranked.candidate.estimate.activeCores;
}

class Refiner {
 public:
  Refiner(std::vector<Ranked>& ranked, const Subject& subject, const std::string& mode,
          const ExploreOptions& options, base::Progress& progress)
      : m_ranked(ranked),
        m_subject(subject),
        m_mode(mode),
        m_options(options),
        m_progress(progress),
        m_least(static_cast<std::size_t>(std::max(0, options.refine.least))),
        m_most(std::max(m_least, static_cast<std::size_t>(std::max(0, options.refine.most)))) {
    m_most = std::min(m_most, ranked.size());
    m_work.resize(m_most);
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
    dropBeyondWork();
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
    return {at, at < m_least ? kUnbounded : m_options.refine.work - m_spent};
  }

  bool simulateNext() {
    const Turn turn = takeTurn();
    if (turn.at >= m_most || turn.left <= 0) return false;
    const std::int64_t work = simulate(m_ranked[turn.at], turn.left);
    m_work[turn.at] = work;
    const std::lock_guard lock(m_mutex);
    m_spent += std::min(work, kUnbounded - m_spent);
    return true;
  }

  /// The work it took; more than `left` when that did not suffice. What fails for another reason keeps the reason.
  std::int64_t simulate(Ranked& ranked, std::int64_t left) const {
    const std::int64_t setUp = setUpOf(ranked);
    if (setUp >= left) return kUnbounded;
    auto schedule = verifiedSchedule(m_subject.kernel, m_subject.nest, m_subject.hw,
                                     ranked.candidate.mapping, m_progress);
    if (!schedule) {
      if (!m_progress.cancelled()) ranked.notSimulated = schedule.takeDiagnostics();
      return setUp;
    }
    simulate::Options options = simulatorOptions(m_mode, m_options.limits);
    const bool lessLeft = left - setUp < options.maxEvents;
    if (lessLeft) options.maxEvents = left - setUp;
    auto simulation = simulate::simulate(*schedule, m_subject.kernel, m_subject.nest, m_subject.hw,
                                         options, m_progress);
    if (simulation) {
      ranked.simulated = *std::move(simulation);
      return setUp + ranked.simulated->executed;
    }
    if (m_progress.cancelled()) return setUp;
    if (lessLeft && !simulate::hasInternalError(simulation.diagnostics())) return kUnbounded;
    ranked.notSimulated = simulation.takeDiagnostics();
    return setUp + options.maxEvents;
  }

  void dropBeyondWork() {
    std::int64_t spent = 0;
    for (std::size_t at = 0; at < m_most; ++at) {
      spent += std::min(m_work[at], kUnbounded - spent);
      if (at < m_least || spent <= m_options.refine.work) continue;
      m_ranked[at].simulated.reset();
      m_ranked[at].notSimulated.clear();
    }
  }

  std::vector<Ranked>& m_ranked;
  const Subject& m_subject;
  const std::string& m_mode;
  const ExploreOptions& m_options;
  base::Progress& m_progress;
  std::size_t m_least = 0;
  std::size_t m_most = 0;
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
  std::vector<std::int64_t> work(ranked.size());
  for (const Ranked& r : ranked) work[r.place] = setUpOf(r) + r.simulated->executed;
  std::int64_t spent = 0;
  std::size_t reached = 0;
  while (reached < std::min(work.size(), static_cast<std::size_t>(refine.most))) {
    spent += work[reached];
    if (reached >= static_cast<std::size_t>(refine.least) && spent > refine.work) break;
    ++reached;
  }
  return reached;
}

}  // namespace gridloom::service
