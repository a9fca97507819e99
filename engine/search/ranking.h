// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

namespace gridloom::search {

/// A point of the space and its cost. Ordered by cost, then by place in the space: a total order, so that the
/// best k are the same on any number of threads.
struct Entry {
  double cycles = 0;
  std::uint64_t item = 0;
  std::uint32_t order = 0;
  std::uint64_t choice = 0;  ///< mixed radix over the operands' options
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

/// The best k entries seen.
class Ranking {
 public:
  explicit Ranking(std::size_t k) : m_k(k) { m_best.reserve(k + 1); }

  /// Cost above which nothing can enter any more.
  double threshold() const {
    return m_best.size() < m_k ? std::numeric_limits<double>::infinity() : m_best.back().cycles;
  }

  void add(const Entry& entry) {
    if (m_best.size() == m_k && !(entry < m_best.back())) return;
    m_best.insert(std::lower_bound(m_best.begin(), m_best.end(), entry), entry);
    if (m_best.size() > m_k) m_best.pop_back();
  }

  const std::vector<Entry>& best() const { return m_best; }

 private:
  std::size_t m_k;
  std::vector<Entry> m_best;
};

}  // namespace gridloom::search
