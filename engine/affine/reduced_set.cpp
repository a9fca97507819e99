// SPDX-License-Identifier: Apache-2.0
#include "affine/reduced_set.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/units.h"

namespace gridloom::affine {

namespace {

constexpr int kMostRounds = 8;
/// Products and sums of larger numbers may not fit.
constexpr std::int64_t kLargest = std::int64_t{1} << 40;

class Reducer {
 public:
  explicit Reducer(const IntegerSet& set) : m_constraints(set.constraints) {
    for (std::size_t d = 0; d < set.extents.size(); ++d) {
      m_bounds.push_back({0, set.extents[d] - 1});
      m_values.push_back(LinearExpr::dim(d));
      m_empty = m_empty || set.extents[d] <= 0;
    }
  }

  ReducedSet take() {
    if (areSmall(m_constraints)) {
      do narrowAll();
      while (!m_empty && solveOne());
    }
    ReducedSet out;
    if (m_empty) {
      out.empty = true;
    } else if (m_constraints.empty() || hasCorner()) {
      out.empty = false;
    }
    place(out);
    return out;
  }

 private:
  bool isSmall(const LinearExpr& expr) const {
    if (std::abs(expr.constant) > kLargest) return false;
    for (std::size_t d = 0; d < m_bounds.size(); ++d) {
      const std::int64_t factor = std::abs(expr.coefficient(d));
      const std::int64_t reach = std::max(std::abs(m_bounds[d].min), std::abs(m_bounds[d].max)) + 1;
      if (factor > 0 && reach > kLargest / factor) return false;
    }
    return true;
  }

  bool areSmall(const std::vector<Constraint>& constraints) const {
    return std::ranges::all_of(constraints, [&](const auto& c) { return isSmall(c.expr); });
  }

  void narrowAll() {
    for (int round = 0; round < kMostRounds && !m_empty; ++round) {
      bool changed = false;
      for (const Constraint& c : m_constraints) {
        m_empty = m_empty || !narrow(c.expr, 1, changed);
        m_empty = m_empty || (c.equality && !narrow(c.expr, -1, changed));
      }
      if (!changed) break;
    }
    std::erase_if(m_constraints, [&](const Constraint& c) {
      return leastOf(c.expr, 1) >= 0 && (!c.equality || leastOf(c.expr, -1) >= 0);
    });
  }

  // By `sign * expr >= 0`; false if a dimension has no value left.
  bool narrow(const LinearExpr& expr, std::int64_t sign, bool& changed) {
    std::int64_t most = -leastOf(expr, -sign);
    for (std::size_t d = 0; d < m_bounds.size(); ++d) {
      const std::int64_t factor = sign * expr.coefficient(d);
      if (factor == 0) continue;
      // factor * x >= -(most of the others)
      const std::int64_t others = most + leastOf(d, -factor);
      Bounds& bounds = m_bounds[d];
      const Bounds before = bounds;
      if (factor > 0) bounds.min = std::max(bounds.min, -base::floorDiv(others, factor));
      if (factor < 0) bounds.max = std::min(bounds.max, base::floorDiv(others, -factor));
      if (bounds.min > bounds.max) return false;
      if (bounds.min == before.min && bounds.max == before.max) continue;
      changed = true;
      most = others - leastOf(d, -factor);
    }
    return most >= 0;
  }

  std::int64_t leastOf(std::size_t d, std::int64_t factor) const {
    return factor * (factor > 0 ? m_bounds[d].min : m_bounds[d].max);
  }

  std::int64_t leastOf(const LinearExpr& expr, std::int64_t sign) const {
    std::int64_t least = sign * expr.constant;
    for (std::size_t d = 0; d < m_bounds.size(); ++d) {
      const std::int64_t factor = sign * expr.coefficient(d);
      if (factor != 0) least += leastOf(d, factor);
    }
    return least;
  }

  // Puts what a dimension is in the place of it; false where there is none left to solve.
  bool solveOne() {
    for (std::size_t d = 0; d < m_bounds.size(); ++d) {
      const auto isUsed = [&](const Constraint& c) { return c.expr.dependsOn(d); };
      if (m_bounds[d].min == m_bounds[d].max && std::ranges::any_of(m_constraints, isUsed)) {
        return replace(d, LinearExpr::number(m_bounds[d].min));
      }
    }
    for (const Constraint& c : m_constraints) {
      if (!c.equality) continue;
      for (std::size_t d = 0; d < m_bounds.size(); ++d) {
        const std::int64_t factor = c.expr.coefficient(d);
        if (std::abs(factor) != 1) continue;
        if (replace(d, LinearExpr::dim(d) - c.expr * factor)) return true;
      }
    }
    return false;
  }

  bool replace(std::size_t d, const LinearExpr& value) {
    const auto solved = [&](LinearExpr expr) {
      const std::int64_t factor = expr.coefficient(d);
      if (factor == 0) return expr;
      expr.coefficients[d] = 0;
      return expr + value * factor;
    };
    std::vector<Constraint> replaced;
    for (const Constraint& c : m_constraints) replaced.push_back({solved(c.expr), c.equality});
    replaced.push_back({value - LinearExpr::number(m_bounds[d].min), false});
    replaced.push_back({LinearExpr::number(m_bounds[d].max) - value, false});
    std::vector<LinearExpr> values;
    for (const LinearExpr& each : m_values) values.push_back(solved(each));
    if (!areSmall(replaced) ||
        !std::ranges::all_of(values, [&](const LinearExpr& each) { return isSmall(each); })) {
      return false;
    }
    m_constraints = std::move(replaced);
    m_values = std::move(values);
    m_bounds[d] = {0, 0};
    return true;
  }

  bool hasCorner() const {
    const auto holds = [&](bool last) {
      std::vector<std::int64_t> corner;
      for (const Bounds& bounds : m_bounds) corner.push_back(last ? bounds.max : bounds.min);
      return std::ranges::all_of(m_constraints, [&](const Constraint& c) {
        const std::int64_t value = c.expr.evaluate(corner);
        return c.equality ? value == 0 : value >= 0;
      });
    };
    return holds(false) || holds(true);
  }

  // Dimensions with several values, from 0 on.
  void place(ReducedSet& out) const {
    std::vector<LinearExpr> placed;
    for (const Bounds& bounds : m_bounds) {
      placed.push_back(LinearExpr::number(bounds.min));
      if (bounds.min >= bounds.max) continue;
      placed.back() = placed.back() + LinearExpr::dim(out.set.extents.size());
      out.set.extents.push_back(bounds.max - bounds.min + 1);
    }
    for (const Constraint& c : m_constraints) {
      out.set.constraints.push_back({substituted(c.expr, placed), c.equality});
    }
    for (const LinearExpr& value : m_values) out.values.push_back(substituted(value, placed));
  }

  std::vector<Constraint> m_constraints;
  std::vector<Bounds> m_bounds;
  std::vector<LinearExpr> m_values;
  bool m_empty = false;
};

}  // namespace

ReducedSet reduced(const IntegerSet& set) { return Reducer(set).take(); }

}  // namespace gridloom::affine
