// SPDX-License-Identifier: Apache-2.0
// Whole candidates, and the waiting of tiles for each other, which only they and walks show.
#include <cmath>

#include "search/branch.h"

namespace gridloom::search {

namespace {

// Steps of the walk along dependences that take as long as one bound.
constexpr std::int64_t kStepsPerWork = 64;

// Bounds that take as long as the cycles of a whole candidate, beside its own.
constexpr std::int64_t kBoundsPerWhole = 2;

// Ties with the limit stay, whichever way they are rounded.
constexpr double kRounded = 1e-9;

}  // namespace

void Branch::addLoads(const CostedOption& option) {
  m_whole.push_back(m_costed.load(option));
  for (std::uint32_t stage = 0; stage < option.stages; ++stage) {
    m_whole.push_back(m_costed.stageLoad(option, stage));
  }
}

bool Branch::finish(std::uint64_t choice) {
  takeWork(kBoundsPerWhole * m_stepWork);
  m_whole.clear();
  for (const CostedOption* option : m_chosen) addLoads(*option);
  // The fixed options have their sums on a stack; few candidates are left for sums of their own, in
  // an order that does not depend on the search.
  const double most = limit() * (1 + kRounded);
  if (m_evaluator.cyclesOn(m_bound, m_candidate, m_whole, m_scratch, most) > most) return false;
  Entry entry = m_here;
  entry.choice = choice;
  entry.cycles = m_evaluator.cycles(m_candidate, m_whole, m_scratch, limit());
  const std::int64_t walked = m_candidate.walk ? m_candidate.walk->takeSteps() : 0;
  takeWork(walked / kStepsPerWork);
  if (entry.cycles > limit()) return walked > 0;
  entry.effort = {std::nearbyint(cost::Evaluator::traffic(m_whole).moved()),
                  std::nearbyint(cost::Evaluator::transfers(m_whole)), m_tiles};
  m_local.add(entry);
  return false;
}

// Bounds of the resources do not see that tiles wait for each other. Where a candidate took too
// long for that reason, a walk with the operands before `depth` alone may show the same of all
// others.
bool Branch::waitsTooLong(std::size_t depth) {
  m_whole.clear();
  for (std::size_t d = 0; d < depth; ++d) addLoads(*m_chosen[m_operands[d].number]);
  const double most = limit() * (1 + kRounded);
  const bool tooLong = m_evaluator.leastWaiting(m_candidate, m_whole, most) > most;
  takeWork(m_candidate.walk->takeSteps() / kStepsPerWork);
  return tooLong;
}

}  // namespace gridloom::search
