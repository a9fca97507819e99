// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/ranked_order.h"

#include <algorithm>
#include <cmath>

#include "models/key_sort.h"

namespace gridloom::widgets {

bool RankedOrder::isPinned(int candidate) const {
  return std::ranges::find(pinned, candidate) != pinned.end();
}

bool RankedOrder::shows(const RankedRows& rows, int candidate) const {
  return filter.accepts(rows, static_cast<std::size_t>(candidate)) || isPinned(candidate);
}

bool RankedOrder::before(const RankedRows& rows, int a, int b) const {
  if (isPinned(a) != isPinned(b)) return isPinned(a);
  const auto first = static_cast<std::size_t>(a);
  const auto second = static_cast<std::size_t>(b);
  const bool down = direction == Qt::DescendingOrder;
  if (isText(column)) {
    const int order = rows.text(first, column).compare(rows.text(second, column));
    return order == 0 ? a < b : (order < 0) != down;
  }
  const double x = rows.number(first, column);
  const double y = rows.number(second, column);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) == std::isnan(y) ? a < b : std::isnan(y);
  return x == y ? a < b : (x < y) != down;
}

std::vector<int> RankedOrder::apply(const RankedRows& rows, const base::Progress& progress) {
  filter.prepare(rows);
  const std::vector<char> accepted = filter.empty() ? std::vector<char>() : filter.acceptedOf(rows);
  if (progress.cancelled()) return {};
  const std::vector<double> keys = rows.keys(column);
  std::vector<int> shown, unknown;
  shown.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto candidate = static_cast<int>(i);
    if (!accepted.empty() && !accepted[i] && !isPinned(candidate)) continue;
    (std::isnan(keys[i]) ? unknown : shown).push_back(candidate);
  }
  if (progress.cancelled()) return {};
  sortByKey(shown, keys, direction == Qt::DescendingOrder);
  shown.insert(shown.end(), unknown.begin(), unknown.end());
  if (!pinned.empty())
    std::ranges::stable_partition(shown, [&](int candidate) { return isPinned(candidate); });
  return shown;
}

}  // namespace gridloom::widgets
