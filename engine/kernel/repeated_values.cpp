// SPDX-License-Identifier: Apache-2.0
#include "kernel/repeated_values.h"

#include <cmath>
#include <optional>

namespace gridloom::kernel {

namespace {

const ExprNode& at(const Statement& statement, std::int32_t n) {
  return statement.expr[static_cast<std::size_t>(n)];
}

bool sameRead(const Statement& statement, const ExprNode& a, const ExprNode& b) {
  if (a.read < 0 || b.read < 0) return a.read == b.read;
  return sameElement(statement.reads[static_cast<std::size_t>(a.read)],
                     statement.reads[static_cast<std::size_t>(b.read)]);
}

// The exponent, where it is a number.
std::optional<double> exponentOf(const Statement& statement, const ExprNode& power) {
  if (power.op != ExprOp::Pow) return std::nullopt;
  const ExprNode& exponent = at(statement, power.rhs);
  if (exponent.op != ExprOp::Constant) return std::nullopt;
  return exponent.constant;
}

}  // namespace

bool sameValue(const Statement& statement, std::int32_t a, std::int32_t b) {
  if (a == b) return true;
  if (a < 0 || b < 0) return false;
  const ExprNode& left = at(statement, a);
  const ExprNode& right = at(statement, b);
  return left.op == right.op && left.constant == right.constant && left.loop == right.loop &&
         left.loops == right.loops && sameRead(statement, left, right) &&
         sameValue(statement, left.lhs, right.lhs) && sameValue(statement, left.rhs, right.rhs) &&
         sameValue(statement, left.other, right.other);
}

int multiplicationsOf(const Statement& statement, const ExprNode& power) {
  const auto exponent = exponentOf(statement, power);
  if (exponent == 2) return 1;
  return exponent == 3 || exponent == 4 ? 2 : 0;
}

bool isRootPower(const Statement& statement, const ExprNode& power) {
  const auto exponent = exponentOf(statement, power);
  return exponent && std::abs(*exponent) == 0.5;
}

}  // namespace gridloom::kernel
