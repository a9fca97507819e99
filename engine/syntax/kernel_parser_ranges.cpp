// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "kernel/check.h"
#include "syntax/kernel_parser_scope.h"

namespace gridloom::syntax {

namespace {

// What other languages write behind a range.
bool reportRangeHabit(KernelScope& scope) {
  const TokenCursor& cursor = scope.cursor;
  const bool steps = cursor.atWord("step") || cursor.atWord("by");
  if (!steps && !cursor.at(TokenKind::LBrace) && !cursor.at(TokenKind::Colon)) return false;
  scope.fail(cursor.peek().span, "a range is a line of its own",
             steps ? "loops advance by 1: write the step in the indices, as in `A[2 * i]`"
                   : "write the statements below it, without braces: loops are their indices");
  return true;
}

bool parseRange(KernelScope& scope, std::vector<std::string>& comments) {
  TokenCursor& cursor = scope.cursor;
  const Token name = cursor.peek();
  if (!cursor.expect(TokenKind::Ident, "for the loop", scope.errors)) return false;
  const std::string word(cursor.textOf(name));
  if (!scope.checkNewName(word, name.span, "loop")) return false;
  if (!cursor.acceptWord("in")) {
    cursor.reportExpected("`in` and a range", scope.errors, "such as `for r in 0..R`");
    return false;
  }
  if (cursor.atWord("range") && cursor.peek(1).kind == TokenKind::LParen) {
    scope.fail(cursor.peek().span, "a range is written with two dots",
               fmt::format("write `for {} in 0..N`", word));
    return false;
  }
  const auto begin = parseIndex(scope, false);
  if (!begin) return false;
  if (!cursor.expect(TokenKind::Dot, "as in `0..R`", scope.errors) ||
      !cursor.expect(TokenKind::Dot, "as in `0..R`", scope.errors)) {
    return false;
  }
  auto end = parseIndex(scope, false);
  if (!end) return false;
  if (begin->expr.constant != 0) {
    scope.fail(begin->span, fmt::format("loop `{}` would begin at {}", word, begin->expr.constant),
               fmt::format("loops begin at 0: write `for {0} in 0..{1}`, and `where {0} >= {2}` "
                           "behind the statement",
                           word, end->spelling, begin->spelling));
    return false;
  }
  checkSize(scope, end->expr.constant, end->span, fmt::format("the range of `{}`", word));
  kernel::Loop& loop = scope.draft.loops[scope.loopNamed(word, name.span).index()];
  if (scope.beyond) return false;
  if (loop.declared > 0) {
    scope.fail(name.span, fmt::format("the range of `{}` is declared twice", word),
               "remove one of the declarations");
    return false;
  }
  loop.declared = end->expr.constant;
  loop.declaredSpelling = std::move(end->spelling);
  loop.comments = std::exchange(comments, {});
  return !reportRangeHabit(scope);
}

}  // namespace

bool parseRanges(KernelScope& scope, std::vector<std::string> comments) {
  const bool startsLine = scope.cursor.atLineStart();
  const Token word = scope.cursor.take();
  if (!scope.draft.statements.empty()) {
    scope.fail(word.span, "ranges of loops stand before the statements",
               startsLine ? "move this line up, behind the tensors"
                          : "leave it out: the loops of a statement are its indices");
    return false;
  }
  do {
    if (!parseRange(scope, comments)) return false;
  } while (scope.cursor.accept(TokenKind::Comma));
  scope.cursor.accept(TokenKind::Semicolon);
  return true;
}

}  // namespace gridloom::syntax
