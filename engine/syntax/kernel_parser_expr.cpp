// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "kernel/check.h"
#include "syntax/kernel_parser_nodes.h"
#include "syntax/spelling.h"

namespace gridloom::syntax {

namespace {

using kernel::ExprNode;
using kernel::ExprOp;

using kernel::ExprForm;

std::vector<std::string_view> knownFunctions() {
  std::vector<std::string_view> words;
  for (int op = 0; op <= static_cast<int>(ExprOp::ProdReduce); ++op) {
    const kernel::ExprInfo& info = kernel::infoOf(static_cast<ExprOp>(op));
    const bool called = info.form == ExprForm::Function || info.form == ExprForm::Reduction;
    if (called && std::ranges::find(words, info.word) == words.end()) words.push_back(info.word);
  }
  return words;
}

class ExprParser : private ExprNodes {
 public:
  ExprParser(KernelScope& scope, kernel::Statement& statement) : ExprNodes(scope, statement) {}

  bool run() {
    m_inScope = kernel::loopsOf(m_statement.target);
    return parseValue() >= 0;
  }

 private:
  bool isHabit() { return reportOperatorHabit(m_scope); }

  // `a or b`, below `a and b`, below `not a`, below comparisons, below sums.
  std::int32_t parseValue() {
    std::int32_t left = parseAnd();
    while (left >= 0 && cursor().acceptWord("or")) {
      const std::int32_t right = parseAnd();
      left = right < 0 ? kFailed : addOp(ExprOp::Or, left, right);
    }
    return left < 0 || isHabit() ? kFailed : left;
  }

  std::int32_t parseAnd() {
    std::int32_t left = parseComparison();
    while (left >= 0 && cursor().acceptWord("and")) {
      const std::int32_t right = parseComparison();
      left = right < 0 ? kFailed : addOp(ExprOp::And, left, right);
    }
    return left;
  }

  std::optional<ExprOp> comparison() {
    const TokenKind kind = cursor().peek().kind;
    const bool compares = kind == TokenKind::Less || kind == TokenKind::LessEqual ||
                          kind == TokenKind::Greater || kind == TokenKind::GreaterEqual ||
                          kind == TokenKind::EqualEqual || kind == TokenKind::NotEqual;
    if (!compares) return std::nullopt;
    return kernel::exprOpNamed(cursor().textOf(cursor().peek()), ExprForm::Infix);
  }

  std::int32_t parseComparison() {
    if (cursor().acceptWord("not")) return parseNot();
    const std::int32_t left = parseSum();
    const auto op = left < 0 ? std::nullopt : comparison();
    if (!op) return left;
    const std::optional<BareReduction> reduction =
        m_bare && m_bare->end == cursor().position() ? m_bare : std::nullopt;
    const Token sign = cursor().take();
    const Token& first = cursor().peek();
    const std::int32_t right = parseSum();
    if (right < 0) return kFailed;
    if (reduction) warnOfCompared(*reduction, sign, cursor().spanFrom(first));
    if (comparison()) {
      return fail(cursor().peek().span, "comparisons do not chain",
                  "compare twice: `0 <= i and i < n`");
    }
    return addOp(*op, left, right);
  }

  /// A reduction, from its name to the end of what it reduces, without parentheses around it.
  struct BareReduction {
    base::Span all;
    base::Span name;  ///< `sum(n)`
    base::Span body;
    std::size_t end = 0;  ///< the place of the next token
  };

  // `sum(n) x[n] > 1` is `(sum(n) x[n]) > 1`, which some do not mean.
  void warnOfCompared(const BareReduction& reduction, const Token& sign, base::Span right) {
    const TokenText& text = cursor().text();
    m_scope.warnings.push_back(base::warningAt(
        text.source, {reduction.all.begin, right.end},
        fmt::format("the result of `{}` is compared: what it reduces ends before `{}`",
                    text.textOf(reduction.name), text.textOf(sign)),
        fmt::format("write `({0}) {1} {2}` where that is meant, or `{3} ({4} {1} {2})`",
                    text.textOf(reduction.all), text.textOf(sign), text.textOf(right),
                    text.textOf(reduction.name), text.textOf(reduction.body))));
  }

  std::int32_t parseNot() {
    if (!enter()) return kFailed;
    const std::int32_t operand = parseComparison();
    --m_scope.nesting;
    return operand < 0 ? kFailed : addOp(ExprOp::Not, operand);
  }

  std::int32_t parseSum() {
    std::int32_t left = parseProduct();
    while (left >= 0 && (cursor().at(TokenKind::Plus) || cursor().at(TokenKind::Minus))) {
      const ExprOp op = cursor().take().kind == TokenKind::Plus ? ExprOp::Add : ExprOp::Sub;
      const std::int32_t right = parseProduct();
      left = right < 0 ? kFailed : addOp(op, left, right);
    }
    return left;
  }

  std::int32_t parseProduct() {
    std::int32_t left = parseUnary();
    while (left >= 0 && (cursor().at(TokenKind::Star) || cursor().at(TokenKind::Slash))) {
      if (isHabit()) return kFailed;
      const ExprOp op = cursor().take().kind == TokenKind::Star ? ExprOp::Mul : ExprOp::Div;
      const std::int32_t right = parseUnary();
      left = right < 0 ? kFailed : addOp(op, left, right);
    }
    return left;
  }

  bool enter() {
    if (++m_scope.nesting <= kMaxNesting) return true;
    fail(cursor().peek().span, "this expression is nested too deeply",
         fmt::format("at most {} levels: split it over several `local` tensors", kMaxNesting));
    return false;
  }

  std::int32_t parseUnary() {
    if (!enter()) return kFailed;
    const std::int32_t node =
        cursor().accept(TokenKind::Minus) ? negated(parseUnary()) : parsePrimary();
    --m_scope.nesting;
    return node;
  }

  std::int32_t parsePrimary() {
    if (cursor().at(TokenKind::Integer) || cursor().at(TokenKind::Float)) {
      const Token number = cursor().take();
      return endsHere(number) ? addConstant(number.number) : kFailed;
    }
    if (cursor().accept(TokenKind::LParen)) {
      const std::int32_t inner = parseValue();
      return inner >= 0 && closeParen() ? inner : kFailed;
    }
    if (cursor().at(TokenKind::Ident)) return parseName();
    if (cursor().at(TokenKind::Bar)) {
      return fail(cursor().take().span, "`|` does not begin a value", "write `abs(x)`");
    }
    if (isHabit()) return kFailed;
    cursor().reportExpected("a value", m_scope.errors,
                            "such as a number, `A[i, k]`, `exp(...)` or `sum(k) ...`");
    return kFailed;
  }

  // A name right behind a number: a suffix, or a product without its sign.
  bool endsHere(const Token& number) {
    const Token next = cursor().peek();
    if (next.kind != TokenKind::Ident || next.span.begin != number.span.end) return true;
    fail({number.span.begin, next.span.end},
         fmt::format("a number has no suffix `{}`", cursor().textOf(next)),
         fmt::format("write `{}`; a product is `a * b`", cursor().textOf(number)));
    return false;
  }

  bool closeParen() { return cursor().expect(TokenKind::RParen, "", m_scope.errors); }

  std::int32_t parseName() {
    const Token token = cursor().take();
    const std::string name(cursor().textOf(token));
    if (cursor().at(TokenKind::LBracket)) return parseRead(token);
    if (cursor().at(TokenKind::LParen)) return parseCall(token, name);
    if (name == "inf") return addConstant(std::numeric_limits<double>::infinity());
    if (name == "nan" || name == "NaN") {
      return fail(token.span, "NaN is not a value here", "use a number, `inf` or `-inf`");
    }
    if (const kernel::Parameter* parameter = m_scope.parameterNamed(name)) {
      return addConstant(static_cast<double>(parameter->value), name);
    }
    const auto& loops = m_scope.draft.loops;
    const auto loop = std::ranges::find(loops, name, &kernel::Loop::name);
    if (loop != loops.end()) return addIndex(static_cast<std::size_t>(loop - loops.begin()));
    return unknownValue(token, name);
  }

  std::int32_t unknownValue(const Token& token, const std::string& name) {
    if (const auto tensor = m_scope.tensorNamed(name)) {
      const std::string elements = elementsOf(m_scope.draft.tensor(*tensor));
      return fail(
          token.span, fmt::format("tensor `{}` needs its indices", name),
          cursor().at(TokenKind::Dot)
              ? fmt::format("a tensor has no members: `{}` reads an element, and indices in "
                            "another order transpose it",
                            elements)
              : fmt::format("write `{}`", elements));
    }
    std::vector<std::string_view> known;
    for (const kernel::Parameter& p : m_scope.draft.parameters) known.push_back(p.name);
    for (const kernel::Tensor& t : m_scope.draft.tensors) known.push_back(t.name);
    std::string hint = valueHabit(name);
    if (hint.empty()) hint = spellingHint(name, known);
    return fail(token.span, fmt::format("unknown name `{}`", name), std::move(hint));
  }

  std::int32_t parseRead(const Token& token) {
    auto access = parseAccess(m_scope, token);
    if (!access) return kFailed;
    if (!m_scope.wrapped.empty()) return addWrapped(*std::move(access), token.span);
    return addRead(std::move(*access), token.span);
  }

  bool isInScope(std::string_view name) const {
    return std::ranges::any_of(
        m_inScope, [&](kernel::LoopId loop) { return m_scope.draft.loop(loop).name == name; });
  }

  // Whether only names follow inside `( )` that are loops to reduce over: no parameters, and not
  // several loops that have a value here.
  bool atLoopList() const {
    const TokenCursor& at = m_scope.cursor;
    bool fresh = false;
    for (std::size_t ahead = 1;; ahead += 2) {
      const Token& name = at.peek(ahead);
      const TokenKind after = at.peek(ahead + 1).kind;
      if (name.kind != TokenKind::Ident || m_scope.parameterNamed(at.textOf(name)) != nullptr ||
          at.textOf(name) == "inf") {
        return false;
      }
      fresh = fresh || !isInScope(at.textOf(name));
      if (after == TokenKind::RParen) return fresh || ahead == 1;
      if (after != TokenKind::Comma) return false;
    }
  }

  std::int32_t parseCall(const Token& token, const std::string& name) {
    if (name == "argmax" || name == "argmin") {
      m_scope.argReduction = token.span;
      return parseReduction(token, name == "argmax" ? ExprOp::MaxReduce : ExprOp::MinReduce);
    }
    const auto reduction = kernel::exprOpNamed(name, ExprForm::Reduction);
    const auto function = kernel::exprOpNamed(name, ExprForm::Function);
    if (reduction && (!function || atLoopList())) return parseReduction(token, *reduction);
    cursor().take();
    if (!function) {
      std::string hint = functionHabit(name);
      if (hint.empty()) hint = spellingHint(name, knownFunctions());
      return fail(token.span, fmt::format("unknown function `{}`", name), std::move(hint));
    }
    if (*function == ExprOp::Max || *function == ExprOp::Min) return parseChoice(*function);
    return parseArguments(*function);
  }

  std::int32_t parseArguments(ExprOp op) {
    std::array<std::int32_t, 3> arguments{-1, -1, -1};
    const int count = kernel::infoOf(op).operands;
    for (int a = 0; a < count; ++a) {
      const std::string what = fmt::format("and argument {} of {}", a + 1, count);
      if (a > 0 && !cursor().expect(TokenKind::Comma, what, m_scope.errors)) return kFailed;
      arguments[static_cast<std::size_t>(a)] = parseValue();
      if (arguments[static_cast<std::size_t>(a)] < 0) return kFailed;
    }
    return closeParen() ? addOp(op, arguments[0], arguments[1], arguments[2]) : kFailed;
  }

  std::int32_t parseChoice(ExprOp op) {
    std::int32_t left = parseValue();
    if (left < 0 || !cursor().expect(TokenKind::Comma, "and a second value", m_scope.errors)) {
      return kFailed;
    }
    do {
      const std::int32_t right = parseValue();
      if (right < 0) return kFailed;
      left = addOp(op, left, right);
    } while (left >= 0 && cursor().accept(TokenKind::Comma));
    return left >= 0 && closeParen() ? left : kFailed;
  }

  std::int32_t parseReduction(const Token& name, ExprOp op) {
    cursor().take();
    std::vector<kernel::LoopId> loops;
    do {
      if (!parseReductionLoop(loops)) return kFailed;
    } while (cursor().accept(TokenKind::Comma));
    if (reportReductionHabit(m_scope) || !closeParen()) return kFailed;
    const base::Span head = cursor().spanFrom(name);
    const Token& first = cursor().peek();
    const std::size_t outer = m_inScope.size();
    m_inScope.insert(m_inScope.end(), loops.begin(), loops.end());
    const std::int32_t body = parseProduct();
    m_inScope.resize(outer);
    if (body < 0) return kFailed;
    m_bare = {cursor().spanFrom(name), head, cursor().spanFrom(first), cursor().position()};
    ExprNode node;
    node.op = op;
    node.lhs = body;
    node.loops = std::move(loops);
    return add(std::move(node));
  }

  bool parseReductionLoop(std::vector<kernel::LoopId>& loops) {
    if (reportReductionHabit(m_scope)) return false;
    if (!cursor().at(TokenKind::Ident)) {
      cursor().reportExpected("a loop to reduce over", m_scope.errors, "such as `sum(k) A[i, k]`");
      return false;
    }
    const Token token = cursor().take();
    const std::string name(cursor().textOf(token));
    if (!m_scope.checkNewName(name, token.span, "loop")) return false;
    const kernel::LoopId loop = m_scope.loopNamed(name, token.span);
    if (m_scope.beyond) return false;
    if (kernel::contains(loops, loop)) {
      m_scope.fail(token.span, fmt::format("`{}` is listed twice", name), "remove one of them");
      return false;
    }
    loops.push_back(loop);
    return true;
  }

  std::optional<BareReduction> m_bare;    ///< the last one
  std::vector<kernel::LoopId> m_inScope;  ///< loops of the target, and of the reductions around
};

}  // namespace

bool parseExpression(KernelScope& scope, kernel::Statement& statement) {
  scope.nesting = 0;
  scope.argReduction.reset();
  return ExprParser(scope, statement).run();
}

}  // namespace gridloom::syntax
