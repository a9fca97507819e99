// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace gridloom::report {

/// Some of many items in order of their cycles, such as the spans of one process.
struct CycleRange {
  std::size_t begin = 0, end = 0;
  double first = 0, last = 0;  ///< cycles of the first and the last one
};

/// Where the last item up to a cycle is, if they follow each other evenly; the range is not empty.
inline std::size_t guessAt(const CycleRange& range, double cycle) {
  const double part = (cycle - range.first) / (range.last - range.first);
  const auto steps = static_cast<double>(range.end - range.begin - 1);
  return range.begin + (part > 0 ? static_cast<std::size_t>(steps * std::min(part, 1.0)) : 0);
}

/// The first item after a cycle, of those whose cycles are `cycleOf(n)`: from the guess in growing
/// steps, then between. A seek over many ranges mostly waits for memory, so this reads few places,
/// of which the first can be asked for beforehand.
template <class CycleOf>
std::size_t firstAfter(const CycleRange& range, double cycle, const CycleOf& cycleOf) {
  if (range.begin == range.end || cycle < range.first) return range.begin;
  if (cycle >= range.last) return range.end;
  const auto isBefore = [&](std::size_t n) { return cycleOf(n) <= cycle; };
  std::size_t low = guessAt(range, cycle), high = low, step = 1;
  if (isBefore(low)) {
    for (; isBefore(high); step *= 2) {
      low = high;
      high = std::min(high + step, range.end - 1);
    }
  } else {
    for (; !isBefore(low); step *= 2) {
      high = low;
      low = low - std::min(step, low - range.begin);
    }
  }
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (isBefore(middle) ? low : high) = middle;
  }
  return high;
}

/// Ranges for which memory is asked before they are searched.
constexpr std::size_t kSearchedAhead = 24;

}  // namespace gridloom::report
