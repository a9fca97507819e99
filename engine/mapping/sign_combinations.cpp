// SPDX-License-Identifier: Apache-2.0
#include "mapping/sign_combinations.h"

#include <numeric>
#include <utility>

namespace gridloom::mapping {

using affine::Constraint;
using affine::IntegerSet;
using affine::LinearExpr;
using Signs = SignCombinations::Signs;

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Groups of dimensions that occur together, directly or through others.
class SignGroups {
 public:
  explicit SignGroups(std::size_t dims) : m_above(dims) {
    std::iota(m_above.begin(), m_above.end(), std::size_t{0});
  }
  void relate(const LinearExpr& expr) {
    std::size_t first = kNone;
    for (std::size_t d = 0; d < m_above.size(); ++d) {
      if (!expr.dependsOn(d)) continue;
      if (first == kNone) first = of(d);
      m_above[of(d)] = first;
    }
  }
  std::size_t of(std::size_t dim) const {
    while (m_above[dim] != dim) dim = m_above[dim];
    return dim;
  }
  // Of the dimensions of an expression; kNone for a number.
  std::size_t of(const LinearExpr& expr) const {
    for (std::size_t d = 0; d < m_above.size(); ++d) {
      if (expr.dependsOn(d)) return of(d);
    }
    return kNone;
  }

 private:
  std::vector<std::size_t> m_above;
};

void collectFrom(std::size_t at, const std::vector<LinearExpr>& expressions, IntegerSet& set,
                 Signs& signs, std::vector<Signs>& out) {
  if (affine::isEmpty(set)) return;
  if (at == expressions.size()) return out.push_back(signs);
  for (const int sign : {-1, 0, 1}) {
    const LinearExpr& expr = expressions[at];
    set.constraints.push_back(sign == 0 ? Constraint{expr, true}
                                        : Constraint{expr * sign - LinearExpr::number(1)});
    signs[at] = sign;
    collectFrom(at + 1, expressions, set, signs, out);
    set.constraints.pop_back();
  }
}

}  // namespace

/// One group of dimensions, renumbered from 0, with all that is said of it.
struct SignCombinations::Part {
  IntegerSet set;
  std::vector<LinearExpr> expressions;
  std::vector<std::size_t> places;  ///< of `expressions` among all

  std::vector<std::int64_t> key() const {
    std::vector<std::int64_t> all = set.extents;
    const auto add = [&](const LinearExpr& expr) {
      for (std::size_t d = 0; d < set.extents.size(); ++d) all.push_back(expr.coefficient(d));
      all.push_back(expr.constant);
    };
    all.push_back(static_cast<std::int64_t>(set.constraints.size()));
    for (const Constraint& constraint : set.constraints) {
      all.push_back(constraint.equality ? 1 : 0);
      add(constraint.expr);
    }
    for (const LinearExpr& expr : expressions) add(expr);
    all.push_back(static_cast<std::int64_t>(set.extents.size()));
    return all;
  }
};

std::vector<SignCombinations::Part>
SignCombinations::partsOf(const IntegerSet& set, const std::vector<LinearExpr>& expressions) {
  const std::size_t dims = set.extents.size();
  SignGroups groups(dims);
  for (const Constraint& constraint : set.constraints) groups.relate(constraint.expr);
  for (const LinearExpr& expr : expressions) groups.relate(expr);

  // The last part has the numbers, which depend on no dimension.
  std::vector<Part> parts(dims + 1);
  std::vector<std::size_t> place(dims);
  for (std::size_t d = 0; d < dims; ++d) {
    IntegerSet& own = parts[groups.of(d)].set;
    place[d] = own.extents.size();
    own.extents.push_back(set.extents[d]);
  }
  const auto partOf = [&](const LinearExpr& expr) -> Part& {
    const std::size_t group = groups.of(expr);
    return parts[group == kNone ? dims : group];
  };
  const auto renumbered = [&](const LinearExpr& expr) {
    LinearExpr out = LinearExpr::number(expr.constant);
    for (std::size_t d = 0; d < dims; ++d) {
      if (expr.dependsOn(d)) out = out + LinearExpr::dim(place[d], expr.coefficient(d));
    }
    return out;
  };
  for (const Constraint& c : set.constraints)
    partOf(c.expr).set.constraints.push_back({renumbered(c.expr), c.equality});
  for (std::size_t e = 0; e < expressions.size(); ++e) {
    Part& part = partOf(expressions[e]);
    part.expressions.push_back(renumbered(expressions[e]));
    part.places.push_back(e);
  }
  std::erase_if(parts, [](const Part& part) {
    return part.set.extents.empty() && part.set.constraints.empty() && part.expressions.empty();
  });
  return parts;
}

const std::vector<Signs>& SignCombinations::of(Part& part) {
  const auto [at, isNew] = m_known.try_emplace(part.key());
  if (isNew) {
    Signs signs(part.expressions.size(), 0);
    collectFrom(0, part.expressions, part.set, signs, at->second);
  }
  return at->second;
}

std::vector<Signs> SignCombinations::of(const IntegerSet& set,
                                        const std::vector<LinearExpr>& expressions) {
  std::vector<Signs> all{Signs(expressions.size(), 0)};
  for (Part& part : partsOf(set, expressions)) {
    std::vector<Signs> extended;
    for (const Signs& own : of(part)) {
      for (Signs signs : all) {
        for (std::size_t e = 0; e < own.size(); ++e) signs[part.places[e]] = own[e];
        extended.push_back(std::move(signs));
      }
    }
    all = std::move(extended);
  }
  return all;
}

}  // namespace gridloom::mapping
