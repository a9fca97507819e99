// SPDX-License-Identifier: Apache-2.0
#include "affine/integer_set.h"

#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>

#include "affine/isl_set.h"

namespace gridloom::affine {

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
  isl_aff* value =
      isl_aff_zero_on_domain(isl_local_space_from_space(isl_set_get_space(points.get())));
  for (std::size_t d = 0; d < set.extents.size(); ++d) {
    value = isl_aff_set_coefficient_si(value, isl_dim_in, static_cast<int>(d),
                                       static_cast<int>(expr.coefficient(d)));
  }
  const auto min = number(isl_set_min_val(points.get(), value));
  const auto max = number(isl_set_max_val(points.get(), value));
  isl_aff_free(value);
  return Bounds{min ? *min + expr.constant : box.min, max ? *max + expr.constant : box.max};
}

DependenceDistance dependence(const IntegerSet& writerDomain, std::span<const LinearExpr> write,
                              const IntegerSet& readerDomain, std::span<const LinearExpr> read) {
  DependenceDistance result;
  const std::size_t loops = writerDomain.extents.size();
  result.perLoop.resize(loops);
  if (hasEmptyExtent(writerDomain) || hasEmptyExtent(readerDomain)) {
    return result;
  }
  const Ctx ctx = makeCtx();
  Set pairs = universe(ctx, 2 * loops);
  addDomain(pairs, writerDomain, 0);
  addDomain(pairs, readerDomain, loops);
  for (std::size_t i = 0; i < write.size(); ++i) {
    LinearExpr equal = write[i];
    equal.coefficients.resize(2 * loops);
    for (std::size_t d = 0; d < loops; ++d) {
      equal.coefficients[loops + d] -= read[i].coefficient(d);
    }
    equal.constant -= read[i].constant;
    addConstraint(pairs, {equal, true}, 0);
  }
  result.exists = isl_set_is_empty(pairs.get()) != isl_bool_true;
  if (!result.exists) {
    return result;
  }
  for (std::size_t d = 0; d < loops; ++d) {
    isl_local_space* space = isl_local_space_from_space(isl_set_get_space(pairs.get()));
    isl_aff* distance = isl_aff_var_on_domain(isl_local_space_copy(space), isl_dim_set,
                                              static_cast<unsigned>(loops + d));
    distance =
        isl_aff_sub(distance, isl_aff_var_on_domain(space, isl_dim_set, static_cast<unsigned>(d)));
    result.perLoop[d].min = number(isl_set_min_val(pairs.get(), distance));
    result.perLoop[d].max = number(isl_set_max_val(pairs.get(), distance));
    isl_aff_free(distance);
  }
  return result;
}

}  // namespace gridloom::affine
