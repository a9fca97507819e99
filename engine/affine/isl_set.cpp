// SPDX-License-Identifier: Apache-2.0
#include "affine/isl_set.h"

#include <isl/constraint.h>
#include <isl/options.h>
#include <isl/space.h>

#include <algorithm>

namespace gridloom::affine {

namespace {

// Integer programming has bad worst cases. Checks of kernels that met this limit took 0.1 to 1.4 s.
constexpr unsigned long kMaxOperations = 100'000;

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

}  // namespace

Ctx makeCtx() {
  Ctx ctx(isl_ctx_alloc());
  isl_options_set_on_error(ctx.get(), ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(ctx.get(), kMaxOperations);
  return ctx;
}

void addConstraint(Set& set, const Constraint& c, std::size_t firstDim) {
  isl_space* space = isl_set_get_space(set.get());
  isl_constraint* constraint = makeConstraint(space, c, firstDim);
  set.reset(isl_set_add_constraint(set.release(), constraint));
  isl_space_free(space);
}

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

std::optional<std::int64_t> number(isl_val* raw) {
  const Val value(raw);
  if (!value || isl_val_is_int(value.get()) != isl_bool_true) {
    return std::nullopt;
  }
  return isl_val_get_num_si(value.get());
}

bool hasEmptyExtent(const IntegerSet& set) {
  return std::ranges::any_of(set.extents, [](std::int64_t e) { return e <= 0; });
}

}  // namespace gridloom::affine
