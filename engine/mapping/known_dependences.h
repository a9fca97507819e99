// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "mapping/dependences.h"

namespace gridloom::mapping {

/// The dependences between tiles, computed once for all tile sizes with the same dependences.
class KnownDependences {
 public:
  explicit KnownDependences(const kernel::TileNest& nest) : m_nest(nest) {
    for (const kernel::Operand& operand : nest.inputs) {
      if (!operand.produced) continue;
      m_loops.insert(m_loops.end(), operand.loops.begin(), operand.loops.end());
      m_loops.insert(m_loops.end(), operand.makers.begin(), operand.makers.end());
    }
    for (const auto& tied : nest.ties) m_loops.insert(m_loops.end(), tied.begin(), tied.end());
  }

  /// Number of the class of tile sizes with the same dependences.
  std::size_t kindOf(const std::vector<std::int64_t>& tileSize) {
    std::vector<std::int64_t> key;
    for (const LoopId loop : m_loops) key.push_back(tileSize[loop.index()]);
    const auto [entry, isNew] = m_kindOf.try_emplace(key, 0);
    if (isNew) {
      TileDependences found = tileDependences(m_nest, tileSize, m_signs);
      const auto same = std::ranges::find(m_kinds, found);
      entry->second = static_cast<std::size_t>(same - m_kinds.begin());
      if (same == m_kinds.end()) m_kinds.push_back(std::move(found));
    }
    return entry->second;
  }
  const TileDependences& operator[](std::size_t kind) const { return m_kinds[kind]; }

 private:
  const kernel::TileNest& m_nest;
  std::vector<LoopId> m_loops;
  SignCombinations m_signs;
  std::map<std::vector<std::int64_t>, std::size_t> m_kindOf;
  std::vector<TileDependences> m_kinds;
};

}  // namespace gridloom::mapping
