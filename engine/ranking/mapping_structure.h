// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "ranking/ranked.h"

namespace gridloom::ranking {

/// Groups that a mapping of a ranking belongs to. Each member is the position of the first mapping
/// of its group. Equivalent mappings (twins) move the same tiles equally often, in the same way, on
/// as many cores. They differ only in names of loops and dimensions, or in orders without effect.
struct Structure {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t twinOf = kNone;
  std::size_t alike = kNone;   ///< with the same predicted cycles, term by term
  std::size_t kinds = kNone;   ///< with the same kinds of movement
  std::size_t family = kNone;  ///< of the same kinds and dimensions, the same loops in space
  std::size_t same = kNone;    ///< of this family, with the same predicted cycles
};

/// Classifies mappings one after the other.
class Structures {
 public:
  Structure add(const search::Candidate& candidate);
  /// Without adding it; kNone where it would be the first.
  Structure of(const search::Candidate& candidate) const;

 private:
  using Key = std::vector<double>;
  template <class Lookup>
  static Structure classified(const search::Candidate& candidate, const Lookup& lookup);

  std::map<Key, std::size_t> m_twins, m_alike, m_kinds, m_families;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> m_same;
  std::size_t m_count = 0;
};

/// Equal for equivalent mappings, `Structure::twinOf`, and for no others.
using TwinKey = std::vector<double>;
TwinKey twinKey(const search::Candidate& candidate);

std::vector<Structure> structuresOf(std::span<const Ranked> ranked);

}  // namespace gridloom::ranking
