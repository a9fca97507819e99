// SPDX-License-Identifier: Apache-2.0
#include "ranking/rerank.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "ranking/further_search.h"
#include "ranking/mapping_structure.h"
#include "ranking/neighbour_search.h"
#include "ranking/reranking_plan.h"
#include "ranking/trial.h"

namespace gridloom::ranking {

namespace {

class Reranker {
 public:
  Reranker(std::vector<Ranked>& ranked, const Subject& subject, const FirstSearch& first,
           const RerankOptions& options, base::Progress& progress)
      : m_ranked(ranked),
        m_first(first),
        m_options(options),
        m_progress(progress),
        m_trials(subject, options.simulation, progress),
        m_plan(options.rerank, ranked),
        m_neighbours(subject, first.constraints, first.options.mode, progress) {}

  void run(Reranked& out) {
    const int threads = m_options.threads;
    tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
    for (bool ended = false; !m_progress.cancelled();) {
      while (expand(ended)) ended = false;
      searchFurther();
      const auto round = m_plan.next();
      if (round.empty() && ended && !m_plan.widen()) break;
      ended = round.empty();
      simulate(round, arena, out);
    }
    out.tried = m_plan.tried();
    out.simulated = m_plan.simulated();
  }

 private:
  void simulate(const std::vector<std::size_t>& round, tbb::task_arena& arena, Reranked& out) {
    std::vector<Trial> trials(round.size());
    arena.execute([&] {
      tbb::parallel_for(std::size_t{0}, round.size(), [&](std::size_t n) {
        trials[n] = m_trials.simulate(m_ranked[round[n]], m_plan.limit());
      });
    });
    if (m_progress.cancelled()) return;
    for (std::size_t n = 0; n < round.size(); ++n) {
      const auto& simulated = m_ranked[round[n]].simulated;
      m_plan.record(round[n], trials[n].work,
                    simulated ? std::optional(simulated->cycles) : std::nullopt);
      out.tooLong += trials[n].tooLong && !m_plan.isNeighbour(round[n]) ? 1 : 0;
    }
  }

  // Adds the neighbours of a mapping; false where none are to be added now.
  bool expand(bool ended) {
    const auto at = m_plan.toExpand(ended);
    if (!at || m_progress.cancelled()) return false;
    const auto [neighbours, work] = m_neighbours.of(m_ranked, *at, m_plan.workLeft());
    for (const search::Candidate& neighbour : neighbours) {
      if (m_plan.addNeighbour(neighbour))
        m_ranked.push_back({neighbour, "", std::nullopt, 0, std::nullopt, {}});
    }
    m_plan.charge(work);
    return true;
  }

  // Continues the ranking where it is to be, if that takes at most half of the work that is left.
  void searchFurther() {
    const auto below = m_plan.toSearchFurther();
    if (!below) return;
    const auto [all, work] = ranking::searchFurther(m_first, m_options.rerank.further, *below,
                                                    m_plan.workLeft() / 2, m_progress);
    m_plan.charge(work);
    const std::size_t before = RerankingPlan::ranked(m_options.rerank);
    for (std::size_t place = before; place < all.size(); ++place) {
      const auto neighbour = std::ranges::find_if(m_ranked, [&](const Ranked& each) {
        return !each.place && each.candidate.estimate.cycles == all[place].estimate.cycles &&
               each.candidate.mapping == all[place].mapping;
      });
      if (neighbour != m_ranked.end()) {
        neighbour->place = place;
        continue;
      }
      m_ranked.push_back({all[place], "", place, 0, std::nullopt, {}});
      m_plan.addRanked(all[place]);
    }
  }

  std::vector<Ranked>& m_ranked;
  const FirstSearch& m_first;
  const RerankOptions& m_options;
  base::Progress& m_progress;
  Trials m_trials;
  RerankingPlan m_plan;
  NeighbourSearch m_neighbours;
};

auto orderOf(const Ranked& ranked) {
  return std::pair(!ranked.simulated, ranked.simulated ? ranked.simulated->cycles : 0);
}

// Lists only the first of equivalent mappings, with the number of the others.
void foldTwins(std::vector<Ranked>& ranked) {
  const std::vector<Structure> structures = structuresOf(ranked);
  std::vector<std::size_t> listed(structures.size(), structures.size());
  std::vector<Ranked> folded;
  for (std::size_t at = 0; at < ranked.size(); ++at) {
    const std::size_t group = structures[at].twinOf;
    if (listed[group] == structures.size()) {
      listed[group] = folded.size();
      folded.push_back(std::move(ranked[at]));
    } else {
      ++folded[listed[group]].twins;
    }
  }
  ranked = std::move(folded);
}

// Of the neighbours, those that are simulated stay, and those that failed, with the reason.
void nameAdded(std::vector<Ranked>& ranked, const Subject& subject) {
  std::erase_if(ranked, [](const Ranked& each) {
    return !each.place && !each.simulated && each.notSimulated.empty();
  });
  for (Ranked& each : ranked) {
    if (!each.line.empty()) continue;
    each.line = mapping::describe(subject.kernel, subject.nest, subject.hw, each.candidate.mapping);
  }
}

}  // namespace

Reranked rerank(std::vector<Ranked>& ranked, const Subject& subject, const FirstSearch& first,
                const RerankOptions& options, base::Progress& progress) {
  Reranked out;
  const std::size_t part = std::min(ranked.size(), RerankingPlan::ranked(options.rerank));
  if (part == 0) return out;
  // Mappings that are only listed come after those that take part, and their neighbours.
  std::vector<Ranked> listed(std::make_move_iterator(ranked.begin() + static_cast<int>(part)),
                             std::make_move_iterator(ranked.end()));
  ranked.resize(part);
  Reranker(ranked, subject, first, options, progress).run(out);
  if (ranked.front().simulated) out.firstCycles = ranked.front().simulated->cycles;
  nameAdded(ranked, subject);
  // Those that the longer ranking holds, too, are there already.
  const auto last = std::ranges::max(ranked, {}, &Ranked::place).place.value_or(0);
  std::erase_if(listed, [&](const Ranked& each) { return each.place <= last; });
  std::ranges::move(listed, std::back_inserter(ranked));
  std::ranges::stable_sort(ranked, {}, orderOf);
  if (options.rerank.least == 0 && options.rerank.most > 0) foldTwins(ranked);
  return out;
}

double fastestReranked(const Reranking& rerank, std::span<const Ranked> ranked) {
  std::vector<Ranked> byModel(ranked.begin(), ranked.end());
  std::ranges::sort(byModel, {}, &Ranked::place);
  Reranking withoutNeighbours = rerank;
  withoutNeighbours.around = 0;
  RerankingPlan plan(withoutNeighbours, byModel);
  double fastest = 0;
  while (true) {
    const auto round = plan.next();
    if (round.empty() && !plan.widen()) return fastest;
    for (const std::size_t at : round) {
      const Ranked& of = byModel[at];
      const std::int64_t work =
          kWorkPerCore * of.candidate.estimate.activeCores + of.simulated->work;
      const bool fits = !plan.limit() || work <= *plan.limit();
      const auto cycles = fits ? std::optional(of.simulated->cycles) : std::nullopt;
      plan.record(at, fits ? work : *plan.limit(), cycles);
      if (cycles) fastest = fastest > 0 ? std::min(fastest, *cycles) : *cycles;
    }
  }
}

}  // namespace gridloom::ranking
