// SPDX-License-Identifier: Apache-2.0
#include "service/rerank.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <tuple>

#include "schedule/repeats.h"
#include "service/lowering.h"
#include "service/reranking_plan.h"

namespace gridloom::service {

namespace {

/// Work is counted in events, of 0.1 us each on a 3 GHz x86 core; a step of verification takes as
/// long. Lowering takes about this many per core.
constexpr std::int64_t kEventsPerCore = 100;
/// Least events and steps per instruction: in a triangle of tiles, many instructions are skipped.
constexpr double kEventsPerInstruction = 0.5;
/// A run that does not repeat itself passes through more memory than caches hold: 0.2 to 0.3 us per
/// event, measured on schedules of trsm and cholesky.
constexpr std::int64_t kUnrepeatedWeight = 2;

/// The result of simulating a mapping, with its work in events.
struct Trial {
  std::int64_t work = 0;
  bool tooLong = false;
};

class Reranker {
 public:
  Reranker(std::vector<Ranked>& ranked, const Subject& subject, const std::string& mode,
           const ExploreOptions& options, base::Progress& progress)
      : m_ranked(ranked),
        m_subject(subject),
        m_progress(progress),
        m_simulation(simulatorOptions(mode, options.limits)),
        m_threads(options.threads),
        m_plan(options.rerank, ranked) {}

  void run(Reranked& out) {
    tbb::task_arena arena(m_threads > 0 ? m_threads : tbb::task_arena::automatic);
    for (auto round = m_plan.next(); !round.empty(); round = m_plan.next()) {
      std::vector<Trial> trials(round.size());
      arena.execute([&] {
        tbb::parallel_for(std::size_t{0}, round.size(),
                          [&](std::size_t n) { trials[n] = simulate(m_ranked[round[n]]); });
      });
      if (m_progress.cancelled()) break;
      for (std::size_t n = 0; n < round.size(); ++n) {
        const auto& simulated = m_ranked[round[n]].simulated;
        m_plan.record(round[n], trials[n].work,
                      simulated ? std::optional(simulated->cycles) : std::nullopt);
        out.tooLong += trials[n].tooLong ? 1 : 0;
      }
    }
    out.tried = m_plan.tried();
    out.simulated = m_plan.simulated();
  }

 private:
  /// A mapping that would exceed its work limit is not simulated. One that fails keeps its errors.
  Trial simulate(Ranked& ranked) const {
    auto limit = m_plan.limit();
    const std::int64_t setUp = kEventsPerCore * ranked.candidate.estimate.activeCores;
    if (limit && setUp >= *limit) return {0, true};
    auto lowered = schedule::lower(m_subject.kernel, m_subject.nest, m_subject.hw,
                                   ranked.candidate.mapping, &m_progress);
    if (!lowered) return failed(ranked, lowered.takeDiagnostics(), setUp);
    const bool repeats = schedule::mayRepeat(*lowered);
    const std::int64_t weight = weightOf(*lowered) * (repeats ? 1 : kUnrepeatedWeight);
    if (limit) *limit = (*limit - setUp) / weight;
    if (limit && !repeats &&
        kEventsPerInstruction * schedule::instructionsToRun(*lowered, m_subject.hw) >
            static_cast<double>(*limit)) {
      return {setUp, true};
    }
    Trial trial = run(ranked, *std::move(lowered), limit);
    trial.work = setUp + weight * trial.work;
    return trial;
  }

  /// Where tiles of other cores are waited for, each of those in the window is looked up: about a
  /// tenth of an event.
  static std::int64_t weightOf(const schedule::Schedule& schedule) {
    std::int64_t most = 1;
    for (const schedule::Buffer& buffer : schedule.buffers) {
      std::int64_t tiles = 1;
      for (const kernel::RegionDim& dim : buffer.need.region) {
        tiles *= 1 + (dim.minOffset < 0 ? 1 : 0) + (dim.maxOffset > 0 ? 1 : 0);
      }
      most = std::max(most, tiles);
    }
    return (most + 9) / 10;
  }

  Trial run(Ranked& ranked, schedule::Schedule schedule, std::optional<std::int64_t> limit) const {
    schedule::VerifyEffort effort;
    if (limit) effort.maxSteps = *limit;
    auto verified = schedule::verify(std::move(schedule), m_subject.kernel, m_subject.nest,
                                     m_subject.hw, nullptr, &m_progress, &effort);
    if (!verified) return failed(ranked, verified.takeDiagnostics(), effort.steps);
    if (limit && effort.steps >= *limit) return {*limit, true};
    simulate::Options options = m_simulation;
    const bool less = limit && *limit - effort.steps < options.maxEvents;
    if (less) options.maxEvents = *limit - effort.steps;
    auto simulation = simulate::simulate(*verified, options, m_progress);
    if (simulation) {
      ranked.simulated = *std::move(simulation);
      return {effort.steps + ranked.simulated->executed, false};
    }
    if (less && !simulate::hasInternalError(simulation.diagnostics())) return {*limit, true};
    return failed(ranked, simulation.takeDiagnostics(), effort.steps + options.maxEvents);
  }

  Trial failed(Ranked& ranked, base::Diagnostics why, std::int64_t work) const {
    if (!m_progress.cancelled()) ranked.notSimulated = std::move(why);
    return {work, false};
  }

  std::vector<Ranked>& m_ranked;
  const Subject& m_subject;
  base::Progress& m_progress;
  simulate::Options m_simulation;  ///< options of each mapping's simulation
  int m_threads;
  RerankingPlan m_plan;
};

auto orderOf(const Ranked& ranked) {
  return std::tuple(!ranked.simulated, ranked.simulated ? ranked.simulated->cycles : 0,
                    ranked.place);
}

// Lists only the first of equivalent mappings, with the number of the others.
void foldTwins(std::vector<Ranked>& ranked, const std::vector<Structure>& structures) {
  std::vector<std::size_t> listed(structures.size(), structures.size());
  std::vector<Ranked> folded;
  for (Ranked& each : ranked) {
    const std::size_t group = structures[each.place].twinOf;
    if (listed[group] == structures.size()) {
      listed[group] = folded.size();
      folded.push_back(std::move(each));
    } else {
      ++folded[listed[group]].twins;
    }
  }
  ranked = std::move(folded);
}

}  // namespace

Reranked rerank(std::vector<Ranked>& ranked, const Subject& subject, const std::string& mode,
                const ExploreOptions& options, base::Progress& progress) {
  Reranked out;
  Reranker(ranked, subject, mode, options, progress).run(out);
  if (!ranked.empty() && ranked.front().simulated) {
    out.firstCycles = ranked.front().simulated->cycles;
  }
  const std::vector<Structure> structures = structuresOf(ranked);
  std::ranges::sort(ranked, {}, orderOf);
  if (options.rerank.least == 0 && options.rerank.most > 0) foldTwins(ranked, structures);
  return out;
}

double fastestReranked(const Reranking& rerank, std::span<const Ranked> ranked) {
  std::vector<Ranked> byModel(ranked.begin(), ranked.end());
  std::ranges::sort(byModel, {}, &Ranked::place);
  RerankingPlan plan(rerank, byModel);
  double fastest = 0;
  for (auto round = plan.next(); !round.empty(); round = plan.next()) {
    for (const std::size_t at : round) {
      const Ranked& of = byModel[at];
      const std::int64_t work =
          kEventsPerCore * of.candidate.estimate.activeCores + of.simulated->executed;
      const bool fits = !plan.limit() || work <= *plan.limit();
      const auto cycles = fits ? std::optional(of.simulated->cycles) : std::nullopt;
      plan.record(at, fits ? work : *plan.limit(), cycles);
      if (cycles) fastest = fastest > 0 ? std::min(fastest, *cycles) : *cycles;
    }
  }
  return fastest;
}

}  // namespace gridloom::service
