// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "charts/scatter_figure.h"
#include "report/statistics.h"

namespace gridloom::widgets {

namespace {

/// Pairs i < j with values[i] > values[j], by merge sort.
std::int64_t inversionsOf(std::vector<double>& values, std::vector<double>& scratch,
                          std::size_t begin, std::size_t end) {
  if (end - begin < 2) return 0;
  const std::size_t middle = begin + (end - begin) / 2;
  std::int64_t count =
      inversionsOf(values, scratch, begin, middle) + inversionsOf(values, scratch, middle, end);
  std::size_t left = begin;
  std::size_t right = middle;
  for (std::size_t at = begin; at < end; ++at) {
    if (right == end || (left < middle && values[left] <= values[right])) {
      scratch[at] = values[left++];
    } else {
      scratch[at] = values[right++];
      count += static_cast<std::int64_t>(middle - left);
    }
  }
  std::copy(scratch.begin() + static_cast<std::ptrdiff_t>(begin),
            scratch.begin() + static_cast<std::ptrdiff_t>(end),
            values.begin() + static_cast<std::ptrdiff_t>(begin));
  return count;
}

}  // namespace

Agreement agreementOf(const ScatterData& data) {
  Agreement agreement;
  if (data.points.empty()) return agreement;
  std::vector<ScatterData::Point> sorted = data.points;
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
  std::vector<double> simulated;
  for (const auto& point : sorted) {
    agreement.meanError += std::abs(report::predictionRatio(point.x, point.y) - 1);
    simulated.push_back(point.y);
  }
  const auto count = static_cast<double>(sorted.size());
  agreement.meanError /= count;
  std::vector<double> scratch(simulated.size());
  agreement.inversions = inversionsOf(simulated, scratch, 0, simulated.size());
  const double pairs = count * (count - 1) / 2;
  agreement.kendall = pairs > 0 ? 1 - 2 * static_cast<double>(agreement.inversions) / pairs : 1;
  return agreement;
}

}  // namespace gridloom::widgets
