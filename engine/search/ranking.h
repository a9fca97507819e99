// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace gridloom::search {

/// What a point asks of the machine beside time: of points with equal cycles, the one that asks for less is better.
struct Effort {
  double bytes = 0;      ///< between global memory and cores, and over links (cost::Traffic::moved)
  double transfers = 0;  ///< that a core takes part in
  double tiles = 0;      ///< of the whole iteration space: fewer are larger
  friend auto operator<=>(const Effort&, const Effort&) = default;
};

/// A point of the space and its cost. Ordered by cost, then by effort, then by place in the space: a total order, so
/// that the best k are the same on any number of threads.
struct Entry {
  double cycles = 0;
  std::uint64_t item = 0;
  std::uint32_t order = 0;
  std::uint64_t choice = 0;  ///< mixed radix over the operands' options
  Effort effort = {};
  friend bool operator==(const Entry&, const Entry&) = default;
  friend auto operator<=>(const Entry& a, const Entry& b) {
    return std::tie(a.cycles, a.effort, a.item, a.order, a.choice) <=>
           std::tie(b.cycles, b.effort, b.item, b.order, b.choice);
  }
};

/// The best k entries seen.
class Ranking {
 public:
  explicit Ranking(std::size_t k) : m_k(k) { m_best.reserve(k + 1); }

  /// Cost above which nothing can enter any more.
  double threshold() const {
    return m_best.size() < m_k ? std::numeric_limits<double>::infinity() : m_best.back().cycles;
  }

  /// An entry that is there already counts once.
  void add(const Entry& entry) {
    if (m_best.size() == m_k && !(entry < m_best.back())) return;
    const auto at = std::lower_bound(m_best.begin(), m_best.end(), entry);
    if (at != m_best.end() && *at == entry) return;
    m_best.insert(at, entry);
    if (m_best.size() > m_k) m_best.pop_back();
  }

  void clear() { m_best.clear(); }
  const std::vector<Entry>& best() const { return m_best; }

 private:
  std::size_t m_k;
  std::vector<Entry> m_best;
};

}  // namespace gridloom::search
