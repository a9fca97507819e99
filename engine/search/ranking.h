// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace gridloom::search {

/// Costs of a point besides time: of points with equal cycles, the one with the smaller effort is
/// better.
struct Effort {
  double bytes = 0;  ///< between global memory and cores, and over links (hardware::Traffic::moved)
  double transfers = 0;  ///< per core
  double tiles = 0;      ///< tiles of the whole iteration space; fewer means larger tiles
  friend auto operator<=>(const Effort&, const Effort&) = default;
};

/// A point of the space and its cost. Ordered by cost, then by effort, then by position in the
/// space. This is a total order, so the best k are the same for any number of threads.
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

/// The best k entries so far.
///
/// A long ranking takes new entries in by batches: moving its entries for each new one would take
/// a time that grows with the square of k. Until `settle`, `best` and `threshold` are those of the
/// last batch; that threshold is never too low.
class Ranking {
 public:
  explicit Ranking(std::size_t k) : m_k(k), m_batch(k < kLong ? 0 : k / 16) {
    m_best.reserve(std::min(k + 1, kLong));
  }

  /// Cost above which no point enters the ranking.
  double threshold() const {
    return m_best.size() < m_k ? std::numeric_limits<double>::infinity() : m_best.back().cycles;
  }

  /// Ignores an entry that is already there.
  void add(const Entry& entry) {
    if (m_best.size() == m_k && !(entry < m_best.back())) return;
    if (m_batch == 0) return insert(entry);
    m_new.push_back(entry);
    if (m_new.size() >= m_batch) settle();
  }

  /// Takes in all that was added.
  void settle() {
    if (m_new.empty()) return;
    std::sort(m_new.begin(), m_new.end());
    const auto middle = static_cast<std::ptrdiff_t>(m_best.size());
    m_best.insert(m_best.end(), m_new.begin(), m_new.end());
    m_new.clear();
    std::inplace_merge(m_best.begin(), m_best.begin() + middle, m_best.end());
    m_best.erase(std::unique(m_best.begin(), m_best.end()), m_best.end());
    if (m_best.size() > m_k) m_best.resize(m_k);
    ++m_changes;
  }

  void clear() {
    m_best.clear();
    m_new.clear();
  }
  const std::vector<Entry>& best() const { return m_best; }
  /// Grows whenever `best` changes.
  std::uint64_t changes() const { return m_changes; }

 private:
  static constexpr std::size_t kLong = 4096;

  void insert(const Entry& entry) {
    const auto at = std::lower_bound(m_best.begin(), m_best.end(), entry);
    if (at != m_best.end() && *at == entry) return;
    m_best.insert(at, entry);
    if (m_best.size() > m_k) m_best.pop_back();
    ++m_changes;
  }

  std::size_t m_k;
  std::size_t m_batch;  ///< 0: every entry at once
  std::uint64_t m_changes = 0;
  std::vector<Entry> m_best;
  std::vector<Entry> m_new;
};

}  // namespace gridloom::search
