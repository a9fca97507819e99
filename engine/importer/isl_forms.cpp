// SPDX-License-Identifier: Apache-2.0
#include "importer/isl_forms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/options.h>

#include <algorithm>
#include <optional>

#include "importer/program.h"

namespace gridloom::importer {

namespace {

// Integer programming has bad worst cases.
constexpr unsigned long kMostOperations = 20'000'000;

// Forms of such numbers are added and multiplied in 64 bits.
constexpr std::int64_t kLargest = std::int64_t{1} << 53;

std::string formText(const Linear& form) {
  std::string text = std::to_string(form.constant);
  for (const auto& [loop, coefficient] : form.terms)
    text += fmt::format(" + {} l{}", coefficient, loop);
  return text;
}

/// Where isl gave nothing back because its limit of operations ended it, this is the reason.
[[noreturn]] void refuseDivisions(isl_ctx* ctx) {
  if (isl_ctx_last_error(ctx) == isl_error_quota) isl::exception::throw_last_error(isl::ctx(ctx));
  Refusal refusal{"which iteration wrote an element follows from a remainder of the loops",
                  "split the loop into one for each remainder"};
  refusal.isByRemainder = true;
  throw refusal;
}

std::int64_t whole(isl_ctx* ctx, isl_val* raw) {
  if (raw == nullptr || isl_val_is_int(raw) != isl_bool_true) {
    isl_val_free(raw);
    refuseDivisions(ctx);
  }
  const isl::val value = isl::manage(raw);
  if (isl_val_cmp_si(value.get(), kLargest) > 0 || isl_val_cmp_si(value.get(), -kLargest) < 0)
    throw Refusal{"where elements stand in memory follows from numbers beyond 2^53",
                  "use smaller sizes and strides"};
  return isl_val_get_num_si(value.get());
}

Linear formOf(isl_constraint* constraint, const std::vector<Loop>& loops) {
  isl_ctx* const ctx = isl_constraint_get_ctx(constraint);
  Linear form = Linear::of(whole(ctx, isl_constraint_get_constant_val(constraint)));
  for (std::size_t d = 0; d < loops.size(); ++d) {
    const std::int64_t c = whole(
        ctx, isl_constraint_get_coefficient_val(constraint, isl_dim_set, static_cast<int>(d)));
    form = form + Linear::loop(loops[d]) * c;
  }
  return form;
}

Linear formOf(isl_aff* raw, const std::vector<Loop>& loops) {
  const isl::aff aff = isl::manage(raw);
  isl_ctx* const ctx = isl_aff_get_ctx(aff.get());
  for (isl_size d = 0; d < isl_aff_dim(aff.get(), isl_dim_div); ++d) {
    const isl::val of = isl::manage(isl_aff_get_coefficient_val(aff.get(), isl_dim_div, d));
    if (isl_val_is_zero(of.get()) != isl_bool_true) refuseDivisions(ctx);
  }
  Linear form = Linear::of(whole(ctx, isl_aff_get_constant_val(aff.get())));
  for (std::size_t d = 0; d < loops.size(); ++d) {
    const std::int64_t c =
        whole(ctx, isl_aff_get_coefficient_val(aff.get(), isl_dim_in, static_cast<int>(d)));
    form = form + Linear::loop(loops[d]) * c;
  }
  return form;
}

struct Conditions {
  const std::vector<Loop>& loops;
  std::vector<Linear> where;
  std::optional<Refusal> refusal;  ///< why a constraint has no form
};

isl_stat addCondition(isl_constraint* constraint, void* user) {
  auto& to = *static_cast<Conditions*>(user);
  const bool isEqual = isl_constraint_is_equality(constraint) == isl_bool_true;
  try {
    const Linear form = formOf(constraint, to.loops);
    to.where.push_back(form);
    if (isEqual) to.where.push_back(form * -1);
  } catch (const Refusal& refusal) {
    isl_constraint_free(constraint);
    to.refusal = refusal;
    return isl_stat_error;
  } catch (const isl::exception&) {  // the caller asks for it
    isl_constraint_free(constraint);
    return isl_stat_error;
  }
  isl_constraint_free(constraint);
  return isl_stat_ok;
}

std::vector<Linear> conditionsOf(const isl::basic_set& set, const std::vector<Loop>& loops) {
  const isl::basic_set plain = isl::manage(isl_basic_set_remove_redundancies(set.copy()));
  isl_ctx* const ctx = isl_basic_set_get_ctx(plain.get());
  if (isl_basic_set_dim(plain.get(), isl_dim_div) != 0) refuseDivisions(ctx);
  Conditions conditions{loops, {}, {}};
  if (isl_basic_set_foreach_constraint(plain.get(), addCondition, &conditions) != isl_stat_ok) {
    if (conditions.refusal) throw *conditions.refusal;
    refuseDivisions(ctx);
  }
  return std::move(conditions.where);
}

isl::set disjoint(const isl::set& set) {
  const isl::set joined = set.coalesce();
  return isl::manage(isl_set_make_disjoint(joined.copy())).coalesce();
}

// With the equations of single dimensions that follow because all of them are whole numbers.
isl::map withEquations(isl::map map) {
  const isl_size from = isl_map_dim(map.get(), isl_dim_in);
  const isl_size to = isl_map_dim(map.get(), isl_dim_out);
  for (isl_size d = 0; d < to; ++d) {
    for (isl_size e = 0; e < from; ++e) {
      const isl::map equal = isl::manage(isl_map_equate(map.copy(), isl_dim_in, e, isl_dim_out, d));
      if (!map.is_equal(equal)) continue;
      map = equal;
      break;
    }
  }
  return map;
}

}  // namespace

IslContext::IslContext() : raw(isl_ctx_alloc()) {
  isl_options_set_on_error(raw, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(raw, kMostOperations);
}

std::string tupleText(const std::string& name, const std::vector<Loop>& loops) {
  std::vector<std::string> names;
  for (const Loop loop : loops) names.push_back(fmt::format("l{}", loop));
  return fmt::format("{}[{}]", name, fmt::join(names, ", "));
}

std::string tupleText(const std::string& name, const std::vector<Linear>& forms) {
  std::vector<std::string> texts;
  for (const Linear& form : forms) texts.push_back(formText(form));
  return fmt::format("{}[{}]", name, fmt::join(texts, ", "));
}

std::string boundsText(const Loops& all, const std::vector<Loop>& loops,
                       const std::vector<Linear>& where) {
  std::vector<std::string> bounds{"0 = 0"};
  for (const Loop loop : loops)
    bounds.push_back(fmt::format("0 <= l{} < {}", loop, all.extent(loop)));
  for (const Linear& form : where) bounds.push_back(formText(form) + " >= 0");
  return fmt::format("{}", fmt::join(bounds, " and "));
}

std::vector<AffinePiece> piecesOf(const isl::set& set, const std::vector<Loop>& loops) {
  std::vector<AffinePiece> pieces;
  disjoint(set).foreach_basic_set([&](const isl::basic_set& part) {
    pieces.push_back({conditionsOf(part, loops), {}});
  });
  return pieces;
}

std::vector<std::vector<Linear>> liftedPiecesOf(const isl::set& set, const std::vector<Loop>& loops,
                                                Loops& all) {
  std::vector<std::vector<Linear>> pieces;
  disjoint(set).foreach_basic_set([&](const isl::basic_set& part) {
    const isl::basic_set lifted =
        isl::manage(isl_basic_set_flatten(isl_basic_set_lift(part.copy())));
    std::vector<Loop> dims = loops;
    std::map<Loop, std::int64_t> starts;
    isl_ctx* const ctx = isl_basic_set_get_ctx(lifted.get());
    const isl_size count = isl_basic_set_dim(lifted.get(), isl_dim_set);
    for (auto d = static_cast<isl_size>(loops.size()); d < count; ++d) {
      const std::int64_t least = whole(ctx, isl_set_dim_min_val(isl::set(lifted).release(), d));
      const std::int64_t greatest = whole(ctx, isl_set_dim_max_val(isl::set(lifted).release(), d));
      dims.push_back(all.add(greatest - least + 1));
      starts[dims.back()] = least;
    }
    pieces.push_back(conditionsOf(lifted, dims));
    for (Linear& form : pieces.back())
      for (const auto& [loop, least] : starts) form.constant += form.coefficient(loop) * least;
    std::erase_if(pieces.back(), [&](const Linear& form) { return all.range(form).first >= 0; });
  });
  return pieces;
}

std::vector<AffinePiece> piecesOf(const isl::map& map, const std::vector<Loop>& loops,
                                  const isl::set& context) {
  std::vector<AffinePiece> pieces;
  const isl::map joined = withEquations(map.coalesce());
  const isl::pw_multi_aff parts =
      isl::manage(isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(joined.copy())));
  parts.foreach_piece([&](const isl::set& domain, const isl::multi_aff& to) {
    std::vector<Linear> at;
    const isl_size dims = isl_multi_aff_dim(to.get(), isl_dim_out);
    const isl::multi_aff plain = to.gist(domain);
    for (isl_size d = 0; d < dims; ++d)
      at.push_back(formOf(isl_multi_aff_get_aff(plain.get(), d), loops));
    for (AffinePiece& piece : piecesOf(disjoint(domain).gist(context), loops))
      pieces.push_back({std::move(piece.where), at});
  });
  return pieces;
}

namespace {

// The pieces where a loop has one of its values after the other.
std::vector<AffinePiece> piecesByValue(const isl::map& map, const std::vector<Loop>& loops,
                                       const isl::set& context, const Loops& all, std::size_t dim,
                                       int depth) {
  std::vector<AffinePiece> pieces;
  for (std::int64_t value = 0; value < all.extent(loops[dim]); ++value) {
    const auto at = static_cast<unsigned>(dim);
    const auto v = static_cast<int>(value);
    const isl::map part = isl::manage(isl_map_fix_si(map.copy(), isl_dim_in, at, v));
    if (part.is_empty()) continue;
    const isl::set within = isl::manage(isl_set_fix_si(context.copy(), isl_dim_set, at, v));
    const Linear form = Linear::loop(loops[dim]) - Linear::of(value);
    for (AffinePiece& piece : casesOf(part, loops, within, all, depth)) {
      piece.where.push_back(form);
      piece.where.push_back(form * -1);
      pieces.push_back(std::move(piece));
    }
  }
  return pieces;
}

}  // namespace

std::vector<AffinePiece> casesOf(const isl::map& map, const std::vector<Loop>& loops,
                                 const isl::set& context, const Loops& all, int depth) {
  constexpr std::int64_t most = 16;  // values of a loop that are told apart
  try {
    return piecesOf(map, loops, context);
  } catch (const Refusal& refusal) {
    if (!refusal.isByRemainder) throw;
    std::vector<std::size_t> dims;
    for (std::size_t d = 0; d < loops.size() && depth > 0; ++d)
      if (all.extent(loops[d]) > 1 && all.extent(loops[d]) <= most) dims.push_back(d);
    std::ranges::stable_sort(dims, {}, [&](std::size_t d) { return all.extent(loops[d]); });
    for (const std::size_t d : dims) {
      try {
        return piecesByValue(map, loops, context, all, d, depth - 1);
      } catch (const Refusal& inner) {
        if (!inner.isByRemainder) throw;
      }
    }
    throw;
  }
}

isl::set withDims(const isl::set& set, const std::vector<bool>& keeps) {
  isl_set* raw = set.copy();
  for (std::size_t d = keeps.size(); d-- > 0;)
    if (!keeps[d]) raw = isl_set_project_out(raw, isl_dim_set, static_cast<unsigned>(d), 1);
  return isl::manage(raw);
}

isl::map withRangeDims(const isl::map& map, const std::vector<bool>& keeps) {
  isl_map* raw = map.copy();
  for (std::size_t d = keeps.size(); d-- > 0;)
    if (!keeps[d]) raw = isl_map_project_out(raw, isl_dim_out, static_cast<unsigned>(d), 1);
  return isl::manage(raw);
}

}  // namespace gridloom::importer
