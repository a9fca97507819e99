// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "importer/forms.h"
#include "importer/program.h"

namespace gridloom::importer {

namespace {

// The form that a `select` asks to be at least 0; null of other conditions.
const Linear* maskOf(const Expr& expr) {
  if (expr.kind != Expr::Kind::Call || expr.name != "select") return nullptr;
  const Expr& condition = *expr.args[0];
  if (condition.kind != Expr::Kind::Call || condition.name != ">=") return nullptr;
  if (condition.args[0]->kind != Expr::Kind::Index || !isNumber(condition.args[1], 0))
    return nullptr;
  return &condition.args[0]->index.front();
}

// What the expression is where `form` is negative, if it is one number there.
std::optional<double> outside(const Expr& expr, const Linear& form) {
  if (expr.kind == Expr::Kind::Number) return expr.number;
  if (expr.kind != Expr::Kind::Call) return std::nullopt;
  if (const Linear* mask = maskOf(expr)) {
    if (*mask == form) return outside(*expr.args[2], form);
    const auto inside = outside(*expr.args[1], form), other = outside(*expr.args[2], form);
    return inside == other ? inside : std::nullopt;
  }
  std::vector<std::optional<double>> args;
  for (const ExprRef& arg : expr.args) args.push_back(outside(*arg, form));
  if (expr.name == "*" && (args[0] == 0.0 || args[1] == 0.0)) return 0.0;
  if (expr.name == "-" && args[0] == -kInfinity) return -kInfinity;
  if (!std::ranges::all_of(args, [](const auto& arg) { return arg.has_value(); }))
    return std::nullopt;
  if (expr.name == "exp") return std::exp(*args[0]);
  if (expr.name == "+") return *args[0] + *args[1];
  if (expr.name == "*") return *args[0] * *args[1];
  return std::nullopt;
}

class Clipper {
 public:
  explicit Clipper(Program& program) : m_program(program) {}

  void run(Statement& statement) {
    while (clipOnce(statement)) {
    }
    statement.value = simplified(statement.value, statement.where);
  }

 private:
  bool clipOnce(Statement& statement) {
    for (std::size_t n = 0; n < statement.where.size(); ++n) {
      const Linear form = statement.where[n];
      if (m_program.loops.range(form).first >= 0 || clip(statement, form)) {
        if (std::ranges::find(statement.where, form) != statement.where.end())
          statement.where.erase(statement.where.begin() + static_cast<std::ptrdiff_t>(n));
        return true;
      }
    }
    statement.value = simplified(statement.value, statement.where);
    return clipReductions(statement, *statement.value);
  }

  // Of the form c - loop: the loop ends at c.
  bool clip(Statement& statement, const Linear& form) {
    if (form.terms.size() != 1 || form.terms.begin()->second != -1 || form.constant < 0)
      return false;
    const Loop old = form.terms.begin()->first;
    const Loop shorter = m_program.loops.add(form.constant + 1);
    changeForms(statement, [&](const Linear& f) {
      Linear changed = f;
      changed.terms.erase(old);
      return changed + Linear::loop(shorter) * f.coefficient(old);
    });
    statement.value = withReduced(statement.value, old, shorter);
    return true;
  }

  static ExprRef withReduced(const ExprRef& expr, Loop old, Loop now) {
    Expr copy = *expr;
    std::ranges::replace(copy.loops, old, now);
    for (ExprRef& arg : copy.args) arg = withReduced(arg, old, now);
    return made(std::move(copy));
  }

  bool clipReductions(Statement& statement, const Expr& expr) {
    if (expr.kind == Expr::Kind::Reduce) {
      for (const Reduction& how : reductions()) {
        if (expr.name != how.name) continue;
        for (const Linear& form : masksIn(*expr.args[0])) {
          const bool own =
              form.terms.size() == 1 &&
              std::ranges::find(expr.loops, form.terms.begin()->first) != expr.loops.end();
          if (own && outside(*expr.args[0], form) == how.start && clip(statement, form))
            return true;
        }
      }
    }
    return std::ranges::any_of(expr.args,
                               [&](const ExprRef& arg) { return clipReductions(statement, *arg); });
  }

  static std::vector<Linear> masksIn(const Expr& expr) {
    std::vector<Linear> masks;
    if (const Linear* form = maskOf(expr)) masks.push_back(*form);
    for (const ExprRef& arg : expr.args) {
      const std::vector<Linear> inner = masksIn(*arg);
      masks.insert(masks.end(), inner.begin(), inner.end());
    }
    return masks;
  }

  ExprRef simplified(const ExprRef& expr, const std::vector<Linear>& where) const {
    return withoutMasks(m_program.loops, expr, where);
  }

  Program& m_program;
};

}  // namespace

ExprRef withoutMasks(const Loops& loops, const ExprRef& expr, const std::vector<Linear>& where) {
  if (const Linear* mask = maskOf(*expr)) {
    const Linear form = loops.normal(*mask);
    const auto [least, greatest] = loops.range(form);
    if (least >= 0 || std::ranges::find(where, form) != where.end())
      return withoutMasks(loops, expr->args[1], where);
    if (greatest < 0) return withoutMasks(loops, expr->args[2], where);
  }
  Expr copy = *expr;
  for (ExprRef& arg : copy.args) arg = withoutMasks(loops, arg, where);
  return made(std::move(copy));
}

void clipLoops(Program& program) {
  for (Statement& statement : program.statements) Clipper(program).run(statement);
}

}  // namespace gridloom::importer
