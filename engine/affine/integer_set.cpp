// SPDX-License-Identifier: Apache-2.0
#include "affine/integer_set.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <algorithm>

namespace gridloom::affine {

namespace {

struct FreeCtx {
  void operator()(isl_ctx* ctx) const { isl_ctx_free(ctx); }
};
struct FreeSet {
  void operator()(isl_set* set) const { isl_set_free(set); }
};
struct FreeVal {
  void operator()(isl_val* value) const { isl_val_free(value); }
};
using Ctx = std::unique_ptr<isl_ctx, FreeCtx>;
using Set = std::unique_ptr<isl_set, FreeSet>;
using Val = std::unique_ptr<isl_val, FreeVal>;

// Integer programming has bad worst cases. Past this many isl operations the answer is "unknown",
// which callers treat as "not empty" and "not bounded".
constexpr unsigned long kMaxOperations = 1'000'000;

Ctx makeCtx() {
  Ctx ctx(isl_ctx_alloc());
  isl_options_set_on_error(ctx.get(), ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(ctx.get(), kMaxOperations);
  return ctx;
}

isl_constraint* makeConstraint(isl_space* space, const Constraint& c, std::size_t firstDim) {
  isl_local_space* local = isl_local_space_from_space(isl_space_copy(space));
  isl_constraint* result =
      c.equality ? isl_constraint_alloc_equality(local) : isl_constraint_alloc_inequality(local);
  isl_ctx* ctx = isl_space_get_ctx(space);
  for (std::size_t d = 0; d < c.expr.coefficients.size(); ++d) {
    if (c.expr.coefficients[d] != 0) {
      result =
          isl_constraint_set_coefficient_val(result, isl_dim_set, static_cast<int>(firstDim + d),
                                             isl_val_int_from_si(ctx, c.expr.coefficients[d]));
    }
  }
  return isl_constraint_set_constant_val(result, isl_val_int_from_si(ctx, c.expr.constant));
}

void addConstraint(Set& set, const Constraint& c, std::size_t firstDim) {
  isl_space* space = isl_set_get_space(set.get());
  isl_constraint* constraint = makeConstraint(space, c, firstDim);
  set.reset(isl_set_add_constraint(set.release(), constraint));
  isl_space_free(space);
}

// Adds the box and the constraints of `domain` on the dimensions that start at `firstDim`.
void addDomain(Set& set, const IntegerSet& domain, std::size_t firstDim) {
  for (std::size_t d = 0; d < domain.extents.size(); ++d) {
    addConstraint(set, {LinearExpr::dim(d), false}, firstDim);
    addConstraint(set, {LinearExpr::number(domain.extents[d] - 1) - LinearExpr::dim(d), false},
                  firstDim);
  }
  for (const Constraint& c : domain.constraints) {
    addConstraint(set, c, firstDim);
  }
}

Set universe(const Ctx& ctx, std::size_t dims) {
  return Set(isl_set_universe(isl_space_set_alloc(ctx.get(), 0, static_cast<unsigned>(dims))));
}

// Converts an isl_val: none for an error or an infinity.
std::optional<std::int64_t> number(isl_val* raw) {
  const Val value(raw);
  if (!value || isl_val_is_int(value.get()) != isl_bool_true) {
    return std::nullopt;
  }
  return isl_val_get_num_si(value.get());
}

// The elements of an image as an isl set.
Set imageSet(const Ctx& ctx, const Image& image) {
  const std::size_t loops = image.domain.extents.size();
  Set set = universe(ctx, loops + image.indices.size());
  addDomain(set, image.domain, 0);
  for (std::size_t k = 0; k < image.indices.size(); ++k) {
    LinearExpr reached = image.indices[k];
    reached.coefficients.resize(loops);
    addConstraint(set, {reached - LinearExpr::dim(loops + k), true}, 0);
  }
  return Set(isl_set_project_out(set.release(), isl_dim_set, 0, static_cast<unsigned>(loops)));
}

// The first point in lexicographic order.
std::optional<std::vector<std::int64_t>> firstPoint(Set set, std::size_t dims) {
  if (isl_set_is_empty(set.get()) != isl_bool_false) {
    return std::nullopt;
  }
  isl_point* point = isl_set_sample_point(isl_set_lexmin(set.release()));
  std::optional<std::vector<std::int64_t>> result(std::in_place);
  for (std::size_t d = 0; d < dims && result; ++d) {
    const auto value =
        number(isl_point_get_coordinate_val(point, isl_dim_set, static_cast<int>(d)));
    if (value) {
      result->push_back(*value);
    } else {
      result.reset();
    }
  }
  isl_point_free(point);
  return result;
}

bool hasEmptyExtent(const IntegerSet& set) {
  return std::ranges::any_of(set.extents, [](std::int64_t e) { return e <= 0; });
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

std::optional<std::vector<std::int64_t>> missingElement(const Image& needed,
                                                        std::span<const Image> given) {
  if (hasEmptyExtent(needed.domain)) {
    return std::nullopt;
  }
  const Ctx ctx = makeCtx();
  Set missing = imageSet(ctx, needed);
  for (std::size_t k = 0; k < needed.indices.size(); ++k) {
    addConstraint(missing, {LinearExpr::dim(k), false}, 0);
  }
  for (const Image& image : given) {
    if (!hasEmptyExtent(image.domain)) {
      Set reached = imageSet(ctx, image);
      missing.reset(isl_set_subtract(missing.release(), reached.release()));
    }
  }
  return firstPoint(std::move(missing), needed.indices.size());
}

std::optional<std::vector<std::int64_t>> sharedElement(const Image& a, const Image& b) {
  if (hasEmptyExtent(a.domain) || hasEmptyExtent(b.domain)) {
    return std::nullopt;
  }
  const Ctx ctx = makeCtx();
  Set first = imageSet(ctx, a);
  Set second = imageSet(ctx, b);
  Set both(isl_set_intersect(first.release(), second.release()));
  return firstPoint(std::move(both), a.indices.size());
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
