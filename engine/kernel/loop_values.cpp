// SPDX-License-Identifier: Apache-2.0
#include "kernel/loop_values.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

// Factors and constants beyond this are no indices.
constexpr double kLargest = 1LL << 40;

// Of a comparison that does not hold.
ExprOp opposite(ExprOp op) {
  using enum ExprOp;
  constexpr std::array kOpposites{std::pair(Less, GreaterEqual), std::pair(LessEqual, Greater),
                                  std::pair(Equal, NotEqual)};
  for (const auto& [one, other] : kOpposites) {
    if (op == one) return other;
    if (op == other) return one;
  }
  return op;
}

// Of numbers, without a remainder.
std::optional<LinearExpr> quotient(const LinearExpr& left, const LinearExpr& right) {
  if (!left.isConstant() || !right.isConstant() || right.constant == 0) return std::nullopt;
  if (left.constant % right.constant != 0) return std::nullopt;
  return LinearExpr::number(left.constant / right.constant);
}

std::optional<LinearExpr> product(const LinearExpr& left, const LinearExpr& right) {
  if (!left.isConstant() && !right.isConstant()) return std::nullopt;
  const LinearExpr& factor = left.isConstant() ? left : right;
  const LinearExpr& other = left.isConstant() ? right : left;
  const auto isLarge = [](std::int64_t c) { return std::abs(c) > (1 << 20); };
  if (isLarge(factor.constant) || isLarge(other.constant)) return std::nullopt;
  for (const std::int64_t coefficient : other.coefficients) {
    if (isLarge(coefficient)) return std::nullopt;
  }
  return other * factor.constant;
}

std::optional<LinearExpr> whole(double number) {
  if (number != std::floor(number) || std::abs(number) > kLargest) return std::nullopt;
  return LinearExpr::number(static_cast<std::int64_t>(number));
}

}  // namespace

std::optional<LinearExpr> loopValue(const Statement& statement, std::int32_t n,
                                    const NodeValue& other) {
  const ExprNode& node = nodeOf(statement, n);
  if (node.op == ExprOp::Index) return LinearExpr::dim(node.loop.index());
  if (node.op == ExprOp::Constant) return whole(node.constant);
  if (node.op == ExprOp::Neg) {
    const auto value = loopValue(statement, node.lhs, other);
    return value ? std::optional(*value * -1) : std::nullopt;
  }
  const bool isLinear = node.op == ExprOp::Add || node.op == ExprOp::Sub ||
                        node.op == ExprOp::Mul || node.op == ExprOp::Div;
  if (!isLinear) return other ? other(n) : std::nullopt;
  const auto left = loopValue(statement, node.lhs, other);
  const auto right = loopValue(statement, node.rhs, other);
  if (!left || !right) return std::nullopt;
  if (node.op == ExprOp::Div) return quotient(*left, *right);
  if (node.op == ExprOp::Add) return *left + *right;
  if (node.op == ExprOp::Sub) return *left - *right;
  return product(*left, *right);
}

Compared compare(const Statement& statement, std::int32_t n, bool holds, const NodeValue& other) {
  const ExprNode& node = nodeOf(statement, n);
  if (node.op < ExprOp::Less || node.op > ExprOp::NotEqual) return {};
  const auto left = loopValue(statement, node.lhs, other);
  const auto right = loopValue(statement, node.rhs, other);
  if (!left || !right) return {};
  const LinearExpr more = *right - *left, less = *left - *right, one = LinearExpr::number(1);
  const ExprOp op = holds ? node.op : opposite(node.op);
  if (op == ExprOp::Less) return {affine::Constraint{more - one}, {}};
  if (op == ExprOp::LessEqual) return {affine::Constraint{more}, {}};
  if (op == ExprOp::Greater) return {affine::Constraint{less - one}, {}};
  if (op == ExprOp::GreaterEqual) return {affine::Constraint{less}, {}};
  if (op == ExprOp::Equal) return {affine::Constraint{less, true}, {}};
  return {{}, less};
}

}  // namespace gridloom::kernel
