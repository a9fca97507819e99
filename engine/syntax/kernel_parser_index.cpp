// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "kernel/check.h"
#include "syntax/kernel_parser_scope.h"
#include "syntax/spelling.h"

namespace gridloom::syntax {

namespace {

using affine::LinearExpr;

constexpr std::string_view kSum = "an index is a sum of loops times constants, plus a constant";
constexpr std::string_view kSplitLoop =
    "use two loops for the one, such as `4 * a + b` for `h`, with `for a in 0..H / 4, b in 0..4`: "
    "then `a` is `h / 4`, and `b` the remainder";
constexpr std::string_view kChoice =
    "choose between elements instead, as in `select(i >= 1, A[i - 1], A[0])`";
constexpr std::string_view kWrap =
    "what wraps around is a choice: `select(i + 1 < N, A[i + 1], A[i + 1 - N])`";

// Operator precedence of a spelling: sums, products, single values.
enum class Binding { Sum, Product, Value };

struct Part {
  LinearExpr expr;
  std::string text;
  Binding binding = Binding::Value;
  std::int64_t around = 0;  ///< IndexValue::around
};

std::string wrapped(const Part& part, Binding least) {
  return part.binding < least ? "(" + part.text + ")" : part.text;
}

bool addScaled(LinearExpr& sum, const LinearExpr& term, std::int64_t factor) {
  sum.coefficients.resize(std::max(sum.coefficients.size(), term.coefficients.size()));
  const auto accumulate = [&](std::int64_t& into, std::int64_t value) {
    std::int64_t product = 0;
    return !__builtin_mul_overflow(value, factor, &product) &&
           !__builtin_add_overflow(into, product, &into);
  };
  bool fits = accumulate(sum.constant, term.constant);
  for (std::size_t d = 0; d < term.coefficients.size(); ++d) {
    fits = fits && accumulate(sum.coefficients[d], term.coefficients[d]);
  }
  return fits;
}

class IndexParser {
 public:
  IndexParser(KernelScope& scope, bool loops, bool wraps)
      : m_scope(scope), m_loops(loops), m_wraps(wraps) {}

  std::optional<IndexValue> run() {
    const Token first = cursor().peek();
    m_first = first.span.begin;
    auto part = parseSum();
    if (!part) return std::nullopt;
    const base::Span span = cursor().spanFrom(first);
    if (!checkSize(part->expr, span)) return std::nullopt;
    return IndexValue{std::move(part->expr), std::move(part->text), span, part->around};
  }

 private:
  TokenCursor& cursor() { return m_scope.cursor; }

  bool checkSize(const LinearExpr& expr, base::Span span) {
    const bool small = std::ranges::all_of(expr.coefficients, [](std::int64_t c) {
      return std::max(c, -c) <= kernel::kMaxCoefficient;
    });
    constexpr std::int64_t kMaxConstant = 2 * kernel::kMaxExtent;
    if (small && expr.constant <= kMaxConstant && expr.constant >= -kMaxConstant) return true;
    m_scope.fail(span, "this value is too large",
                 fmt::format("factors of loops may be up to {}, constants up to {}",
                             kernel::kMaxCoefficient, kMaxConstant));
    return false;
  }

  std::optional<Part> tooLarge(const Token& first) {
    m_scope.fail(cursor().spanFrom(first), "this value does not fit into 64 bits");
    return std::nullopt;
  }

  std::optional<Part> parseSum() {
    const Token first = cursor().peek();
    auto left = parseProduct();
    while (left && (cursor().at(TokenKind::Plus) || cursor().at(TokenKind::Minus))) {
      const bool plus = cursor().take().kind == TokenKind::Plus;
      const auto right = parseProduct();
      if (!right) return std::nullopt;
      if (!addScaled(left->expr, right->expr, plus ? 1 : -1)) return tooLarge(first);
      left->text += (plus ? " + " : " - ") + wrapped(*right, Binding::Product);
      left->binding = Binding::Sum;
    }
    return left;
  }

  std::optional<Part> parseProduct() {
    const Token first = cursor().peek();
    auto left = parseUnary();
    while (left && (cursor().at(TokenKind::Star) || cursor().at(TokenKind::Slash))) {
      if (reportOperatorHabit(m_scope)) return std::nullopt;
      const bool times = cursor().take().kind == TokenKind::Star;
      auto right = parseUnary();
      if (!right) return std::nullopt;
      left = times ? multiply(first, *left, *right) : divide(first, *left, *right);
    }
    return left;
  }

  std::optional<Part> multiply(const Token& first, const Part& left, const Part& right) {
    if (!left.expr.isConstant() && !right.expr.isConstant()) {
      return notAffine(first, "a product of loops", kSum);
    }
    const bool leftConstant = left.expr.isConstant();
    LinearExpr product;
    if (!addScaled(product, leftConstant ? right.expr : left.expr,
                   leftConstant ? left.expr.constant : right.expr.constant)) {
      return tooLarge(first);
    }
    return Part{std::move(product),
                wrapped(left, Binding::Product) + " * " + wrapped(right, Binding::Value),
                Binding::Product};
  }

  std::optional<Part> divide(const Token& first, const Part& left, const Part& right) {
    if (!left.expr.isConstant()) {
      auto quotient = quotientOf(first, left, right);
      if (quotient) {
        quotient->text = fmt::format("{} / {}", left.text, wrapped(right, Binding::Value));
        quotient->binding = Binding::Product;
      }
      return quotient;
    }
    if (!right.expr.isConstant()) return notAffine(first, "a quotient of loops", kSplitLoop);
    const std::int64_t a = left.expr.constant;
    const std::int64_t b = right.expr.constant;
    if (b <= 0 || a % b != 0) {
      m_scope.fail(cursor().spanFrom(first),
                   b <= 0 ? fmt::format("division by {}", b)
                          : fmt::format("{} / {} is not a whole number", a, b),
                   "sizes and indices are whole: change the parameters");
      return std::nullopt;
    }
    return Part{LinearExpr::number(a / b),
                wrapped(left, Binding::Product) + " / " + wrapped(right, Binding::Value),
                Binding::Product};
  }

  // A loop over a constant: a loop of its own, until the kernel is checked.
  std::optional<Part> quotientOf(const Token& first, const Part& left, const Part& right) {
    const auto isLoop = [&](std::size_t l) { return left.expr == LinearExpr::dim(l); };
    std::size_t loop = 0;
    while (loop < left.expr.coefficients.size() && !isLoop(loop)) ++loop;
    if (loop == left.expr.coefficients.size() || !right.expr.isConstant()) {
      return notAffine(first, "a quotient of this kind", kSplitLoop);
    }
    const base::Span span = cursor().spanFrom(first);
    const std::int64_t divisor = right.expr.constant;
    if (divisor <= 0 || divisor > kernel::kMaxCoefficient) {
      m_scope.fail(span, fmt::format("division by {}", divisor),
                   fmt::format("divide by a number from 1 to {}", kernel::kMaxCoefficient));
      return std::nullopt;
    }
    if (divisor == 1) return left;
    const kernel::LoopId quotient = m_scope.quotientNamed(kernel::LoopId::of(loop), divisor, span);
    return Part{LinearExpr::dim(quotient.index()), {}, Binding::Value};
  }

  // `div(h, 4)` or `mod(h, 4)`, behind the name.
  std::optional<Part> parseDivision(const Token& first, bool remainder) {
    cursor().take();
    const auto left = parseSum();
    if (!left || !cursor().expect(TokenKind::Comma, "after the loop", m_scope.errors)) {
      return std::nullopt;
    }
    const auto right = parseSum();
    if (!right || !cursor().expect(TokenKind::RParen, "after the divisor", m_scope.errors)) {
      return std::nullopt;
    }
    if (remainder && left->binding == Binding::Sum && !left->expr.isConstant())
      return wrappedAround(first, *left, *right);
    auto quotient = quotientOf(first, *left, *right);
    if (!quotient) return std::nullopt;
    Part part{left->expr,
              fmt::format("{}({}, {})", remainder ? "mod" : "div", left->text, right->text),
              Binding::Value};
    if (!remainder)
      part.expr = quotient->expr;
    else if (!addScaled(part.expr, quotient->expr, -right->expr.constant))
      return tooLarge(first);
    return part;
  }

  // `mod(i - 1, N)` as a whole index: near N or 0 it is the element at the other end.
  std::optional<Part> wrappedAround(const Token& first, const Part& sum, const Part& size) {
    const bool isWhole = m_wraps && first.span.begin == m_first &&
                         (cursor().at(TokenKind::Comma) || cursor().at(TokenKind::RBracket));
    const std::int64_t around = size.expr.isConstant() ? size.expr.constant : 0;
    if (!isWhole || around <= 0) return notAffine(first, "a remainder of a sum", kWrap);
    Part part = sum;
    part.text = fmt::format("mod({}, {})", sum.text, size.text);
    part.binding = Binding::Value;
    part.around = around;
    part.expr.constant %= around;
    if (part.expr.constant > around / 2) part.expr.constant -= around;
    if (part.expr.constant < -((around - 1) / 2)) part.expr.constant += around;
    // Half of the size is as far either way: a window, `i + r - 1`, begins before its element.
    const auto& factors = part.expr.coefficients;
    const bool isWindow = std::ranges::count_if(factors, [](auto c) { return c > 0; }) > 1 &&
                          std::ranges::none_of(factors, [](auto c) { return c < 0; });
    if (isWindow && part.expr.constant == around - around / 2) part.expr.constant -= around;
    return part;
  }

  std::optional<Part> notAffine(const Token& first, std::string_view what, std::string_view hint) {
    m_scope.fail(cursor().spanFrom(first), fmt::format("{} is not affine", what),
                 std::string(hint));
    return std::nullopt;
  }

  std::optional<Part> parseUnary() {
    if (++m_parts > kMaxIndexParts) {
      m_scope.fail(cursor().peek().span, "this is too long",
                   fmt::format("at most {} loops, numbers and parameters", kMaxIndexParts));
      return std::nullopt;
    }
    if (++m_scope.nesting > kMaxNesting) {
      m_scope.fail(cursor().peek().span, "this is nested too deeply",
                   fmt::format("at most {} levels", kMaxNesting));
      return std::nullopt;
    }
    auto part = parseUnaryInside();
    --m_scope.nesting;
    return part;
  }

  std::optional<Part> parseUnaryInside() {
    const Token first = cursor().peek();
    if (cursor().accept(TokenKind::Minus)) {
      auto part = parseUnary();
      if (!part) return std::nullopt;
      LinearExpr negated;
      if (!addScaled(negated, part->expr, -1)) return tooLarge(first);
      return Part{std::move(negated), "-" + wrapped(*part, Binding::Value), Binding::Product};
    }
    if (cursor().accept(TokenKind::LParen)) {
      auto part = parseSum();
      if (!part || !cursor().expect(TokenKind::RParen, "after the expression", m_scope.errors)) {
        return std::nullopt;
      }
      return part;
    }
    if (cursor().at(TokenKind::Integer)) {
      const std::int64_t value = cursor().take().integer;
      return Part{LinearExpr::number(value), std::to_string(value), Binding::Value};
    }
    if (cursor().at(TokenKind::Ident)) return parseName();
    if (!m_loops && cursor().at(TokenKind::Float)) {
      m_scope.fail(cursor().peek().span, "a size is a whole number",
                   "write other numbers in the statements, or pass them in a `tensor s[1]: f32`");
      return std::nullopt;
    }
    cursor().reportExpected(m_loops ? "an index" : "a size", m_scope.errors,
                            m_loops && cursor().at(TokenKind::Colon)
                                ? "a statement names elements: a loop stands for all of a "
                                  "dimension, as `j` in `A[i, j]`"
                            : m_loops ? "such as `i`, `i + 1` or `2 * p + r`"
                                      : "a whole number, or an expression of earlier parameters");
    return std::nullopt;
  }

  std::optional<Part> parseName() {
    const Token token = cursor().take();
    const std::string name(cursor().textOf(token));
    if (const kernel::Parameter* parameter = m_scope.parameterNamed(name)) {
      return Part{LinearExpr::number(parameter->value), name, Binding::Value};
    }
    if (!m_loops) {
      std::vector<std::string_view> known;
      for (const kernel::Parameter& p : m_scope.draft.parameters) known.push_back(p.name);
      m_scope.fail(token.span, fmt::format("unknown parameter `{}`", name),
                   spellingHint(name, known));
      return std::nullopt;
    }
    if (cursor().at(TokenKind::LBracket) || m_scope.tensorNamed(name)) {
      m_scope.fail(token.span, fmt::format("tensor `{}` cannot be part of an index", name),
                   fmt::format("an index is a sum of loops times constants, plus a constant, or "
                               "one element of an integer tensor alone, as in `E[idx[t], d]`: "
                               "choose among all elements, as in `sum(q) select(q == i - {}[j], "
                               "A[q], 0)`",
                               name));
      return std::nullopt;
    }
    if ((name == "div" || name == "mod") && cursor().at(TokenKind::LParen)) {
      return parseDivision(token, name == "mod");
    }
    if (cursor().at(TokenKind::LParen)) {
      const bool chooses = name == "max" || name == "min" || name == "select";
      m_scope.fail(token.span, fmt::format("an index cannot apply `{}`", name),
                   std::string(chooses ? kChoice : kSum));
      return std::nullopt;
    }
    if (isReserved(name)) {
      m_scope.fail(token.span, fmt::format("`{}` is a word of the language, not a loop", name),
                   "rename the loop");
      return std::nullopt;
    }
    const kernel::LoopId loop = m_scope.loopNamed(name, token.span);
    return Part{LinearExpr::dim(loop.index()), name, Binding::Value};
  }

  KernelScope& m_scope;
  bool m_loops;
  bool m_wraps;
  std::size_t m_parts = 0;
  std::uint32_t m_first = 0;  ///< where the value begins
};

}  // namespace

std::optional<IndexValue> parseIndex(KernelScope& scope, bool loops) {
  scope.nesting = 0;
  return IndexParser(scope, loops, false).run();
}

std::optional<IndexValue> parseElementIndex(KernelScope& scope) {
  scope.nesting = 0;
  return IndexParser(scope, true, true).run();
}

}  // namespace gridloom::syntax
