// SPDX-License-Identifier: Apache-2.0
#include "affine/integer_set.h"

#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>

#include "affine/isl_set.h"
#include "affine/narrowed_box.h"

namespace gridloom::affine {

namespace {

// Without the constant of the form.
DependenceDistance::Range rangeOf(const Set& points, std::size_t dims, const LinearExpr& expr) {
  isl_aff* value =
      isl_aff_zero_on_domain(isl_local_space_from_space(isl_set_get_space(points.get())));
  for (std::size_t d = 0; d < dims; ++d) {
    value = isl_aff_set_coefficient_si(value, isl_dim_in, static_cast<int>(d),
                                       static_cast<int>(expr.coefficient(d)));
  }
  DependenceDistance::Range range{number(isl_set_min_val(points.get(), value)),
                                  number(isl_set_max_val(points.get(), value))};
  isl_aff_free(value);
  return range;
}

}  // namespace

bool IntegerSet::contains(std::span<const std::int64_t> point) const {
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (point[d] < 0 || point[d] >= extents[d]) {
      return false;
    }
  }
  return std::ranges::all_of(constraints, [&](const Constraint& c) {
    const std::int64_t value = c.expr.evaluate(point);
    return c.equality ? value == 0 : value >= 0;
  });
}

bool isEmpty(const IntegerSet& set) {
  if (hasEmptyExtent(set)) {
    return true;
  }
  if (set.constraints.empty()) {
    return false;
  }
  if (const auto found = isEmptyByBounds(set)) return *found;
  const Ctx ctx = makeCtx();
  Set domain = universe(ctx, set.extents.size());
  addDomain(domain, set, 0);
  return isl_set_is_empty(domain.get()) == isl_bool_true;
}

std::optional<Bounds> boundsOf(const IntegerSet& set, const LinearExpr& expr) {
  if (hasEmptyExtent(set)) {
    return std::nullopt;
  }
  Bounds box{expr.constant, expr.constant};
  for (std::size_t d = 0; d < set.extents.size(); ++d) {
    const std::int64_t reach = expr.coefficient(d) * (set.extents[d] - 1);
    (reach < 0 ? box.min : box.max) += reach;
  }
  if (set.constraints.empty()) {
    return box;
  }
  const Ctx ctx = makeCtx();
  Set points = universe(ctx, set.extents.size());
  addDomain(points, set, 0);
  if (isl_set_is_empty(points.get()) == isl_bool_true) {
    return std::nullopt;
  }
  const auto [min, max] = rangeOf(points, set.extents.size(), expr);
  return Bounds{min ? *min + expr.constant : box.min, max ? *max + expr.constant : box.max};
}

namespace {

// Dimensions with more than one value. The others are 0, and each that isl does not see makes its
// integer programs smaller: a statement runs over few of a kernel's loops.
std::vector<std::size_t> varying(const IntegerSet& set) {
  std::vector<std::size_t> dims;
  for (std::size_t d = 0; d < set.extents.size(); ++d) {
    if (set.extents[d] > 1) {
      dims.push_back(d);
    }
  }
  return dims;
}

LinearExpr over(const LinearExpr& expr, const std::vector<std::size_t>& dims) {
  LinearExpr kept = LinearExpr::number(expr.constant);
  for (const std::size_t d : dims) {
    kept.coefficients.push_back(expr.coefficient(d));
  }
  return kept;
}

IntegerSet over(const IntegerSet& set, const std::vector<std::size_t>& dims) {
  IntegerSet kept;
  for (const std::size_t d : dims) {
    kept.extents.push_back(set.extents[d]);
  }
  for (const Constraint& c : set.constraints) {
    kept.constraints.push_back({over(c.expr, dims), c.equality});
  }
  return kept;
}

// The same of dimensions that stand behind `others`.
LinearExpr behind(std::size_t others, const LinearExpr& expr) {
  LinearExpr moved = expr;
  moved.coefficients.insert(moved.coefficients.begin(), others, 0);
  return moved;
}

// Pairs of iterations, first those of the writer, that access the same element.
IntegerSet pairsOf(const IntegerSet& writer, std::span<const LinearExpr> write,
                   const IntegerSet& reader, std::span<const LinearExpr> read) {
  const std::size_t loops = writer.extents.size();
  IntegerSet pairs = writer;
  pairs.extents.insert(pairs.extents.end(), reader.extents.begin(), reader.extents.end());
  for (const Constraint& c : reader.constraints) {
    pairs.constraints.push_back({behind(loops, c.expr), c.equality});
  }
  for (std::size_t i = 0; i < write.size(); ++i) {
    pairs.constraints.push_back({write[i] - behind(loops, read[i]), true});
  }
  return pairs;
}

}  // namespace

DependenceDistance dependence(const IntegerSet& writerDomain, std::span<const LinearExpr> write,
                              const IntegerSet& readerDomain, std::span<const LinearExpr> read) {
  DependenceDistance result;
  const std::size_t loops = writerDomain.extents.size();
  result.perLoop.resize(loops);
  if (hasEmptyExtent(writerDomain) || hasEmptyExtent(readerDomain)) {
    return result;
  }
  const IntegerSet pairs = pairsOf(writerDomain, write, readerDomain, read);
  const std::vector<std::size_t> dims = varying(pairs);
  const Ctx ctx = makeCtx();
  Set points = universe(ctx, dims.size());
  addDomain(points, over(pairs, dims), 0);
  result.exists = isl_set_is_empty(points.get()) != isl_bool_true;
  if (!result.exists) {
    return result;
  }
  for (std::size_t d = 0; d < loops; ++d) {
    const LinearExpr distance = over(LinearExpr::dim(loops + d) - LinearExpr::dim(d), dims);
    result.perLoop[d] = distance.isConstant() ? DependenceDistance::Range{0, 0}
                                              : rangeOf(points, dims.size(), distance);
  }
  return result;
}

}  // namespace gridloom::affine
