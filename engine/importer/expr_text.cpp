// SPDX-License-Identifier: Apache-2.0
#include "importer/expr_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>

namespace gridloom::importer {

// A form that is at least 0; of one loop, as a bound of it.
std::string ExprText::condition(const Linear& form) const {
  const bool single = form.terms.size() == 1 && std::abs(form.terms.begin()->second) == 1;
  if (!single) return atLeastText(form);
  const auto& [loop, sign] = *form.terms.begin();
  return fmt::format("{} {} {}", m_names.at(loop), sign > 0 ? ">=" : "<=", -sign * form.constant);
}

std::string ExprText::indices(const std::vector<Linear>& index) const {
  std::vector<std::string> forms;
  for (const Linear& form : index) forms.push_back(text(form));
  return fmt::format("{}", fmt::join(forms, ", "));
}

// The indices of a load; those of a gather are loads themselves.
std::string ExprText::accessText(const Expr& load) const {
  std::vector<std::string> forms;
  for (const Linear& form : load.index) forms.push_back(text(form));
  for (std::size_t n = 0; n < load.gathers.size(); ++n)
    forms[load.gathers[n]] = text(*load.args[n], 0);
  return fmt::format("{}", fmt::join(forms, ", "));
}

std::string ExprText::text(const Linear& form) const {
  std::string out;
  for (const auto& [loop, coefficient] : form.terms) {
    const std::int64_t size = std::abs(coefficient);
    out += out.empty() ? (coefficient < 0 ? "-" : "") : (coefficient < 0 ? " - " : " + ");
    if (size != 1) out += fmt::format("{} * ", size);
    out += m_names.at(loop);
  }
  if (out.empty()) return std::to_string(form.constant);
  if (form.constant != 0)
    out += fmt::format(" {} {}", form.constant < 0 ? '-' : '+', std::abs(form.constant));
  return out;
}

std::string ExprText::numberText(double value) {
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return fmt::format("{}", value);
}

// `level`: how strongly what stands around binds: 0 nothing, 1 sums, 2 products, 3 their right
// sides.
std::string ExprText::text(const Expr& expr, int level) const {
  const auto inBrackets = [&](std::string inner, int own) {
    return level > own ? "(" + inner + ")" : inner;
  };
  switch (expr.kind) {
  case Expr::Kind::Number:
    return inBrackets(numberText(expr.number), expr.number < 0 ? 0 : 3);
  case Expr::Kind::Load:
    return fmt::format("{}[{}]", nameOf(expr), accessText(expr));
  case Expr::Kind::Index: {
    const std::string form = text(expr.index.front());
    const bool isLoop = expr.index.front().asLoop().has_value();
    return inBrackets(form, isLoop ? 3 : form.starts_with('-') ? 0 : 1);
  }
  case Expr::Kind::Reduce: {
    std::vector<std::string> names;
    for (const Loop loop : expr.loops) names.push_back(m_names.at(loop));
    return inBrackets(
        fmt::format("{}({}) {}", expr.name, fmt::join(names, ", "), text(*expr.args[0], 2)), 0);
  }
  case Expr::Kind::Call:
    break;
  }
  return callText(expr, level);
}

std::optional<std::string> ExprText::boundText(const Expr& expr) const {
  if (expr.name != ">=" || expr.args[0]->kind != Expr::Kind::Index || !isNumber(expr.args[1], 0))
    return std::nullopt;
  return atLeastText(expr.args[0]->index[0]);
}

// `form >= 0` with what is subtracted on the other side.
std::string ExprText::atLeastText(const Linear& form) const {
  Linear left, right;
  for (const auto& [loop, coefficient] : form.terms)
    (coefficient > 0 ? left : right).terms[loop] = std::abs(coefficient);
  if (left.terms.empty()) return fmt::format("{} <= {}", text(right), form.constant);
  if (form.constant == -1 && !right.terms.empty())
    return fmt::format("{} < {}", text(right), text(left));
  (form.constant > 0 && !right.terms.empty() ? left : right).constant = std::abs(form.constant);
  if (right.terms.empty()) right.constant = -form.constant;
  return fmt::format("{} >= {}", text(left), text(right));
}

std::string ExprText::callText(const Expr& expr, int level) const {
  const auto both = [&](int own, int right) {
    const std::string inner =
        fmt::format("{} {} {}", text(*expr.args[0], own), expr.name, text(*expr.args[1], right));
    return level > own ? "(" + inner + ")" : inner;
  };
  if (expr.name == "+") return both(1, 1);
  if (expr.name == "-") return both(1, 2);
  // `a * b / c` is `(a * b) / c`, which rounds otherwise than `a * (b / c)`.
  const bool byRatio = expr.name == "*" && expr.args[1]->name == "/";
  if (expr.name == "*") return both(2, byRatio ? 3 : 2);
  if (expr.name == "/") return both(2, 3);
  if (expr.name == "neg") {
    const std::string inner = "-" + text(*expr.args[0], 3);
    return level > 0 ? "(" + inner + ")" : inner;
  }
  static const std::set<std::string> comparisons{"<", "<=", ">", ">=", "==", "!="};
  if (comparisons.contains(expr.name) || expr.name == "and" || expr.name == "or") {
    if (const auto bound = boundText(expr)) return level > 0 ? "(" + *bound + ")" : *bound;
    const int operands = expr.name == "and" || expr.name == "or" ? 0 : 1;
    const std::string inner = fmt::format("{} {} {}", text(*expr.args[0], operands), expr.name,
                                          text(*expr.args[1], operands));
    return level > 0 || expr.name == "or" ? "(" + inner + ")" : inner;
  }
  std::vector<std::string> args;
  for (const ExprRef& arg : expr.args) args.push_back(text(*arg, 0));
  return fmt::format("{}({})", expr.name, fmt::join(args, ", "));
}

}  // namespace gridloom::importer
