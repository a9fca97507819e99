// SPDX-License-Identifier: Apache-2.0
#include "ranking/mapping_structure.h"

#include <algorithm>
#include <bit>

namespace gridloom::ranking {

namespace {

using Key = std::vector<double>;

template <class... Values> Key keyOf(Values... values) { return {static_cast<double>(values)...}; }

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

Key kindsKey(const mapping::Mapping& mapping) {
  Key key;
  for (const mapping::InputMovement& m : mapping.inputs)
    append(key, keyOf(m.kind, std::popcount(m.along), m.usesSharedBuffer()));
  for (const mapping::OutputMovement& m : mapping.outputs)
    append(key, keyOf(m.reduction, m.gather >= 0, m.usesSharedBuffer()));
  return key;
}

Key familyKey(const mapping::Mapping& mapping) {
  Key key = kindsKey(mapping);
  for (const mapping::LoopId loop : mapping.space) key.push_back(loop.valid() ? loop.value() : -1);
  for (const std::uint8_t dim : mapping.dimOrder) append(key, keyOf(dim));
  for (const mapping::InputMovement& m : mapping.inputs) append(key, keyOf(m.along));
  for (const mapping::OutputMovement& m : mapping.outputs) append(key, keyOf(m.gather));
  return key;
}

}  // namespace

TwinKey twinKey(const search::Candidate& candidate) {
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

template <class Lookup>
Structure Structures::classified(const search::Candidate& candidate, const Lookup& lookup) {
  Structure s;
  s.twinOf = lookup(&Structures::m_twins, twinKey(candidate));
  s.alike = lookup(&Structures::m_alike, termsKey(candidate.estimate));
  s.kinds = lookup(&Structures::m_kinds, kindsKey(candidate.mapping));
  s.family = lookup(&Structures::m_families, familyKey(candidate.mapping));
  s.same = lookup(&Structures::m_same, std::pair(s.alike, s.family));
  return s;
}

Structure Structures::add(const search::Candidate& candidate) {
  const std::size_t at = m_count++;
  return classified(candidate, [&](auto groups, const auto& key) {
    return (this->*groups).try_emplace(key, at).first->second;
  });
}

Structure Structures::of(const search::Candidate& candidate) const {
  return classified(candidate, [&](auto groups, const auto& key) {
    const auto found = (this->*groups).find(key);
    return found == (this->*groups).end() ? Structure::kNone : found->second;
  });
}

std::vector<Structure> structuresOf(std::span<const Ranked> ranked) {
  Structures structures;
  std::vector<Structure> out;
  for (const Ranked& each : ranked) out.push_back(structures.add(each.candidate));
  return out;
}

}  // namespace gridloom::ranking
