// SPDX-License-Identifier: Apache-2.0
#include <isl/constraint.h>
#include <isl/point.h>
#include <isl/space.h>

#include "affine/integer_set.h"
#include "affine/isl_set.h"
#include "affine/reduced_set.h"

namespace gridloom::affine {

namespace {

// The elements of an image as an isl set.
Set imageSet(const Ctx& ctx, const Image& image) {
  const ReducedSet domain = reduced(image.domain);
  const std::size_t elements = image.indices.size();
  if (domain.empty == true) {
    return Set(isl_set_empty(isl_space_set_alloc(ctx.get(), 0, static_cast<unsigned>(elements))));
  }
  const std::size_t loops = domain.set.extents.size();
  Set set = universe(ctx, loops + elements);
  addDomain(set, domain.set);
  for (std::size_t k = 0; k < elements; ++k) {
    LinearExpr reached = substituted(image.indices[k], domain.values);
    reached.coefficients.resize(loops);
    addConstraint(set, {reached - LinearExpr::dim(loops + k), true});
  }
  return Set(isl_set_project_out(set.release(), isl_dim_set, 0, static_cast<unsigned>(loops)));
}

// The first point in lexicographic order.
FoundElement firstPoint(Set set, std::size_t dims) {
  if (isl_set_is_empty(set.get()) == isl_bool_true) return {};
  isl_point* point = isl_set_sample_point(isl_set_lexmin(set.release()));
  FoundElement found{std::vector<std::int64_t>()};
  for (std::size_t d = 0; d < dims && found.element; ++d) {
    const auto value =
        number(isl_point_get_coordinate_val(point, isl_dim_set, static_cast<int>(d)));
    if (value) {
      found.element->push_back(*value);
    } else {
      found = {std::nullopt, true};
    }
  }
  isl_point_free(point);
  return found;
}

Set without(const Ctx& ctx, Set set, std::span<const Image> images) {
  for (const Image& image : images) {
    Set reached = imageSet(ctx, image);
    set.reset(isl_set_subtract(set.release(), reached.release()));
  }
  return set;
}

LinearExpr exprOf(isl_constraint* constraint, std::size_t dims) {
  const auto value = [](isl_val* raw) { return number(raw).value_or(0); };
  LinearExpr expr = LinearExpr::number(value(isl_constraint_get_constant_val(constraint)));
  expr.coefficients.resize(dims);
  for (std::size_t d = 0; d < dims; ++d) {
    expr.coefficients[d] =
        value(isl_constraint_get_coefficient_val(constraint, isl_dim_set, static_cast<int>(d)));
  }
  return expr;
}

isl_stat addConstraintTo(isl_constraint* constraint, void* user) {
  auto& piece = *static_cast<IntegerSet*>(user);
  Constraint c{exprOf(constraint, piece.extents.size()),
               isl_constraint_is_equality(constraint) == isl_bool_true};
  isl_constraint_free(constraint);
  // A bound of the box is none of the piece's own.
  const auto bounds = boundsOf({piece.extents, {}}, c.expr);
  if (c.equality || !bounds || bounds->min < 0) piece.constraints.push_back(std::move(c));
  return isl_stat_ok;
}

// The constraints of the basic sets of `set` inside a box; none for sets that affine constraints of
// the dimensions alone do not describe.
std::optional<std::vector<IntegerSet>> piecesOf(Set set, const std::vector<std::int64_t>& box) {
  struct Pieces {
    const std::vector<std::int64_t>& box;
    std::vector<IntegerSet> sets;
  } pieces{box, {}};
  const auto addPiece = [](isl_basic_set* basic, void* user) {
    auto& out = *static_cast<Pieces*>(user);
    basic = isl_basic_set_remove_redundancies(basic);
    const bool plain = isl_basic_set_dim(basic, isl_dim_div) == 0;
    IntegerSet& piece = out.sets.emplace_back(IntegerSet{out.box, {}});
    if (plain) isl_basic_set_foreach_constraint(basic, addConstraintTo, &piece);
    isl_basic_set_free(basic);
    return plain ? isl_stat_ok : isl_stat_error;
  };
  set.reset(isl_set_make_disjoint(isl_set_coalesce(set.release())));
  const isl_stat done = isl_set_foreach_basic_set(set.get(), addPiece, &pieces);
  if (done != isl_stat_ok) return std::nullopt;
  return std::move(pieces.sets);
}

}  // namespace

FoundElement missingElement(const Image& needed, std::span<const Image> given) {
  const Ctx ctx = makeCtx();
  Set missing = imageSet(ctx, needed);
  for (std::size_t k = 0; k < needed.indices.size(); ++k) {
    addConstraint(missing, {LinearExpr::dim(k), false});
  }
  return firstPoint(without(ctx, std::move(missing), given), needed.indices.size());
}

std::optional<std::vector<IntegerSet>> missingPieces(const std::vector<std::int64_t>& box,
                                                     std::span<const Image> given) {
  const IntegerSet all{box, {}};
  if (hasEmptyExtent(all)) return std::vector<IntegerSet>{};
  const Ctx ctx = makeCtx();
  Set missing = universe(ctx, box.size());
  addDomain(missing, all);
  return piecesOf(without(ctx, std::move(missing), given), box);
}

FoundElement sharedElement(const Image& a, const Image& b) {
  const Ctx ctx = makeCtx();
  Set first = imageSet(ctx, a);
  Set second = imageSet(ctx, b);
  Set both(isl_set_intersect(first.release(), second.release()));
  return firstPoint(std::move(both), a.indices.size());
}

}  // namespace gridloom::affine
