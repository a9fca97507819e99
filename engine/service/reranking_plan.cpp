// SPDX-License-Identifier: Apache-2.0
#include "service/reranking_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace gridloom::service {

namespace {

/// Simulations in parallel. A constant, so that the decisions do not depend on the number of
/// threads.
constexpr std::size_t kRound = 2;
/// Families whose predictions are within this factor of the best are compared by simulation first.
constexpr double kComparable = 1.1;
/// Different routes to ports may change cycles by this factor.
constexpr double kNear = 1.01;

using Key = std::vector<double>;

template <class... Values> std::vector<double> keyOf(Values... values) {
  return {static_cast<double>(values)...};
}

void append(Key& to, const Key& more) { to.insert(to.end(), more.begin(), more.end()); }

Key keyOf(const mapping::InputMovement& m) {
  Key key =
      keyOf(m.kind, std::popcount(m.along), m.level, m.buffers, m.layout, std::popcount(m.shared));
  for (const mapping::SharedBufferUse& use : m.sharedBuffers)
    append(key, keyOf(use.level, use.buffers, std::popcount(use.along)));
  return key;
}

Key keyOf(const mapping::OutputMovement& m) {
  Key key = keyOf(m.reduction, m.gather >= 0, m.buffers, m.layout);
  for (const std::uint8_t buffers : m.sharedBuffers) key.push_back(buffers);
  return key;
}

// The order of operands does not matter.
template <class Movements> void appendSorted(Key& to, const Movements& movements) {
  std::vector<Key> keys;
  for (const auto& movement : movements) keys.push_back(keyOf(movement));
  std::ranges::sort(keys);
  for (const Key& key : keys) append(to, key);
}

Key termsKey(const cost::Estimate& estimate) {
  Key key = keyOf(estimate.cycles, estimate.activeCores);
  for (const cost::Term& term : estimate.terms) key.push_back(term.cycles);
  return key;
}

Key twinKey(const search::Candidate& candidate) {
  const cost::Estimate& e = candidate.estimate;
  Key key = termsKey(e);
  append(key, keyOf(e.traffic.dramRead, e.traffic.dramWrite, e.traffic.network));
  std::vector<std::int64_t> tileSizes = candidate.mapping.tileSize;
  std::ranges::sort(tileSizes);
  for (const std::int64_t tileSize : tileSizes) key.push_back(static_cast<double>(tileSize));
  appendSorted(key, candidate.mapping.inputs);
  appendSorted(key, candidate.mapping.outputs);
  return key;
}

Key familyKey(const mapping::Mapping& mapping) {
  Key key;
  for (const mapping::LoopId loop : mapping.space) key.push_back(loop.valid() ? loop.value() : -1);
  for (const mapping::InputMovement& m : mapping.inputs) append(key, keyOf(m.kind, m.along));
  for (const mapping::OutputMovement& m : mapping.outputs)
    append(key, keyOf(m.reduction, m.gather));
  return key;
}

}  // namespace

std::vector<Structure> structuresOf(std::span<const Ranked> ranked) {
  std::map<Key, std::size_t> twins, alike, families;
  std::vector<Structure> out;
  for (std::size_t at = 0; at < ranked.size(); ++at) {
    const search::Candidate& candidate = ranked[at].candidate;
    out.push_back({twins.try_emplace(twinKey(candidate), at).first->second,
                   alike.try_emplace(termsKey(candidate.estimate), at).first->second,
                   families.try_emplace(familyKey(candidate.mapping), at).first->second});
  }
  return out;
}

RerankingPlan::RerankingPlan(const Reranking& rerank, std::span<const Ranked> ranked)
    : m_rerank(rerank), m_alike(ranked.size()), m_families(ranked.size()), m_left(rerank.work) {
  const std::vector<Structure> structures = structuresOf(ranked);
  for (std::size_t at = 0; at < ranked.size(); ++at) {
    m_entries.push_back({ranked[at].candidate.estimate.cycles, structures[at], false});
  }
}

double RerankingPlan::expected(const Entry& entry) const {
  const Family& family = m_families[entry.structure.family];
  return family.count == 0 ? entry.predicted
                           : entry.predicted * std::exp(family.logs / family.count);
}

double RerankingPlan::typicalError() const {
  return m_simulated == 0 ? 0 : std::sqrt(m_squares / static_cast<double>(m_simulated));
}

double RerankingPlan::hopedFor(const Entry& entry) const {
  return std::min(entry.predicted, expected(entry) * std::exp(-typicalError()));
}

std::optional<std::size_t> RerankingPlan::familyToOpen() const {
  for (std::size_t at = 0; at < m_entries.size(); ++at) {
    const Entry& entry = m_entries[at];
    if (entry.predicted > kComparable * m_entries.front().predicted) break;
    if (!entry.done && entry.structure.family == at && entry.structure.alike == at) return at;
  }
  return std::nullopt;
}

template <class Cycles> std::optional<std::size_t> RerankingPlan::leastBy(const Cycles& of) const {
  std::optional<std::size_t> found;
  for (std::size_t at = 0; at < m_entries.size(); ++at) {
    const Entry& entry = m_entries[at];
    if (entry.done || entry.structure.alike != at) continue;
    if (!found || of(entry) < of(m_entries[*found])) found = at;
  }
  return found;
}

std::optional<std::size_t> RerankingPlan::mayBeFaster() const {
  // Where none of the first could be simulated, no further one is tried.
  if (m_simulated == 0) return std::nullopt;
  const auto at = leastBy([&](const Entry& entry) { return hopedFor(entry); });
  return at && hopedFor(m_entries[*at]) <= m_fastest ? at : std::nullopt;
}

// Of the least tried, the fastest.
std::optional<std::size_t> RerankingPlan::alikeToFastest() const {
  std::optional<std::size_t> found;
  std::pair<int, double> least;
  const double near = std::min(kNear, std::exp(typicalError())) * m_fastest;
  for (std::size_t at = 0; at < m_entries.size(); ++at) {
    const Alike& alike = m_alike[m_entries[at].structure.alike];
    if (m_entries[at].done || alike.count == 0 || alike.fastest > near) continue;
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
    round.push_back(at);
  };
  m_limit.reset();
  const auto least = std::min(m_entries.size(), static_cast<std::size_t>(m_rerank.least));
  if (m_tried < least) {
    while (m_tried < least) give(m_tried);
    return round;
  }
  m_limit = std::max(m_left / static_cast<std::int64_t>(kRound), m_tried == 0 ? m_rerank.first : 0);
  const auto furthest = static_cast<std::size_t>(std::max(m_rerank.most, m_rerank.furthest));
  while (*m_limit > 0 && round.size() < kRound && m_tried < furthest) {
    const bool enough = m_tried >= static_cast<std::size_t>(m_rerank.most);
    auto at = enough ? mayBeFaster() : familyToOpen();
    if (!at && !enough) at = leastBy([&](const Entry& entry) { return expected(entry); });
    if (!at) at = alikeToFastest();
    if (!at) break;
    give(*at);
  }
  return round;
}

void RerankingPlan::record(std::size_t at, std::int64_t work, std::optional<double> cycles) {
  m_left -= std::min(work, m_left);
  if (!cycles) return;
  ++m_simulated;
  if (m_fastest <= 0 || *cycles < m_fastest) m_fastest = *cycles;
  Alike& alike = m_alike[m_entries[at].structure.alike];
  if (alike.count++ == 0 || *cycles < alike.fastest) alike.fastest = *cycles;
  Family& family = m_families[m_entries[at].structure.family];
  const double error = std::log(*cycles / m_entries[at].predicted);
  m_squares += error * error;
  family.logs += error;
  ++family.count;
}

}  // namespace gridloom::service
