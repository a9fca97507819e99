// SPDX-License-Identifier: Apache-2.0
#include "ranking/reranking_plan.h"

#include <cmath>
#include <utility>

namespace gridloom::ranking {

namespace {

/// Simulations in parallel. A constant, so that the decisions do not depend on the number of
/// threads.
constexpr std::size_t kRound = 2;
/// Families whose predictions are within this factor of the best are compared by simulation first.
constexpr double kComparable = 1.1;
/// Deviations from the expected cycles that are allowed for, at the most. At the end the model may
/// also be right where it was wrong before.
constexpr int kWidest = 3;
/// Neighbours are not looked at when fewer simulations than these are left.
constexpr std::int64_t kFewest = 8;

}  // namespace

std::size_t RerankingPlan::ranked(const Reranking& rerank) {
  return static_cast<std::size_t>(std::max({rerank.least, rerank.most, rerank.furthest}));
}

RerankingPlan::RerankingPlan(const Reranking& rerank, std::span<const Ranked> all)
    : m_rerank(rerank), m_left(rerank.work) {
  for (const Ranked& each : all) addRanked(each.candidate);
}

void RerankingPlan::add(const search::Candidate& candidate, bool neighbour) {
  m_entries.push_back({candidate.estimate.cycles, m_structures.add(candidate), neighbour});
  m_alike.emplace_back();
}

std::optional<std::size_t> RerankingPlan::toExpand(bool ended) {
  const bool enough = m_neighboursTried >= static_cast<std::size_t>(m_rerank.around);
  if (enough || m_simulated == 0) return std::nullopt;
  if (!ended && m_tried < static_cast<std::size_t>(m_rerank.most)) return std::nullopt;
  const std::int64_t each = m_workTried / static_cast<std::int64_t>(m_simulated);
  if (m_left < kFewest * each) return std::nullopt;
  const auto at = fastestToExpand();
  if (!at || (!ended && m_entries[*at].simulated > m_fastest)) return std::nullopt;
  m_alike[m_entries[*at].structure.alike].expanded = true;
  return at;
}

std::optional<double> RerankingPlan::toSearchFurther() {
  if (m_searchedFurther || m_simulated == 0) return std::nullopt;
  if (m_tried < static_cast<std::size_t>(m_rerank.most)) return std::nullopt;
  const std::size_t wanted = ranked(m_rerank);
  std::size_t listed = 0;
  for (const Entry& entry : m_entries) {
    if (entry.neighbour) continue;
    ++listed;
    if (entry.predicted > m_fastest) return std::nullopt;
  }
  if (listed < wanted || static_cast<std::size_t>(std::max(0, m_rerank.further)) <= wanted)
    return std::nullopt;
  if (mayBeFaster()) return std::nullopt;
  m_searchedFurther = true;
  return m_fastest;
}

bool RerankingPlan::widen() {
  if (m_simulated == 0) return false;
  const bool muchLeft = m_left >= m_rerank.work / 2;
  if (muchLeft && m_doubt < 1 && m_width < kWidest) {
    ++m_width;
  } else if (m_doubt < 1) {
    m_doubt = 1;
  } else if (muchLeft && m_doubt < kComparable) {
    m_doubt = std::max(kComparable, std::exp(m_errors.typical()));
    for (Alike& alike : m_alike) alike.expanded = false;
  } else {
    return false;
  }
  return true;
}

// Of mappings with the same prediction, one.
std::optional<std::size_t> RerankingPlan::fastestToExpand() const {
  std::optional<std::size_t> found;
  const double near = std::exp(m_width * m_errors.typical()) * m_fastest;
  for (std::size_t at = 0; at < m_entries.size(); ++at) {
    const Entry& entry = m_entries[at];
    const bool isNear = entry.simulated > 0 && entry.simulated <= near;
    if (!isNear || m_alike[entry.structure.alike].expanded) continue;
    if (!found || entry.simulated < m_entries[*found].simulated) found = at;
  }
  return found;
}

bool RerankingPlan::addNeighbour(const search::Candidate& candidate) {
  if (fewestFor({candidate.estimate.cycles, m_structures.of(candidate)}) > m_fastest) return false;
  add(candidate, true);
  return true;
}

double RerankingPlan::expected(const Entry& entry) const {
  return entry.predicted * std::exp(m_errors.outlook(entry.structure).error);
}

double RerankingPlan::fewestFor(const Entry& entry) const {
  const ModelErrors::Outlook outlook = m_errors.outlook(entry.structure);
  const double fewest = std::exp(outlook.error - m_width * outlook.deviation);
  return entry.predicted * (m_doubt > 0 ? std::min(fewest, 1 / m_doubt) : fewest);
}

std::size_t RerankingPlan::mostOfRanking() const {
  const std::size_t first = ranked(m_rerank);
  return m_searchedFurther ? std::max(first, static_cast<std::size_t>(m_rerank.further)) : first;
}

// The mappings of the ranking and the neighbours have limits of their own.
bool RerankingPlan::mayTry(std::size_t at) const {
  if (m_entries[at].done) return false;
  return isNeighbour(at) ? m_neighboursTried < static_cast<std::size_t>(m_rerank.around)
                         : tried() < mostOfRanking();
}

std::optional<std::size_t> RerankingPlan::familyToOpen() const {
  for (std::size_t at = 0; at < m_entries.size(); ++at) {
    const Entry& entry = m_entries[at];
    if (entry.neighbour) continue;
    if (entry.predicted > kComparable * m_entries.front().predicted) break;
    if (!entry.done && entry.structure.family == at && entry.structure.alike == at) return at;
  }
  return std::nullopt;
}

// Of each group, the first.
template <class Cycles>
std::optional<std::size_t> RerankingPlan::leastBy(const Cycles& of,
                                                  std::size_t Structure::*group) const {
  std::optional<std::pair<double, std::size_t>> found;
  for (std::size_t at = 0; at < m_entries.size(); ++at) {
    const Entry& entry = m_entries[at];
    if (!mayTry(at) || entry.structure.*group != at) continue;
    const double cycles = of(entry);
    if (!found || cycles < found->first) found = {cycles, at};
  }
  return found ? std::optional(found->second) : std::nullopt;
}

std::optional<std::size_t> RerankingPlan::oneOfTheFirst() const {
  if (const auto at = familyToOpen()) return at;
  return leastBy([&](const Entry& entry) { return expected(entry); }, &Structure::alike);
}

std::optional<std::size_t> RerankingPlan::mayBeFaster() const {
  // Where none of the first could be simulated, no further one is tried.
  if (m_simulated == 0) return std::nullopt;
  const auto at = leastBy([&](const Entry& entry) { return fewestFor(entry); }, &Structure::same);
  return at && fewestFor(m_entries[*at]) <= m_fastest ? at : std::nullopt;
}

// Of the least tried, the fastest.
std::optional<std::size_t> RerankingPlan::alikeToFastest() const {
  std::optional<std::size_t> found;
  std::pair<int, double> least;
  const double near = std::exp(m_width * m_errors.typical()) * m_fastest;
  for (std::size_t at = 0; at < m_entries.size(); ++at) {
    const Alike& alike = m_alike[m_entries[at].structure.alike];
    if (!mayTry(at) || alike.count == 0 || alike.fastest > near) continue;
    const std::pair key(alike.count, alike.fastest);
    if (found && key >= least) continue;
    found = at;
    least = key;
  }
  return found;
}

std::vector<std::size_t> RerankingPlan::next() {
  std::vector<std::size_t> round;
  const auto give = [&](std::size_t at) {
    m_entries[at].done = true;
    ++m_tried;
    if (isNeighbour(at)) ++m_neighboursTried;
    round.push_back(at);
  };
  m_limit.reset();
  const auto least = std::min(m_entries.size(), static_cast<std::size_t>(m_rerank.least));
  if (m_tried < least) {
    while (m_tried < least) give(m_tried);
    return round;
  }
  // The first two share a limit of their own, one after the other.
  const std::size_t most = m_tried < 2 && m_rerank.first > 0 ? 1 : kRound;
  const std::int64_t together = m_tried < 2 ? m_rerank.first - m_worked : 0;
  m_limit = std::max(m_left / static_cast<std::int64_t>(kRound), together);
  while (*m_limit > 0 && round.size() < most) {
    const bool enough = m_tried >= static_cast<std::size_t>(m_rerank.most);
    auto at = enough ? mayBeFaster() : oneOfTheFirst();
    if (!at) at = alikeToFastest();
    if (!at) break;
    give(*at);
  }
  return round;
}

void RerankingPlan::record(std::size_t at, std::int64_t work, std::optional<double> cycles) {
  charge(work);
  m_worked += work;
  // Not even enough to set a simulation up.
  if (!cycles && work == 0) m_left = 0;
  if (!cycles) return;
  ++m_simulated;
  m_workTried += work;
  Entry& entry = m_entries[at];
  entry.simulated = *cycles;
  if (m_fastest <= 0 || *cycles < m_fastest) m_fastest = *cycles;
  Alike& alike = m_alike[entry.structure.alike];
  if (alike.count++ == 0 || *cycles < alike.fastest) alike.fastest = *cycles;
  m_errors.record(entry.structure, entry.predicted, *cycles);
}

}  // namespace gridloom::ranking
