// SPDX-License-Identifier: Apache-2.0
#include "service/long_ranking.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <map>
#include <span>

#include "cost/model.h"
#include "ranking/mapping_structure.h"
#include "report/sanity.h"
#include "timing/op_cycles.h"

namespace gridloom::service {

namespace {

constexpr std::size_t kBatch = 4096;  ///< candidates that are whole at the same time

/// Finds earlier mappings of the list to which later ones are equivalent. These have the same
/// predicted cycles, so of those in `more` only the ones with the cycles of the last are kept.
class Twins {
 public:
  explicit Twins(Exploration& of) : m_of(of) {
    for (std::size_t at = 0; at < of.top.size(); ++at)
      m_top.try_emplace(ranking::twinKey(of.top[at].candidate), at);
  }

  /// Counts a mapping at its twin; false where it has none before it.
  bool fold(const search::Candidate& candidate) {
    if (candidate.estimate.cycles != m_cycles) m_run.clear();
    m_cycles = candidate.estimate.cycles;
    const ranking::TwinKey key = ranking::twinKey(candidate);
    if (const auto found = m_top.find(key); found != m_top.end()) {
      ++m_of.top[found->second].twins;
      return true;
    }
    const auto [at, added] = m_run.try_emplace(key, m_of.more.size());
    if (!added) m_of.more.addTwin(at->second);
    return !added;
  }

 private:
  Exploration& m_of;
  std::map<ranking::TwinKey, std::size_t> m_top, m_run;
  double m_cycles = 0;
};

}  // namespace

void listMore(Exploration& exploration, const search::PreparedSearch& search,
              const search::Outcome& found, bool fold, int threads, base::Progress& progress) {
  if (found.rest.empty()) return;
  Twins twins(exploration);
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  std::vector<search::Candidate> batch;
  for (std::size_t begin = 0; begin < found.rest.size(); begin += kBatch) {
    if (progress.cancelled()) return;
    const std::size_t count = std::min(kBatch, found.rest.size() - begin);
    batch.resize(count);
    arena.execute([&] {
      tbb::parallel_for(std::size_t{0}, count, [&](std::size_t n) {
        batch[n] = search.candidate(found.rest[begin + n]);
      });
    });
    for (std::size_t n = 0; n < count; ++n) {
      for (base::Diagnostic& each : report::checkSanity(batch[n].estimate))
        exploration.insane.push_back(std::move(each));
      if (!fold || !twins.fold(batch[n]))
        exploration.more.add(batch[n], found.top.size() + begin + n);
    }
  }
}

mapping::Mapping mappingAt(const Exploration& exploration, std::size_t at) {
  if (at < exploration.top.size()) return exploration.top[at].candidate.mapping;
  return exploration.more.mapping(at - exploration.top.size());
}

std::string lineAt(const Exploration& exploration, std::size_t at) {
  if (at < exploration.top.size()) return exploration.top[at].line;
  return mapping::describe(exploration.kernel->kernel, *exploration.kernel->nest,
                           exploration.hardware->topology, mappingAt(exploration, at));
}

ranking::Ranked rankedAt(const Exploration& exploration, std::size_t at) {
  if (at < exploration.top.size()) return exploration.top[at];
  const std::size_t further = at - exploration.top.size();
  const ranking::ListedFigures& figures = exploration.more.figures(further);
  const kernel::TileNest& nest = *exploration.kernel->nest;
  const hardware::Topology& hw = exploration.hardware->topology;
  ranking::Ranked ranked;
  ranked.candidate.mapping = exploration.more.mapping(further);
  ranked.line = lineAt(exploration, at);
  ranked.place = figures.place;
  ranked.twins = figures.twins;
  // The mode was accepted by the search that made the ranking.
  if (const auto compute = hw.compute(exploration.mode, timing::operandBits(nest))) {
    ranked.candidate.estimate = cost::estimate(exploration.kernel->kernel, nest, hw, *compute,
                                               ranked.candidate.mapping);
  }
  return ranked;
}

}  // namespace gridloom::service
