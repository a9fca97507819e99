// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "affine/integer_set.h"
#include "base/units.h"

namespace gridloom::affine {

namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

std::int64_t saturatingProduct(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMax : product;
}

std::int64_t saturatingSum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kMax : sum;
}

struct Interval {
  std::int64_t first = 0;
  std::int64_t last = -1;
  std::int64_t size() const { return last < first ? 0 : last - first + 1; }
};

// Cuts `range` by coefficient * x + constant >= 0 (or == 0).
void cut(Interval& range, std::int64_t coefficient, std::int64_t constant, bool equality) {
  if (equality) {
    if (constant % coefficient != 0) {
      range = {};
      return;
    }
    const std::int64_t x = -constant / coefficient;
    range = {std::max(range.first, x), std::min(range.last, x)};
  } else if (coefficient > 0) {
    range.first = std::max(range.first, -base::floorDiv(constant, coefficient));
  } else {
    range.last = std::min(range.last, base::floorDiv(constant, -coefficient));
  }
}

using Dims = std::vector<std::size_t>;
using Constraints = std::vector<Constraint>;

bool touches(const Constraint& c, const Dims& dims) {
  return std::ranges::any_of(dims, [&](std::size_t d) { return c.expr.dependsOn(d); });
}

std::int64_t dimsOf(const Constraint& c) {
  return std::ranges::count_if(c.expr.coefficients, [](std::int64_t x) { return x != 0; });
}

// Groups of dimensions that share constraints, directly or through others.
std::vector<Dims> components(const Dims& dims, const Constraints& constraints) {
  std::vector<Dims> groups;
  for (const std::size_t d : dims) {
    groups.push_back({d});
  }
  for (const Constraint& c : constraints) {
    Dims merged;
    std::erase_if(groups, [&](const Dims& group) {
      if (!touches(c, group)) {
        return false;
      }
      merged.insert(merged.end(), group.begin(), group.end());
      return true;
    });
    if (!merged.empty()) {
      groups.push_back(std::move(merged));
    }
  }
  return groups;
}

// The dimension to fix first: in the most coupling constraints, then with the shortest range.
std::size_t pivotOf(const Dims& dims, const Constraints& constraints,
                    const std::vector<std::int64_t>& extents) {
  const auto couplings = [&](std::size_t d) {
    return std::ranges::count_if(
        constraints, [&](const Constraint& c) { return c.expr.dependsOn(d) && dimsOf(c) > 1; });
  };
  return *std::ranges::max_element(dims, [&](std::size_t a, std::size_t b) {
    const auto ca = couplings(a);
    const auto cb = couplings(b);
    return ca != cb ? ca < cb : extents[a] > extents[b];
  });
}

Interval rangeOf(std::size_t d, const Constraints& constraints,
                 const std::vector<std::int64_t>& extents) {
  Interval range{0, extents[d] - 1};
  for (const Constraint& c : constraints) {
    if (c.expr.dependsOn(d) && dimsOf(c) == 1) {
      cut(range, c.expr.coefficient(d), c.expr.constant, c.equality);
    }
  }
  return range;
}

class Counter {
 public:
  explicit Counter(const std::vector<std::int64_t>& extents) : m_extents(extents) {}

  std::int64_t count(const Dims& dims, const Constraints& constraints) const {
    std::int64_t product = 1;
    for (const Dims& group : components(dims, constraints)) {
      Constraints own;
      std::ranges::copy_if(constraints, std::back_inserter(own),
                           [&](const Constraint& c) { return touches(c, group); });
      product = saturatingProduct(product, countGroup(group, own));
      if (product == 0) {
        return 0;
      }
    }
    return product;
  }

 private:
  std::int64_t countGroup(const Dims& group, const Constraints& constraints) const {
    if (group.size() == 1) {
      return rangeOf(group[0], constraints, m_extents).size();
    }
    if (group.size() == 2) {
      return countPair(group, constraints);
    }
    const std::size_t pivot = pivotOf(group, constraints, m_extents);
    Dims rest = group;
    std::erase(rest, pivot);
    const Interval range = rangeOf(pivot, constraints, m_extents);
    std::int64_t total = 0;
    for (std::int64_t x = range.first; x <= range.last; ++x) {
      Constraints fixed;
      bool possible = true;
      for (Constraint c : constraints) {
        if (c.expr.dependsOn(pivot)) {
          c.expr.constant += c.expr.coefficient(pivot) * x;
          c.expr.coefficients[pivot] = 0;
        }
        if (dimsOf(c) == 0) {
          possible = possible && (c.equality ? c.expr.constant == 0 : c.expr.constant >= 0);
        } else {
          fixed.push_back(std::move(c));
        }
      }
      if (possible) {
        total = saturatingSum(total, count(rest, fixed));
      }
    }
    return total;
  }

  // Enumerates one dimension and counts the other in closed form, without allocation.
  std::int64_t countPair(const Dims& pair, const Constraints& constraints) const {
    const bool swap = m_extents[pair[0]] > m_extents[pair[1]];
    const std::size_t walked = pair[swap ? 1 : 0];
    const std::size_t closed = pair[swap ? 0 : 1];
    const Interval range = rangeOf(walked, constraints, m_extents);
    std::int64_t total = 0;
    for (std::int64_t x = range.first; x <= range.last; ++x) {
      Interval inner{0, m_extents[closed] - 1};
      for (const Constraint& c : constraints) {
        if (c.expr.dependsOn(closed)) {
          cut(inner, c.expr.coefficient(closed), c.expr.constant + c.expr.coefficient(walked) * x,
              c.equality);
        }
      }
      total = saturatingSum(total, inner.size());
    }
    return total;
  }

  const std::vector<std::int64_t>& m_extents;
};

}  // namespace

std::int64_t cardinality(const IntegerSet& set) {
  Dims dims;
  for (std::size_t d = 0; d < set.extents.size(); ++d) {
    if (set.extents[d] <= 0) {
      return 0;
    }
    dims.push_back(d);
  }
  Constraints coupled;
  for (const Constraint& c : set.constraints) {
    if (dimsOf(c) > 0) {
      coupled.push_back(c);
    } else if (c.equality ? c.expr.constant != 0 : c.expr.constant < 0) {
      return 0;
    }
  }
  return Counter(set.extents).count(dims, coupled);
}

double cardinalitySteps(const IntegerSet& set) {
  Dims dims;
  for (std::size_t d = 0; d < set.extents.size(); ++d) {
    dims.push_back(d);
  }
  double steps = 0;
  for (Dims group : components(dims, set.constraints)) {
    std::ranges::sort(group, {}, [&](std::size_t d) { return set.extents[d]; });
    group.pop_back();
    double product = 1;
    for (const std::size_t d : group) {
      product *= static_cast<double>(set.extents[d]);
    }
    steps += product;
  }
  return steps;
}

}  // namespace gridloom::affine
