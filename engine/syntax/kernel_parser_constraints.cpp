// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "kernel/check.h"
#include "syntax/kernel_parser_scope.h"

namespace gridloom::syntax {

bool parseConstraints(KernelScope& scope, kernel::Statement& statement) {
  do {
    if (statement.constraints.size() == kernel::kMaxConstraints) {
      scope.fail(scope.cursor.peek().span,
                 fmt::format("more than {} constraints", kernel::kMaxConstraints),
                 "this is the limit of one `where`");
      return false;
    }
    const auto left = parseIndex(scope, true);
    if (!left || scope.beyond) return false;
    const TokenKind relation = scope.cursor.peek().kind;
    const std::string word(scope.cursor.textOf(scope.cursor.peek()));
    auto constraint = affine::Constraint{{}, relation == TokenKind::EqualEqual};
    if (relation != TokenKind::Less && relation != TokenKind::LessEqual &&
        relation != TokenKind::Greater && relation != TokenKind::GreaterEqual &&
        relation != TokenKind::EqualEqual) {
      scope.cursor.reportExpected("`<`, `<=`, `>`, `>=` or `==`", scope.errors,
                                  "such as `where j < i`");
      return false;
    }
    scope.cursor.take();
    const auto right = parseIndex(scope, true);
    if (!right || scope.beyond) return false;
    const bool less = relation == TokenKind::Less || relation == TokenKind::LessEqual;
    constraint.expr = less ? right->expr - left->expr : left->expr - right->expr;
    if (relation == TokenKind::Less || relation == TokenKind::Greater) --constraint.expr.constant;
    statement.constraints.push_back(std::move(constraint));
    statement.constraintSpelling.push_back(
        fmt::format("{} {} {}", left->spelling, word, right->spelling));
  } while (scope.cursor.accept(TokenKind::Comma));
  return true;
}

}  // namespace gridloom::syntax
