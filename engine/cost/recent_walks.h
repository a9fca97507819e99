// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "cost/dependence_critical_path.h"
#include "mapping/mapping.h"

namespace gridloom::cost {

/// The critical paths of the tilings and orders that were asked for last: predictions of mappings
/// that differ in their movements alone share their traces. Not thread-safe.
class RecentWalks {
 public:
  /// That of a mapping with the same tiling and order; null where none is kept.
  std::shared_ptr<DependenceCriticalPath> find(const mapping::Mapping& mapping) const {
    for (const Kept& kept : m_kept) {
      if (kept.walk && isAlike(kept.mapping, mapping)) return kept.walk;
    }
    return nullptr;
  }
  void keep(const mapping::Mapping& mapping, std::shared_ptr<DependenceCriticalPath> walk) {
    if (!walk || find(mapping) == walk) return;
    m_kept[m_next] = {mapping, std::move(walk)};
    m_next = (m_next + 1) % m_kept.size();
  }

 private:
  static constexpr std::size_t kMost = 8;  // a trace takes up to some megabytes
  struct Kept {
    mapping::Mapping mapping;
    std::shared_ptr<DependenceCriticalPath> walk;
  };
  static bool isAlike(const mapping::Mapping& a, const mapping::Mapping& b) {
    return a.tileSize == b.tileSize && a.space == b.space && a.dimOrder == b.dimOrder &&
           a.order == b.order;
  }

  std::array<Kept, kMost> m_kept;
  std::size_t m_next = 0;
};

}  // namespace gridloom::cost
