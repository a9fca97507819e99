// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "syntax/kernel_parser_scope.h"

namespace gridloom::syntax {

namespace {

struct Habit {
  std::string_view word;
  std::string_view instead;
};

constexpr std::array kFunctionHabits = {
    Habit{"gelu", "write `0.5 * x * (1 + erf(x / sqrt(2)))`"},
    Habit{"silu", "write `x * sigmoid(x)`"},
    Habit{"swish", "write `x * sigmoid(x)`"},
    Habit{"softplus", "write `log(1 + exp(x))`"},
    Habit{"where", "write `select(condition, a, b)`"},
    Habit{"if", "write `select(condition, a, b)`"},
    Habit{"clamp", "write `min(max(x, low), high)`"},
    Habit{"clip", "write `min(max(x, low), high)`"},
    Habit{"round", "write `floor(x + 0.5)`"},
    Habit{"trunc", "write `select(x < 0, ceil(x), floor(x))`"},
    Habit{"int", "write `select(x < 0, ceil(x), floor(x))`"},
    Habit{"sign", "write `(x > 0) - (x < 0)`"},
    Habit{"square", "write `x * x`"},
    Habit{"fabs", "write `abs(x)`"},
    Habit{"power", "write `pow(x, y)`"},
    Habit{"expf", "write `exp(x)`"},
    Habit{"exp10", "write `pow(10, x)`"},
    Habit{"log2", "write `log(x) / log(2)`"},
    Habit{"log10", "write `log(x) / log(10)`"},
    Habit{"tan", "write `sin(x) / cos(x)`"},
    Habit{"sinh", "write `(exp(x) - exp(-x)) / 2`"},
    Habit{"cosh", "write `(exp(x) + exp(-x)) / 2`"},
    Habit{"erfc", "write `1 - erf(x)`"},
    Habit{"fmod", "write `mod(a, b)`, whose result has the sign of b"},
    Habit{"floordiv", "write `div(a, b)`"},
    Habit{"ceildiv", "write `div(a + b - 1, b)`"},
    Habit{"reciprocal", "write `1 / x`"},
    Habit{"leaky_relu", "write `select(x > 0, x, 0.01 * x)`"},
    Habit{"maximum", "write `max(a, b)`"},
    Habit{"minimum", "write `min(a, b)`"},
    Habit{"product", "write `prod(k) A[i, k]`"},
    Habit{"mean", "write `(sum(k) A[i, k]) / K`"},
};

bool fail(KernelScope& scope, std::size_t tokens, std::string_view shown, std::string hint) {
  const Token first = scope.cursor.peek();
  for (std::size_t t = 0; t < tokens; ++t) scope.cursor.take();
  scope.fail(scope.cursor.spanFrom(first), fmt::format("`{}` is not an operator here", shown),
             std::move(hint));
  return true;
}

}  // namespace

std::string functionHabit(std::string_view name) {
  const auto found = std::ranges::find(kFunctionHabits, name, &Habit::word);
  return found == kFunctionHabits.end() ? "" : std::string(found->instead);
}

bool reportOperatorHabit(KernelScope& scope) {
  TokenCursor& cursor = scope.cursor;
  const TokenKind next = cursor.peek(1).kind;
  switch (cursor.peek().kind) {
  case TokenKind::Star:
    return next == TokenKind::Star && fail(scope, 2, "**", "write `pow(a, b)`");
  case TokenKind::Caret:
    return fail(scope, 1, "^", "a power is `pow(a, b)`");
  case TokenKind::Percent:
  case TokenKind::PercentIdent:
    return fail(scope, 1, "%", "the remainder is `mod(a, b)`");
  case TokenKind::Question:
    return fail(scope, 1, "?", "write `select(condition, a, b)`");
  case TokenKind::Ampersand:
    return fail(scope, next == TokenKind::Ampersand ? 2 : 1,
                next == TokenKind::Ampersand ? "&&" : "&", "write `a and b`");
  case TokenKind::Bar:
    return fail(scope, next == TokenKind::Bar ? 2 : 1, next == TokenKind::Bar ? "||" : "|",
                "write `a or b`");
  case TokenKind::Bang:
    return fail(scope, 1, "!", "write `not a`");
  case TokenKind::Equal:
    return fail(scope, 1, "=", "a comparison is `a == b`");
  default:
    return (cursor.atWord("if") || cursor.atWord("else")) && !cursor.atLineStart() &&
           fail(scope, 1, cursor.textOf(cursor.peek()), "write `select(condition, a, b)`");
  }
}

bool reportAssignmentHabit(KernelScope& scope, const kernel::Access& target) {
  TokenCursor& cursor = scope.cursor;
  const Token first = cursor.peek();
  const std::string sign(cursor.textOf(first));
  const std::string left = toString(scope.draft, target);
  if (first.kind == TokenKind::EqualEqual) {
    scope.fail(first.span, "`==` compares", fmt::format("write `{} = ...`", left));
    return true;
  }
  const bool updates = (sign == "+" || sign == "-" || sign == "*" || sign == "/") &&
                       cursor.peek(1).kind == TokenKind::Equal;
  if (!updates) return false;
  cursor.take();
  cursor.take();
  const std::string_view reduction = sign == "*" || sign == "/" ? "prod" : "sum";
  scope.fail(cursor.spanFrom(first),
             fmt::format("`{}=` updates, but an element is defined once", sign),
             fmt::format("write the whole value: `{} = {}(k) ...` over the loop k of the update",
                         left, reduction));
  return true;
}

}  // namespace gridloom::syntax
