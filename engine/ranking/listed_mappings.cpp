// SPDX-License-Identifier: Apache-2.0
#include "ranking/listed_mappings.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace gridloom::ranking {

namespace {

/// Vectors of a mapping have an element per loop, dimension or operand: far fewer than 65,536.
using Length = std::uint16_t;

template <class T> void pack(const std::vector<T>& values, std::vector<std::uint8_t>& into) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto length = static_cast<Length>(values.size());
  const std::size_t at = into.size();
  into.resize(at + sizeof length + values.size() * sizeof(T));
  std::memcpy(into.data() + at, &length, sizeof length);
  if (!values.empty())
    std::memcpy(into.data() + at + sizeof length, values.data(), values.size() * sizeof(T));
}

template <class T> void unpack(const std::uint8_t*& from, std::vector<T>& values) {
  Length length = 0;
  std::memcpy(&length, from, sizeof length);
  from += sizeof length;
  values.resize(length);
  if (length > 0) std::memcpy(values.data(), from, values.size() * sizeof(T));
  from += values.size() * sizeof(T);
}

/// Calls `part` with each vector of a mapping, always in the same order.
template <class Mapping, class Part> void forParts(Mapping& mapping, const Part& part) {
  part(mapping.tileSize);
  part(mapping.space);
  part(mapping.dimOrder);
  part(mapping.order);
  part(mapping.inputs);
  part(mapping.outputs);
  part(mapping.allReduces);
}

}  // namespace

void ListedMappings::add(const search::Candidate& candidate, std::size_t place) {
  const cost::Estimate& estimate = candidate.estimate;
  auto name = std::ranges::find(m_bottlenecks, estimate.bottleneck);
  if (name == m_bottlenecks.end()) name = m_bottlenecks.insert(name, estimate.bottleneck);
  m_figures.push_back({estimate.cycles, estimate.tflops, estimate.utilization, estimate.localBytes,
                       static_cast<std::uint32_t>(place), 0,
                       static_cast<std::uint32_t>(name - m_bottlenecks.begin())});
  m_begins.push_back(m_packed.size());
  forParts(candidate.mapping, [this](const auto& values) { pack(values, m_packed); });
}

void ListedMappings::truncate(std::size_t count) {
  if (count >= size()) return;
  m_packed.resize(m_begins[count]);
  m_figures.resize(count);
  m_begins.resize(count);
}

mapping::Mapping ListedMappings::mapping(std::size_t at) const {
  mapping::Mapping made;
  const std::uint8_t* from = m_packed.data() + m_begins[at];
  forParts(made, [&from](auto& values) { unpack(from, values); });
  return made;
}

std::size_t ListedMappings::bytes() const {
  return m_figures.capacity() * sizeof(ListedFigures) + m_begins.capacity() * sizeof(std::size_t) +
         m_packed.capacity();
}

}  // namespace gridloom::ranking
