// SPDX-License-Identifier: Apache-2.0
//
// Reductions to a maximum, or minimum, and the place at which it stands.
#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

using ValueAndPlace = std::pair<ExprRef, ExprRef>;

bool isLoadOf(const ExprRef& expr, int buffer) {
  return expr->kind == Expr::Kind::Load && expr->buffer == buffer;
}

bool isCall(const ExprRef& expr, const char* name) {
  return expr->kind == Expr::Kind::Call && expr->name == name;
}

// Of `x > old` or `old < x`: x, and whether the greater one is taken.
std::optional<std::pair<ExprRef, bool>> takes(const ExprRef& compare, int old) {
  if (compare->kind != Expr::Kind::Call || compare->args.size() != 2) return {};
  const bool greater = compare->name == ">" || compare->name == ">=";
  if (!greater && compare->name != "<" && compare->name != "<=") return {};
  if (isLoadOf(compare->args[1], old)) return std::pair{compare->args[0], greater};
  if (isLoadOf(compare->args[0], old)) return std::pair{compare->args[1], !greater};
  return {};
}

// Of `(x == old) and (place < old place)`: among equals, the first is taken.
bool isTie(const ExprRef& expr, const std::vector<int>& olds) {
  if (!isCall(expr, "and")) return false;
  const auto has = [&](const char* name, int old) {
    return std::ranges::any_of(expr->args, [&](const ExprRef& arg) {
      return isCall(arg, name) && (isLoadOf(arg->args[0], old) || isLoadOf(arg->args[1], old));
    });
  };
  return has("==", olds[0]) && (has("<", olds[1]) || has(">", olds[1]));
}

// The comparison that says whether a new element is taken, with or without ties.
std::optional<std::pair<ExprRef, bool>> takenBy(const ExprRef& condition,
                                                const std::vector<int>& olds) {
  if (!isCall(condition, "or")) return takes(condition, olds[0]);
  for (const std::size_t n : {0U, 1U}) {
    if (isTie(condition->args[n], olds)) return takes(condition->args[1 - n], olds[0]);
  }
  return {};
}

}  // namespace

// The element that `extreme` takes the greatest (or least) of: `max(x, old)`, or a choice.
std::optional<std::pair<ExprRef, bool>> Reader::extremeOf(const ExprRef& extreme,
                                                          const std::vector<int>& olds) {
  if (extreme->kind != Expr::Kind::Call) return {};
  if (extreme->name == "max" || extreme->name == "min") {
    for (const std::size_t n : {0U, 1U}) {
      if (isLoadOf(extreme->args[n], olds[0]))
        return std::pair{extreme->args[1 - n], extreme->name == "max"};
    }
    return {};
  }
  if (extreme->name != "select" || !isLoadOf(extreme->args[2], olds[0])) return {};
  const auto one = takenBy(extreme->args[0], olds);
  return one && isSame(one->first, extreme->args[1]) ? one : std::nullopt;
}

// Of an extreme and `select(x > old, place, old place)`: x and the place.
std::optional<ValueAndPlace> Reader::placeOfExtreme(const ExprRef& extreme, const ExprRef& place,
                                                    const std::vector<int>& olds, Loop reduced) {
  const auto of = extremeOf(extreme, olds);
  if (!of || !isCall(place, "select") || !isLoadOf(place->args[2], olds[1])) return {};
  const auto one = takenBy(place->args[0], olds);
  const ExprRef& at = place->args[1];
  const bool isIndex = at->kind == Expr::Kind::Index && at->index[0].coefficient(reduced) == 1;
  if (!one || one->second != of->second || !isSame(one->first, of->first) || !isIndex) return {};
  return std::pair{of->first, at};
}

}  // namespace gridloom::importer
