// SPDX-License-Identifier: Apache-2.0
#include "affine/narrowed_box.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/units.h"

namespace gridloom::affine {

namespace {

constexpr int kMostRounds = 8;
/// Products and sums of larger numbers may not fit.
constexpr std::int64_t kLargest = std::int64_t{1} << 40;

class NarrowedBox {
 public:
  explicit NarrowedBox(const IntegerSet& set) : m_set(set) {
    for (const std::int64_t extent : set.extents) m_bounds.push_back({0, extent - 1});
  }

  std::optional<bool> isEmpty() {
    if (!isSmall()) return std::nullopt;
    for (int round = 0; round < kMostRounds; ++round) {
      bool changed = false;
      for (const Constraint& c : m_set.constraints) {
        if (!narrow(c.expr, 1, changed)) return true;
        if (c.equality && !narrow(c.expr, -1, changed)) return true;
      }
      if (!changed) break;
    }
    return hasCorner() ? std::optional(false) : std::nullopt;
  }

 private:
  bool isSmall() const {
    return std::ranges::all_of(m_set.constraints, [&](const Constraint& c) {
      if (std::abs(c.expr.constant) > kLargest) return false;
      for (std::size_t d = 0; d < m_bounds.size(); ++d) {
        const std::int64_t factor = std::abs(c.expr.coefficient(d));
        if (factor > 0 && m_set.extents[d] > kLargest / factor) return false;
      }
      return true;
    });
  }

  // By `sign * expr >= 0`; false if a dimension has no value left.
  bool narrow(const LinearExpr& expr, std::int64_t sign, bool& changed) {
    std::int64_t most = sign * expr.constant;
    for (std::size_t d = 0; d < m_bounds.size(); ++d) most += mostOf(d, sign * expr.coefficient(d));
    for (std::size_t d = 0; d < m_bounds.size(); ++d) {
      const std::int64_t factor = sign * expr.coefficient(d);
      if (factor == 0) continue;
      // factor * x >= -(most of the others)
      const std::int64_t others = most - mostOf(d, factor);
      Bounds& bounds = m_bounds[d];
      const Bounds before = bounds;
      if (factor > 0) bounds.min = std::max(bounds.min, -base::floorDiv(others, factor));
      if (factor < 0) bounds.max = std::min(bounds.max, base::floorDiv(others, -factor));
      if (bounds.min > bounds.max) return false;
      if (bounds.min == before.min && bounds.max == before.max) continue;
      changed = true;
      most = others + mostOf(d, factor);
    }
    return most >= 0;
  }

  std::int64_t mostOf(std::size_t d, std::int64_t factor) const {
    return factor * (factor > 0 ? m_bounds[d].max : m_bounds[d].min);
  }

  bool hasCorner() const {
    std::vector<std::int64_t> first, last;
    for (const Bounds& bounds : m_bounds) {
      first.push_back(bounds.min);
      last.push_back(bounds.max);
    }
    return m_set.contains(first) || m_set.contains(last);
  }

  const IntegerSet& m_set;
  std::vector<Bounds> m_bounds;
};

}  // namespace

std::optional<bool> isEmptyByBounds(const IntegerSet& set) { return NarrowedBox(set).isEmpty(); }

}  // namespace gridloom::affine
