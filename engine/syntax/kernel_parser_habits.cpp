// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

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
    Habit{"avg", "write `(sum(k) A[i, k]) / K`"},
    Habit{"dot", "write `sum(k) a[k] * b[k]`"},
    Habit{"matmul", "write `sum(k) A[i, k] * B[k, j]`"},
    Habit{"softmax", "write `m[i] = max(j) s[i, j]`, `p[i, j] = exp(s[i, j] - m[i])` and "
                     "`l[i] = sum(j) p[i, j]` in locals, and read `p[i, j] / l[i]`"},
    Habit{"cumsum", "write state: `c[i] = c[i - 1] + x[i]`, with `local c[N]: f32 = 0`"},
    Habit{"sort", "count what is in front: `r[i] = sum(j) select(x[j] < x[i], 1, 0)`"},
    Habit{"topk", "count what is larger, `r[i] = sum(j) select(x[j] > x[i], 1, 0)`, and keep "
                  "`r[i] < K`"},
    Habit{"log1p", "write `log(1 + x)`"},
    Habit{"expm1", "write `exp(x) - 1`"},
    Habit{"hypot", "write `sqrt(x * x + y * y)`"},
    Habit{"float", "leave it out: values are real numbers"},
    Habit{"cast", "leave it out: values are real numbers"},
};

constexpr std::array kValueHabits = {
    Habit{"pi", "write 3.141592653589793"},
    Habit{"PI", "write 3.141592653589793"},
    Habit{"true", "write 1"},
    Habit{"True", "write 1"},
    Habit{"false", "write 0"},
    Habit{"False", "write 0"},
    Habit{"infinity", "write `inf`"},
    Habit{"INFINITY", "write `inf`"},
    Habit{"if", "write `select(condition, a, b)`"},
};

constexpr std::string_view kCondition =
    "a condition is `select(condition, a, b)` in the expression, or a `where` behind it";
constexpr std::string_view kLocal =
    "declare a `local`, `local t[N]: f32`, and write `t[i] = expression`";
constexpr std::string_view kTensor =
    "declare it with `tensor`; a tensor that a statement assigns is an output";

constexpr std::array kStatementHabits = {
    Habit{"if", kCondition},
    Habit{"while", kCondition},
    Habit{"else", kCondition},
    Habit{"let", kLocal},
    Habit{"var", kLocal},
    Habit{"const", kLocal},
    Habit{"float", kLocal},
    Habit{"int", kLocal},
    Habit{"double", kLocal},
    Habit{"input", kTensor},
    Habit{"output", kTensor},
    Habit{"param", kTensor},
    Habit{"return", "an output is a `tensor` that a statement assigns"},
};

template <class Habits> std::string habitOf(const Habits& habits, std::string_view name) {
  const auto found = std::ranges::find(habits, name, &Habit::word);
  return found == habits.end() ? "" : std::string(found->instead);
}

bool compares(TokenKind kind) {
  return kind == TokenKind::Less || kind == TokenKind::LessEqual || kind == TokenKind::Greater ||
         kind == TokenKind::GreaterEqual || kind == TokenKind::EqualEqual ||
         kind == TokenKind::NotEqual;
}

bool fail(KernelScope& scope, std::size_t tokens, std::string_view shown, std::string hint) {
  const Token first = scope.cursor.peek();
  for (std::size_t t = 0; t < tokens; ++t) scope.cursor.take();
  scope.fail(scope.cursor.spanFrom(first), fmt::format("`{}` is not an operator here", shown),
             std::move(hint));
  return true;
}

}  // namespace

std::string functionHabit(std::string_view name) { return habitOf(kFunctionHabits, name); }

std::string valueHabit(std::string_view name) {
  for (const std::string_view reduction : {"sum", "prod", "max", "min"}) {
    if (name.starts_with(reduction) && name.substr(reduction.size()).starts_with('_') &&
        name.size() > reduction.size() + 1) {
      return fmt::format("a reduction names its loops in brackets: `{}({})`", reduction,
                         name.substr(reduction.size() + 1));
    }
  }
  return habitOf(kValueHabits, name);
}

std::string elementsOf(const kernel::Tensor& tensor) {
  if (tensor.shape == std::vector<std::int64_t>{1}) return tensor.name + "[0]";
  constexpr std::array<std::string_view, 6> loops{"i", "j", "k", "l", "m", "n"};
  if (tensor.shape.size() > loops.size()) return tensor.name + "[...]";
  return fmt::format("{}[{}]", tensor.name,
                     fmt::join(loops.begin(), loops.begin() + tensor.shape.size(), ", "));
}

std::string statementHabit(const KernelScope& scope, std::string_view word) {
  const TokenCursor& cursor = scope.cursor;
  if (kernel::dtypeNamed(word)) {
    return fmt::format("the type stands behind the shape: `tensor A[N]: {}`", word);
  }
  std::string hint = habitOf(kStatementHabits, word);
  if (hint.empty() && cursor.at(TokenKind::Equal)) {
    const auto tensor = scope.tensorNamed(word);
    if (tensor) {
      return fmt::format("a statement names elements: `{} = expression`",
                         elementsOf(scope.draft.tensor(*tensor)));
    }
    hint = fmt::format("a statement names elements: `{}[i] = expression`; one number is an element "
                       "of a tensor of one, `{}[0]`",
                       word, word);
  }
  return hint.empty() ? "a statement is `tensor[indices] = expression`" : hint;
}

bool reportReductionHabit(KernelScope& scope) {
  const TokenCursor& cursor = scope.cursor;
  const Token next = cursor.peek();
  std::string_view hint;
  if (cursor.atWord("in")) {
    hint = "declare the range before the statements, on a line of its own: `for k in 0..K`";
  } else if (compares(next.kind) || next.kind == TokenKind::Equal) {
    hint = "limit it behind the statement, as in `sum(j) A[i, j]  where j <= i`";
  } else if (cursor.at(TokenKind::Ident) && cursor.peek(1).kind == TokenKind::LBracket) {
    hint = "its operand stands behind them, as in `sum(j) A[i, j]`";
  }
  if (hint.empty()) return false;
  scope.fail(next.span, "a reduction lists its loops", std::string(hint));
  return true;
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
  const bool isArrow = first.kind == TokenKind::Less && cursor.peek(1).kind == TokenKind::Minus;
  if (isArrow || (first.kind == TokenKind::Colon && cursor.peek(1).kind == TokenKind::Equal)) {
    cursor.take();
    cursor.take();
    scope.fail(cursor.spanFrom(first), fmt::format("`{}` does not define", isArrow ? "<-" : ":="),
               fmt::format("write `{} = ...`", left));
    return true;
  }
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
