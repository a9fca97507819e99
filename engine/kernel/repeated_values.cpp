// SPDX-License-Identifier: Apache-2.0
#include "kernel/repeated_values.h"

#include <cmath>
#include <optional>

namespace gridloom::kernel {

namespace {

bool sameRead(const Statement& left, const ExprNode& a, const Statement& right,
              const ExprNode& b) {
  if (a.read < 0 || b.read < 0) return a.read == b.read;
  return sameElement(left.reads[static_cast<std::size_t>(a.read)],
                     right.reads[static_cast<std::size_t>(b.read)]);
}

// The exponent, where it is a number.
std::optional<double> exponentOf(const Statement& statement, const ExprNode& power) {
  if (power.op != ExprOp::Pow) return std::nullopt;
  const ExprNode& exponent = nodeOf(statement, power.rhs);
  if (exponent.op != ExprOp::Constant) return std::nullopt;
  return exponent.constant;
}

}  // namespace

bool sameValue(const Statement& statement, std::int32_t a, std::int32_t b) {
  return a == b || sameValue(statement, a, statement, b);
}

bool sameValue(const Statement& left, std::int32_t a, const Statement& right, std::int32_t b) {
  if (a < 0 || b < 0) return a == b;
  const ExprNode& one = nodeOf(left, a);
  const ExprNode& other = nodeOf(right, b);
  return one.op == other.op && one.constant == other.constant && one.loop == other.loop &&
         one.loops == other.loops && sameRead(left, one, right, other) &&
         sameValue(left, one.lhs, right, other.lhs) &&
         sameValue(left, one.rhs, right, other.rhs) &&
         sameValue(left, one.other, right, other.other);
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
