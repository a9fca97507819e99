// SPDX-License-Identifier: Apache-2.0
//
// Sums and other reductions: what they add to what was there before.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "importer/expr.h"

namespace gridloom::importer {

namespace {

// What remains of `old op rest`, however the operation is nested.
std::optional<ExprRef> withoutOld(const ExprRef& expr, const Reduction& how, const ExprRef& old) {
  if (isSame(expr, old)) return number(how.start);
  const bool minus = expr->name == "-" && std::string_view(how.op) == "+";
  if (expr->kind != Expr::Kind::Call || (expr->name != how.op && !minus)) return std::nullopt;
  if (const auto rest = withoutOld(expr->args[0], how, old)) {
    const bool isNothing = minus && isNumber(*rest, how.start);
    return isNothing ? call("neg", {expr->args[1]}) : call(expr->name, {*rest, expr->args[1]});
  }
  if (minus) return std::nullopt;
  const auto rest = withoutOld(expr->args[1], how, old);
  return rest ? std::optional(call(expr->name, {expr->args[0], *rest})) : std::nullopt;
}

}  // namespace

ExprRef chosen(const ExprRef& condition, bool holds, const ExprRef& value, const ExprRef& other) {
  return call("select",
              holds ? std::vector{condition, value, other} : std::vector{condition, other, value});
}

ExprRef keptUnless(const ExprRef& condition, bool holds, const ExprRef& value, const ExprRef& old) {
  if (isSame(value, old)) return old;
  for (const Reduction& how : reductions()) {
    const auto rest = withoutOld(value, how, old);
    if (!rest) continue;
    // In the order in which it was: of a number and NaN, min and max take the first.
    const bool isLast = value->args.size() == 2 && isSame(value->args[1], old);
    const ExprRef joined = chosen(condition, holds, *rest, number(how.start));
    return call(how.op, isLast ? std::vector{joined, old} : std::vector{old, joined});
  }
  return chosen(condition, holds, value, old);
}

namespace {

// Of a choice between old values, with something or with nothing.
std::optional<ExprRef> withoutInChoice(const ExprRef& expr, const std::string& op,
                                       const std::function<bool(const Expr&)>& isOld) {
  const auto how =
      std::ranges::find_if(reductions(), [&](const Reduction& r) { return op == r.op; });
  bool decides = false;
  forLoads(*expr->args[0], [&](const Expr& load) { decides = decides || isOld(load); });
  if (decides) return std::nullopt;
  std::vector<ExprRef> args{expr->args[0]};
  for (const std::size_t n : {1U, 2U}) {
    const ExprRef& arg = expr->args[n];
    const bool isPlainOld = arg->kind == Expr::Kind::Load && isOld(*arg);
    const auto rest = isPlainOld ? std::optional(number(how->start)) : without(arg, op, isOld);
    if (!rest) return std::nullopt;
    args.push_back(*rest);
  }
  return call("select", std::move(args));
}

}  // namespace

std::optional<ExprRef> without(const ExprRef& expr, const std::string& op,
                               const std::function<bool(const Expr&)>& isOld) {
  if (expr->kind == Expr::Kind::Call && expr->name == "select")
    return withoutInChoice(expr, op, isOld);
  const bool minus = op == "+" && expr->name == "-";
  if (expr->kind != Expr::Kind::Call || (expr->name != op && !minus)) return std::nullopt;
  const auto isIn = [&](const ExprRef& arg) {
    bool found = false;
    forLoads(*arg, [&](const Expr& load) { found = found || isOld(load); });
    return found;
  };
  const bool left = isIn(expr->args[0]), right = isIn(expr->args[1]);
  if (left == right || (minus && right)) return std::nullopt;
  const ExprRef& with = expr->args[left ? 0 : 1];
  const ExprRef& other = expr->args[left ? 1 : 0];
  if (with->kind == Expr::Kind::Load) return minus ? call("neg", {other}) : other;
  const auto rest = without(with, op, isOld);
  if (!rest) return std::nullopt;
  return call(expr->name, {*rest, other});
}

namespace {

bool changesNothing(const Reduction& how, const ExprRef& old) {
  if (!isNumber(old)) return false;
  if (old->number == how.start) return true;
  constexpr double lowest = 1e30, lowestHalf = 65504;
  const double down = how.start < 0 ? -old->number : old->number;
  return std::isinf(how.start) && (down >= lowest || down == lowestHalf);
}

}  // namespace

const std::vector<Reduction>& reductions() {
  static const std::vector<Reduction> all{
      {"sum", "+", 0}, {"max", "max", -kInfinity}, {"min", "min", kInfinity}, {"prod", "*", 1}};
  return all;
}

ExprRef accumulated(const Reduction& how, const ExprRef& old, std::vector<Loop> loops,
                    ExprRef rest) {
  const bool isNegative =
      std::string_view(how.op) == "+" && rest->kind == Expr::Kind::Call && rest->name == "neg";
  if (isNegative && !changesNothing(how, old))
    return call("-", {old, reduce(how.name, std::move(loops), rest->args[0])});
  const ExprRef all = reduce(how.name, std::move(loops), std::move(rest));
  return changesNothing(how, old) ? all : call(how.op, {old, all});
}

}  // namespace gridloom::importer
