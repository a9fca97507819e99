// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "report/cycle_search.h"
#include "simulate/simulation.h"

namespace gridloom::report {

/// Finds the spans that cover a cycle. A process has spans that overlap: a tile arrives while it
/// sends the one before. Mostly few overlap, and then those that cover a cycle are among the last
/// few that begin before it; otherwise a tree over the latest end finds them.
class SpanIndex {
 public:
  static constexpr std::size_t kFew = 64;  ///< so many are walked over faster than the tree

  /// The spans of one process.
  struct Range : CycleRange {
    /// A span that covers a cycle is among so many that begin last by then; kFew + 1: of more.
    std::size_t depth = 0;
  };
  /// `spans` by core, process, begin, as Simulation::trace; they must outlive the index.
  explicit SpanIndex(std::span<const simulate::Span> spans);

  Range rangeOf(hardware::CoreId core, std::int16_t process) const;
  std::span<const simulate::Span> of(const Range& range) const {
    return m_spans.subspan(range.begin, range.end - range.begin);
  }

  /// Calls `visit(span)` for the spans with begin <= cycle < end, by begin. O(log spans) for each.
  template <class Visit> void at(const Range& range, double cycle, const Visit& visit) const {
    const std::size_t later =
        firstAfter(range, cycle, [&](std::size_t n) { return m_spans[n].begin; });
    if (range.depth > kFew && later - range.begin > kFew)
      return walk(1, 0, m_leaves, range.begin, later, cycle, visit);
    for (std::size_t n = later - std::min(range.depth, later - range.begin); n < later; ++n) {
      if (m_spans[n].end > cycle) visit(m_spans[n]);
    }
  }

  /// Asks the memory for what `at` reads first.
  void prefetch(const Range& range, double cycle) const {
    if (range.begin < range.end) __builtin_prefetch(&m_spans[guessAt(range, cycle)]);
  }

 private:
  static constexpr std::size_t kLeaf = 16;  ///< spans per leaf

  /// `node` covers the leaves from `first` to before `last`; spans from `from` to before `to`.
  template <class Visit>
  void walk(std::size_t node, std::size_t first, std::size_t last, std::size_t from, std::size_t to,
            double cycle, const Visit& visit) const {
    const std::size_t begin = std::max(first * kLeaf, from);
    const std::size_t end = std::min(last * kLeaf, to);
    if (begin >= end || m_latest[node] <= cycle) return;
    if (last - first == 1) {
      for (std::size_t n = begin; n < end; ++n) {
        if (m_spans[n].end > cycle) visit(m_spans[n]);
      }
      return;
    }
    const std::size_t middle = (first + last) / 2;
    walk(2 * node, first, middle, from, to, cycle, visit);
    walk(2 * node + 1, middle, last, from, to, cycle, visit);
  }

  std::span<const simulate::Span> m_spans;
  std::size_t m_leaves = 1;      ///< a power of two
  std::vector<double> m_latest;  ///< per node of the tree, root at 1: the latest end
};

}  // namespace gridloom::report
