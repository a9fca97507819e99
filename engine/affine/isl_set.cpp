// SPDX-License-Identifier: Apache-2.0
#include "affine/isl_set.h"

#include <isl/constraint.h>
#include <isl/mat.h>
#include <isl/options.h>
#include <isl/space.h>

#include <algorithm>
#include <vector>

namespace gridloom::affine {

namespace {

// Integer programming has bad worst cases. Checks of kernels that met this limit took 0.1 to 1.4 s.
constexpr unsigned long kMaxOperations = 100'000;

isl_constraint* makeConstraint(isl_space* space, const Constraint& c) {
  isl_local_space* local = isl_local_space_from_space(isl_space_copy(space));
  isl_constraint* result =
      c.equality ? isl_constraint_alloc_equality(local) : isl_constraint_alloc_inequality(local);
  isl_ctx* ctx = isl_space_get_ctx(space);
  for (std::size_t d = 0; d < c.expr.coefficients.size(); ++d) {
    if (c.expr.coefficients[d] != 0) {
      result = isl_constraint_set_coefficient_val(result, isl_dim_set, static_cast<int>(d),
                                                  isl_val_int_from_si(ctx, c.expr.coefficients[d]));
    }
  }
  return isl_constraint_set_constant_val(result, isl_val_int_from_si(ctx, c.expr.constant));
}

// A row per constraint that is an equality, or is none: coefficients of the space's dimensions,
// then the constant.
isl_mat* rowsOf(isl_space* space, const std::vector<Constraint>& constraints, bool equality) {
  const auto rows = std::ranges::count(constraints, equality, &Constraint::equality);
  const int dims = static_cast<int>(isl_space_dim(space, isl_dim_set));
  isl_ctx* ctx = isl_space_get_ctx(space);
  isl_mat* mat = isl_mat_alloc(ctx, static_cast<unsigned>(rows), static_cast<unsigned>(dims) + 1);
  int row = 0;
  for (const Constraint& c : constraints) {
    if (c.equality != equality) continue;
    for (int d = 0; d < dims; ++d) {
      const auto at = static_cast<std::size_t>(d);
      mat = isl_mat_set_element_val(mat, row, d, isl_val_int_from_si(ctx, c.expr.coefficient(at)));
    }
    mat = isl_mat_set_element_val(mat, row++, dims, isl_val_int_from_si(ctx, c.expr.constant));
  }
  return mat;
}

}  // namespace

Ctx makeCtx() {
  Ctx ctx(isl_ctx_alloc());
  isl_options_set_on_error(ctx.get(), ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(ctx.get(), kMaxOperations);
  return ctx;
}

void addConstraint(Set& set, const Constraint& c) {
  isl_space* space = isl_set_get_space(set.get());
  isl_constraint* constraint = makeConstraint(space, c);
  set.reset(isl_set_add_constraint(set.release(), constraint));
  isl_space_free(space);
}

// All at once: isl simplifies a set whenever a constraint is added to it.
void addDomain(Set& set, const IntegerSet& domain) {
  std::vector<Constraint> all = domain.constraints;
  for (std::size_t d = 0; d < domain.extents.size(); ++d) {
    all.push_back({LinearExpr::dim(d), false});
    all.push_back({LinearExpr::number(domain.extents[d] - 1) - LinearExpr::dim(d), false});
  }
  isl_space* space = isl_set_get_space(set.get());
  isl_mat* equalities = rowsOf(space, all, true);
  isl_mat* others = rowsOf(space, all, false);
  isl_basic_set* added = isl_basic_set_from_constraint_matrices(
      space, equalities, others, isl_dim_set, isl_dim_div, isl_dim_param, isl_dim_cst);
  set.reset(isl_set_intersect(set.release(), isl_set_from_basic_set(added)));
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
