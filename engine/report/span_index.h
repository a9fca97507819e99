// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "simulate/simulation.h"

namespace gridloom::report {

/// Finds the spans that cover a cycle. A process has spans that overlap: a tile arrives while it
/// sends the one before. So the index is the list by begin with a tree over the latest end.
class SpanIndex {
 public:
  /// The spans of one process.
  struct Range {
    std::size_t begin = 0, end = 0;
  };
  /// `spans` by core, process, begin, as Simulation::trace; they must outlive the index.
  explicit SpanIndex(std::span<const simulate::Span> spans);

  Range rangeOf(hardware::CoreId core, std::int16_t process) const;
  std::span<const simulate::Span> of(Range range) const {
    return m_spans.subspan(range.begin, range.end - range.begin);
  }

  /// Calls `visit(span)` for the spans with begin <= cycle < end, by begin. O(log spans) for each.
  template <class Visit> void at(Range range, double cycle, const Visit& visit) const {
    const auto first = m_spans.begin() + static_cast<std::ptrdiff_t>(range.begin);
    const auto last = m_spans.begin() + static_cast<std::ptrdiff_t>(range.end);
    const auto later =
        std::upper_bound(first, last, cycle,
                         [](double time, const simulate::Span& span) { return time < span.begin; });
    range.end = static_cast<std::size_t>(later - m_spans.begin());
    if (range.end - range.begin > kFew) return walk(1, 0, m_leaves, range, cycle, visit);
    for (std::size_t n = range.begin; n < range.end; ++n) {
      if (m_spans[n].end > cycle) visit(m_spans[n]);
    }
  }

 private:
  static constexpr std::size_t kLeaf = 16;  ///< spans per leaf
  static constexpr std::size_t kFew = 64;   ///< a walk over so many is faster than the tree

  /// `node` covers the leaves from `first` to before `last`.
  template <class Visit>
  void walk(std::size_t node, std::size_t first, std::size_t last, Range range, double cycle,
            const Visit& visit) const {
    const std::size_t begin = std::max(first * kLeaf, range.begin);
    const std::size_t end = std::min(last * kLeaf, range.end);
    if (begin >= end || m_latest[node] <= cycle) return;
    if (last - first == 1) {
      for (std::size_t n = begin; n < end; ++n) {
        if (m_spans[n].end > cycle) visit(m_spans[n]);
      }
      return;
    }
    const std::size_t middle = (first + last) / 2;
    walk(2 * node, first, middle, range, cycle, visit);
    walk(2 * node + 1, middle, last, range, cycle, visit);
  }

  std::span<const simulate::Span> m_spans;
  std::size_t m_leaves = 1;      ///< a power of two
  std::vector<double> m_latest;  ///< per node of the tree, root at 1: the latest end
};

}  // namespace gridloom::report
