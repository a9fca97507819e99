// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "kernel/check.h"
#include "syntax/kernel_parser_scope.h"

namespace gridloom::syntax {

namespace {

bool reportConstraintHabit(KernelScope& scope) {
  const Token next = scope.cursor.peek();
  const bool relates = next.kind == TokenKind::Less || next.kind == TokenKind::LessEqual ||
                       next.kind == TokenKind::Greater || next.kind == TokenKind::GreaterEqual ||
                       next.kind == TokenKind::EqualEqual;
  if (relates) {
    scope.fail(next.span, "comparisons do not chain", "compare twice: `where 0 <= i, i < n`");
    return true;
  }
  if (scope.cursor.atWord("or")) {
    scope.fail(next.span, "all constraints of a `where` hold together",
               "write one statement for each side of `or`, or use `select(a or b, x, y)`");
    return true;
  }
  return reportOperatorHabit(scope);
}

std::optional<IndexValue> parseSide(KernelScope& scope) {
  const Token next = scope.cursor.peek();
  if (scope.cursor.at(TokenKind::Ident) && scope.tensorNamed(scope.cursor.textOf(next)) &&
      scope.cursor.peek(1).kind == TokenKind::LBracket) {
    scope.fail(next.span, "a `where` compares loops, not elements",
               "compare elements in the expression: `select(condition, a, b)`");
    return std::nullopt;
  }
  return parseIndex(scope, true);
}

}  // namespace

bool parseConstraints(KernelScope& scope, kernel::Statement& statement) {
  do {
    if (statement.constraints.size() == kernel::kMaxConstraints) {
      scope.fail(scope.cursor.peek().span,
                 fmt::format("more than {} constraints", kernel::kMaxConstraints),
                 "this is the limit of one `where`");
      return false;
    }
    const auto left = parseSide(scope);
    if (!left || scope.beyond) return false;
    const TokenKind relation = scope.cursor.peek().kind;
    const std::string word(scope.cursor.textOf(scope.cursor.peek()));
    auto constraint = affine::Constraint{{}, relation == TokenKind::EqualEqual};
    if (relation == TokenKind::NotEqual) {
      scope.fail(scope.cursor.peek().span, "`where` has no `!=`",
                 "write two statements, one with `<` and one with `>`, or use `select`");
      return false;
    }
    if (relation != TokenKind::Less && relation != TokenKind::LessEqual &&
        relation != TokenKind::Greater && relation != TokenKind::GreaterEqual &&
        relation != TokenKind::EqualEqual) {
      scope.cursor.reportExpected("`<`, `<=`, `>`, `>=` or `==`", scope.errors,
                                  "such as `where j < i`");
      return false;
    }
    scope.cursor.take();
    const auto right = parseSide(scope);
    if (!right || scope.beyond) return false;
    const bool less = relation == TokenKind::Less || relation == TokenKind::LessEqual;
    constraint.expr = less ? right->expr - left->expr : left->expr - right->expr;
    if (relation == TokenKind::Less || relation == TokenKind::Greater) --constraint.expr.constant;
    statement.constraints.push_back(std::move(constraint));
    statement.constraintSpelling.push_back(
        fmt::format("{} {} {}", left->spelling, word, right->spelling));
  } while (scope.cursor.accept(TokenKind::Comma) || scope.cursor.acceptWord("and"));
  return !reportConstraintHabit(scope);
}

}  // namespace gridloom::syntax
