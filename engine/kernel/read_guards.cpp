// SPDX-License-Identifier: Apache-2.0
#include "kernel/read_guards.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

namespace gridloom::kernel {

namespace {

using affine::Constraint;
using affine::LinearExpr;

// Factors and constants beyond this are no indices.
constexpr double kLargest = 1LL << 40;

class GuardReader {
 public:
  GuardReader(const Statement& statement, std::size_t read)
      : m_statement(statement), m_read(static_cast<std::int32_t>(read)) {}

  // Everything that the condition says, if that is so.
  std::optional<std::vector<Constraint>> all(std::int32_t condition, bool holds) {
    addCondition(condition, holds);
    if (m_more) return std::nullopt;
    return std::move(m_guards.constraints);
  }

  ReadGuards run() {
    const auto reads = std::ranges::count(m_statement.expr, m_read, &ExprNode::read);
    if (reads == 1) find(static_cast<std::int32_t>(m_statement.expr.size()) - 1);
    return std::move(m_guards);
  }

 private:
  const ExprNode& at(std::int32_t n) const { return m_statement.expr[static_cast<std::size_t>(n)]; }

  // Collects the conditions of the `select`s between node n and the read below it; false if the
  // read is not below n.
  bool find(std::int32_t n) {
    const ExprNode& node = at(n);
    if (node.op == ExprOp::Read) return node.read == m_read;
    const auto operands = node.operands();
    const auto above = std::ranges::find_if(
        operands, [&](std::int32_t operand) { return operand >= 0 && find(operand); });
    if (above == operands.end()) return false;
    if (node.op == ExprOp::Select && *above != node.lhs) addCondition(node.lhs, *above == node.rhs);
    return true;
  }

  // What follows from the condition holding, or not holding.
  void addCondition(std::int32_t n, bool holds) {
    const ExprNode& node = at(n);
    if (node.op == ExprOp::Not) return addCondition(node.lhs, !holds);
    if (node.op == (holds ? ExprOp::And : ExprOp::Or)) {
      addCondition(node.lhs, holds);
      addCondition(node.rhs, holds);
    } else {
      addComparison(node, holds);
    }
  }

  void addComparison(const ExprNode& node, bool holds) {
    const bool compares = node.op >= ExprOp::Less && node.op <= ExprOp::NotEqual;
    const auto left = compares ? linear(node.lhs) : std::nullopt;
    const auto right = compares ? linear(node.rhs) : std::nullopt;
    const ExprOp op = holds ? node.op : opposite(node.op);
    m_more = m_more || !left || !right || op == ExprOp::NotEqual;
    if (!left || !right) return;
    const LinearExpr more = *right - *left, less = *left - *right, one = LinearExpr::number(1);
    std::vector<Constraint>& out = m_guards.constraints;
    if (op == ExprOp::Less) out.push_back({more - one});
    if (op == ExprOp::LessEqual) out.push_back({more});
    if (op == ExprOp::Greater) out.push_back({less - one});
    if (op == ExprOp::GreaterEqual) out.push_back({less});
    if (op == ExprOp::Equal) out.push_back({less, true});
    if (op == ExprOp::NotEqual) m_guards.nonZero.push_back(less);
  }

  // Of a comparison that does not hold.
  static ExprOp opposite(ExprOp op) {
    using enum ExprOp;
    constexpr std::array kOpposites{std::pair(Less, GreaterEqual), std::pair(LessEqual, Greater),
                                    std::pair(Equal, NotEqual)};
    for (const auto& [one, other] : kOpposites) {
      if (op == one) return other;
      if (op == other) return one;
    }
    return op;
  }

  std::optional<LinearExpr> linear(std::int32_t n) const {
    const ExprNode& node = at(n);
    if (node.op == ExprOp::Index) return LinearExpr::dim(node.loop.index());
    if (node.op == ExprOp::Constant) {
      const bool whole = node.constant == std::floor(node.constant);
      if (!whole || std::abs(node.constant) > kLargest) return std::nullopt;
      return LinearExpr::number(static_cast<std::int64_t>(node.constant));
    }
    if (node.op == ExprOp::Neg) {
      const auto value = linear(node.lhs);
      return value ? std::optional(*value * -1) : std::nullopt;
    }
    const bool isLinear = node.op == ExprOp::Add || node.op == ExprOp::Sub ||
                          node.op == ExprOp::Mul || node.op == ExprOp::Div;
    const auto left = isLinear ? linear(node.lhs) : std::nullopt;
    const auto right = isLinear ? linear(node.rhs) : std::nullopt;
    if (!left || !right) return std::nullopt;
    if (node.op == ExprOp::Div) return quotient(*left, *right);
    if (node.op == ExprOp::Add) return *left + *right;
    if (node.op == ExprOp::Sub) return *left - *right;
    return product(*left, *right);
  }

  // Of numbers, without a rest.
  static std::optional<LinearExpr> quotient(const LinearExpr& left, const LinearExpr& right) {
    if (!left.isConstant() || !right.isConstant() || right.constant == 0) return std::nullopt;
    if (left.constant % right.constant != 0) return std::nullopt;
    return LinearExpr::number(left.constant / right.constant);
  }

  static std::optional<LinearExpr> product(const LinearExpr& left, const LinearExpr& right) {
    if (!left.isConstant() && !right.isConstant()) return std::nullopt;
    const LinearExpr& factor = left.isConstant() ? left : right;
    const LinearExpr& other = left.isConstant() ? right : left;
    const auto isLarge = [](std::int64_t c) { return std::abs(c) > (1 << 20); };
    if (isLarge(factor.constant) || isLarge(other.constant)) return std::nullopt;
    if (std::ranges::any_of(other.coefficients, isLarge)) return std::nullopt;
    return other * factor.constant;
  }

  const Statement& m_statement;
  std::int32_t m_read;
  ReadGuards m_guards;
  bool m_more = false;  ///< a condition says more than the guards
};

// Takes the points where the expression is 0 out of the domain. Only an expression that is nowhere
// negative or nowhere positive in the domain can do so, as what is left must be convex. Returns
// whether it did.
bool cutZero(const LinearExpr& expr, affine::IntegerSet& domain) {
  const auto bounds = affine::boundsOf(domain, expr);
  if (!bounds || (bounds->min != 0 && bounds->max != 0)) return false;
  const LinearExpr away = bounds->min == 0 ? expr : expr * -1;
  domain.constraints.push_back({away - LinearExpr::number(1)});
  return true;
}

}  // namespace

ReadGuards readGuards(const Statement& statement, std::size_t read) {
  return GuardReader(statement, read).run();
}

void addGuards(ReadGuards guards, affine::IntegerSet& domain) {
  std::ranges::move(guards.constraints, std::back_inserter(domain.constraints));
  // What one condition takes out may leave a domain from which another can: `i != 1` once `i != 0`
  // has made it `i >= 1`.
  const auto cut = [&](const LinearExpr& expr) { return cutZero(expr, domain); };
  while (std::erase_if(guards.nonZero, cut) > 0) continue;
}

std::optional<std::vector<Constraint>> conditionOf(const Statement& statement,
                                                   std::int32_t condition, bool holds) {
  return GuardReader(statement, 0).all(condition, holds);
}

}  // namespace gridloom::kernel
