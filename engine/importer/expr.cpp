// SPDX-License-Identifier: Apache-2.0
#include "importer/expr.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "importer/program.h"

namespace gridloom::importer {

namespace {

std::optional<double> folded(const std::string& name, const std::vector<ExprRef>& args) {
  if (!std::ranges::all_of(args, [](const ExprRef& arg) { return isNumber(arg); })) return {};
  const auto at = [&](std::size_t n) { return args[n]->number; };
  if (args.size() == 2) {
    if (name == "+") return at(0) + at(1);
    if (name == "-") return at(0) - at(1);
    if (name == "*") return at(0) * at(1);
    if (name == "/" && at(1) != 0) return at(0) / at(1);
    if (name == "max") return std::max(at(0), at(1));
    if (name == "min") return std::min(at(0), at(1));
  }
  if (name == "neg") return -at(0);
  if (name == "sqrt" && at(0) >= 0) return std::sqrt(at(0));
  return {};
}

// Of an index, or a whole number.
std::optional<Linear> formOf(const ExprRef& expr) {
  if (expr->kind == Expr::Kind::Index) return expr->index.front();
  constexpr double most = 1e15;
  if (!isNumber(expr) || std::abs(expr->number) > most || std::floor(expr->number) != expr->number)
    return std::nullopt;
  return Linear::of(static_cast<std::int64_t>(expr->number));
}

// Sums of indices are indices.
ExprRef combined(const std::string& name, const std::vector<ExprRef>& args) {
  if (args.size() != 2) return nullptr;
  const bool anyIndex =
      std::ranges::any_of(args, [](const ExprRef& arg) { return arg->kind == Expr::Kind::Index; });
  const auto a = formOf(args[0]), b = formOf(args[1]);
  if (!anyIndex || !a || !b) return nullptr;
  if (name == "+") return indexValue(*a + *b);
  if (name == "-") return indexValue(*a - *b);
  if (name == "*" && b->isConstant()) return indexValue(*a * b->constant);
  if (name == "*" && a->isConstant()) return indexValue(*b * a->constant);
  return nullptr;
}

// What remains where one operand changes nothing; null where both count.
ExprRef neutral(const std::string& name, const std::vector<ExprRef>& args) {
  if (args.size() != 2) return nullptr;
  const ExprRef &a = args[0], &b = args[1];
  constexpr double inf = std::numeric_limits<double>::infinity();
  if (name == "+") return isNumber(a, 0) ? b : isNumber(b, 0) ? a : nullptr;
  if (name == "-") return isNumber(b, 0) ? a : nullptr;
  if (name == "*") return isNumber(a, 1) ? b : isNumber(b, 1) ? a : nullptr;
  if (name == "/") return isNumber(b, 1) ? a : nullptr;
  if (name == "max") return isNumber(a, -inf) ? b : isNumber(b, -inf) ? a : nullptr;
  if (name == "min") return isNumber(a, inf) ? b : isNumber(b, inf) ? a : nullptr;
  return nullptr;
}

}  // namespace

ExprRef made(Expr expr) {
  constexpr std::size_t most = 50'000;
  expr.size = 1;
  for (const ExprRef& arg : expr.args) expr.size += arg->size;
  if (expr.size > most)
    throw Refusal{"the value of one element is computed by more than 50,000 operations",
                  "store values that are used more than once in memory with a dimension for them"};
  return std::make_shared<const Expr>(std::move(expr));
}

ExprRef number(double value) {
  Expr expr;
  expr.number = value;
  return made(std::move(expr));
}

ExprRef load(int buffer, std::vector<Linear> index) {
  Expr expr;
  expr.kind = Expr::Kind::Load;
  expr.buffer = buffer;
  expr.index = std::move(index);
  return made(std::move(expr));
}

ExprRef indexValue(Linear form) {
  if (form.isConstant()) return number(static_cast<double>(form.constant));
  Expr expr;
  expr.kind = Expr::Kind::Index;
  expr.index = {std::move(form)};
  return made(std::move(expr));
}

ExprRef call(std::string name, std::vector<ExprRef> args) {
  if (name == "select") {
    // A choice inside of the same choice is made.
    for (const std::size_t n : {1U, 2U}) {
      const ExprRef inner = args[n];
      if (inner->kind == Expr::Kind::Call && inner->name == "select" && inner->args[0] == args[0])
        args[n] = inner->args[n];
    }
  }
  if (const auto value = folded(name, args)) return number(*value);
  if (ExprRef rest = neutral(name, args)) return rest;
  if (ExprRef form = combined(name, args)) return form;
  Expr expr;
  expr.kind = Expr::Kind::Call;
  expr.name = std::move(name);
  expr.args = std::move(args);
  return made(std::move(expr));
}

ExprRef within(const Linear& form, ExprRef value, ExprRef other) {
  return call("select",
              {call(">=", {indexValue(form), number(0)}), std::move(value), std::move(other)});
}

bool isSame(const ExprRef& a, const ExprRef& b) {
  if (a == b) return true;
  return a->size == b->size && a->kind == b->kind && a->number == b->number &&
         a->buffer == b->buffer && a->index == b->index && a->name == b->name &&
         a->gathers == b->gathers && a->loops == b->loops && a->args.size() == b->args.size() &&
         std::ranges::equal(a->args, b->args, isSame);
}

ExprRef reduce(std::string name, std::vector<Loop> loops, ExprRef body) {
  if (loops.empty()) return body;
  Expr expr;
  expr.kind = Expr::Kind::Reduce;
  if (body->kind == Expr::Kind::Reduce && body->name == name) {
    loops.insert(loops.end(), body->loops.begin(), body->loops.end());
    body = body->args[0];
  }
  expr.name = std::move(name);
  expr.loops = std::move(loops);
  expr.args = {std::move(body)};
  return made(std::move(expr));
}

bool isNumber(const ExprRef& expr) { return expr->kind == Expr::Kind::Number; }
bool isNumber(const ExprRef& expr, double value) { return isNumber(expr) && expr->number == value; }

bool isPlain(const Expr& expr) {
  if (expr.kind == Expr::Kind::Reduce) return false;
  if (expr.kind != Expr::Kind::Call) return true;
  return expr.name == "select" && isPlain(*expr.args[1]) && isPlain(*expr.args[2]);
}

bool hasReduction(const Expr& expr) {
  return expr.kind == Expr::Kind::Reduce ||
         std::ranges::any_of(expr.args, [](const ExprRef& arg) { return hasReduction(*arg); });
}

std::set<Loop> freeLoops(const Expr& expr) {
  std::set<Loop> loops;
  for (const Linear& form : expr.index) {
    for (const auto& [loop, coefficient] : form.terms) loops.insert(loop);
  }
  for (const ExprRef& arg : expr.args) loops.merge(freeLoops(*arg));
  for (const Loop loop : expr.loops) loops.erase(loop);
  return loops;
}

void forReduced(const Expr& expr, const std::function<void(Loop)>& visit) {
  if (expr.kind == Expr::Kind::Reduce) std::ranges::for_each(expr.loops, visit);
  for (const ExprRef& arg : expr.args) forReduced(*arg, visit);
}

void forLoads(const Expr& expr, const std::function<void(const Expr&)>& visit) {
  if (expr.kind == Expr::Kind::Load) visit(expr);
  for (const ExprRef& arg : expr.args) forLoads(*arg, visit);
}

ExprRef withForms(const ExprRef& expr, const std::function<Linear(const Linear&)>& change) {
  Expr copy = *expr;
  for (Linear& form : copy.index) form = change(form);
  for (ExprRef& arg : copy.args) arg = withForms(arg, change);
  return made(std::move(copy));
}

ExprRef substitute(const ExprRef& expr, const std::map<Loop, Linear>& by) {
  return withForms(expr, [&](const Linear& form) {
    Linear result = Linear::of(form.constant);
    for (const auto& [loop, coefficient] : form.terms) {
      const auto at = by.find(loop);
      result = result + (at == by.end() ? Linear::loop(loop) : at->second) * coefficient;
    }
    return result;
  });
}

ExprRef withReduced(const ExprRef& expr, const std::map<Loop, Linear>& by) {
  const std::function<ExprRef(const ExprRef&)> renamed = [&](const ExprRef& of) {
    Expr copy = *of;
    for (ExprRef& arg : copy.args) arg = renamed(arg);
    if (copy.kind == Expr::Kind::Reduce) {
      for (Loop& loop : copy.loops)
        if (const auto at = by.find(loop); at != by.end()) loop = *at->second.asLoop();
    }
    return made(std::move(copy));
  };
  return renamed(substitute(expr, by));
}

ExprRef withLoads(const ExprRef& expr, const std::function<ExprRef(const Expr&)>& change) {
  if (expr->kind == Expr::Kind::Load) {
    const ExprRef changed = change(*expr);
    if (changed || expr->args.empty()) return changed ? changed : expr;
    Expr copy = *expr;
    for (ExprRef& arg : copy.args) arg = withLoads(arg, change);
    return made(std::move(copy));
  }
  if (expr->args.empty()) return expr;
  std::vector<ExprRef> args;
  for (const ExprRef& arg : expr->args) args.push_back(withLoads(arg, change));
  if (expr->kind == Expr::Kind::Reduce) return reduce(expr->name, expr->loops, args[0]);
  return call(expr->name, std::move(args));
}

}  // namespace gridloom::importer
