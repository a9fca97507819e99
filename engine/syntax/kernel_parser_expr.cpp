// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "kernel/check.h"
#include "syntax/kernel_parser_scope.h"
#include "syntax/spelling.h"

namespace gridloom::syntax {

namespace {

using kernel::ExprNode;
using kernel::ExprOp;

struct NamedOp {
  std::string_view name;
  ExprOp op;
};

constexpr std::array kFunctions = {
    NamedOp{"exp", ExprOp::Exp},   NamedOp{"log", ExprOp::Log},
    NamedOp{"sqrt", ExprOp::Sqrt}, NamedOp{"rsqrt", ExprOp::Rsqrt},
    NamedOp{"tanh", ExprOp::Tanh}, NamedOp{"sigmoid", ExprOp::Sigmoid},
    NamedOp{"relu", ExprOp::Relu}, NamedOp{"abs", ExprOp::Abs}};
constexpr std::array kReductions = {NamedOp{"sum", ExprOp::Sum}, NamedOp{"max", ExprOp::MaxReduce},
                                    NamedOp{"min", ExprOp::MinReduce}};

template <std::size_t N>
const NamedOp* find(const std::array<NamedOp, N>& ops, std::string_view name) {
  const auto found = std::ranges::find(ops, name, &NamedOp::name);
  return found == ops.end() ? nullptr : &*found;
}

class ExprParser {
 public:
  ExprParser(KernelScope& scope, kernel::Statement& statement)
      : m_scope(scope), m_statement(statement) {}

  bool run() { return parseSum() >= 0; }

 private:
  static constexpr std::int32_t kFailed = -1;
  TokenCursor& cursor() { return m_scope.cursor; }

  std::int32_t fail(base::Span span, std::string message, std::string hint) {
    m_scope.fail(span, std::move(message), std::move(hint));
    return kFailed;
  }

  std::int32_t add(ExprNode node) {
    if (m_statement.expr.size() >= kernel::kMaxExprNodes) {
      return fail(cursor().peek().span,
                  fmt::format("this expression has more than {} operations", kernel::kMaxExprNodes),
                  "split it over several `local` tensors");
    }
    m_statement.expr.push_back(std::move(node));
    return static_cast<std::int32_t>(m_statement.expr.size() - 1);
  }

  std::int32_t addOp(ExprOp op, std::int32_t lhs, std::int32_t rhs = -1) {
    ExprNode node;
    node.op = op;
    node.lhs = lhs;
    node.rhs = rhs;
    return add(std::move(node));
  }

  std::int32_t addConstant(double value, std::string spelling = {}) {
    ExprNode node;
    node.constant = value;
    node.spelling = std::move(spelling);
    return add(std::move(node));
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
      const ExprOp op = cursor().take().kind == TokenKind::Star ? ExprOp::Mul : ExprOp::Div;
      const std::int32_t right = parseUnary();
      left = right < 0 ? kFailed : addOp(op, left, right);
    }
    return left;
  }

  std::int32_t parseUnary() {
    if (++m_scope.nesting > kMaxNesting) {
      return fail(
          cursor().peek().span, "this expression is nested too deeply",
          fmt::format("at most {} levels: split it over several `local` tensors", kMaxNesting));
    }
    const std::int32_t node =
        cursor().accept(TokenKind::Minus) ? negated(parseUnary()) : parsePrimary();
    --m_scope.nesting;
    return node;
  }

  std::int32_t negated(std::int32_t operand) {
    if (operand < 0) return kFailed;
    ExprNode& node = m_statement.expr[static_cast<std::size_t>(operand)];
    if (node.op == ExprOp::Constant && node.spelling.empty()) {
      node.constant = -node.constant;
      return operand;
    }
    return addOp(ExprOp::Neg, operand);
  }

  std::int32_t parsePrimary() {
    if (cursor().at(TokenKind::Integer) || cursor().at(TokenKind::Float)) {
      return addConstant(cursor().take().number);
    }
    if (cursor().accept(TokenKind::LParen)) {
      const std::int32_t inner = parseSum();
      return inner >= 0 && closeParen() ? inner : kFailed;
    }
    if (cursor().at(TokenKind::Ident)) return parseName();
    cursor().reportExpected("a value", m_scope.errors,
                            "such as a number, `A[i, k]`, `exp(...)` or `sum(k) ...`");
    return kFailed;
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
    return unknownValue(token, name);
  }

  std::int32_t unknownValue(const Token& token, const std::string& name) {
    if (m_scope.tensorNamed(name)) {
      return fail(token.span, fmt::format("tensor `{}` needs its indices", name),
                  fmt::format("write `{}[...]`", name));
    }
    if (std::ranges::find(m_scope.draft.loops, name, &kernel::Loop::name) !=
        m_scope.draft.loops.end()) {
      return fail(token.span, fmt::format("loop `{}` cannot be a value", name),
                  "loops may stand in indices and in `where`");
    }
    std::vector<std::string_view> known;
    for (const kernel::Parameter& p : m_scope.draft.parameters) known.push_back(p.name);
    for (const kernel::Tensor& t : m_scope.draft.tensors) known.push_back(t.name);
    return fail(token.span, fmt::format("unknown name `{}`", name), spellingHint(name, known));
  }

  std::int32_t parseRead(const Token& token) {
    auto access = parseAccess(m_scope, token);
    if (!access) return kFailed;
    if (!m_scope.hasRoom(m_scope.reads++, kernel::kMaxReads, "reads", token.span)) return kFailed;
    ExprNode node;
    node.op = ExprOp::Read;
    node.read = static_cast<std::int32_t>(m_statement.reads.size());
    m_statement.reads.push_back(std::move(*access));
    return add(std::move(node));
  }

  // Whether only names that are no parameters follow inside `( )`. These are loops, so it is a
  // reduction.
  bool atLoopList() const {
    const TokenCursor& at = m_scope.cursor;
    for (std::size_t ahead = 1;; ahead += 2) {
      const Token& name = at.peek(ahead);
      const TokenKind after = at.peek(ahead + 1).kind;
      if (name.kind != TokenKind::Ident || m_scope.parameterNamed(at.textOf(name)) != nullptr ||
          at.textOf(name) == "inf") {
        return false;
      }
      if (after == TokenKind::RParen) return true;
      if (after != TokenKind::Comma) return false;
    }
  }

  std::int32_t parseCall(const Token& token, const std::string& name) {
    const NamedOp* reduction = find(kReductions, name);
    if (reduction != nullptr && (name == "sum" || atLoopList())) {
      return parseReduction(reduction->op);
    }
    cursor().take();
    if (const NamedOp* function = find(kFunctions, name)) {
      const std::int32_t argument = parseSum();
      return argument >= 0 && closeParen() ? addOp(function->op, argument) : kFailed;
    }
    if (reduction != nullptr) {
      return parseChoice(reduction->op == ExprOp::MaxReduce ? ExprOp::Max : ExprOp::Min);
    }
    std::vector<std::string_view> known;
    for (const NamedOp& f : kFunctions) known.push_back(f.name);
    for (const NamedOp& r : kReductions) known.push_back(r.name);
    return fail(token.span, fmt::format("unknown function `{}`", name), spellingHint(name, known));
  }

  std::int32_t parseChoice(ExprOp op) {
    std::int32_t left = parseSum();
    if (left < 0 || !cursor().expect(TokenKind::Comma, "and a second value", m_scope.errors)) {
      return kFailed;
    }
    do {
      const std::int32_t right = parseSum();
      if (right < 0) return kFailed;
      left = addOp(op, left, right);
    } while (left >= 0 && cursor().accept(TokenKind::Comma));
    return left >= 0 && closeParen() ? left : kFailed;
  }

  std::int32_t parseReduction(ExprOp op) {
    cursor().take();
    std::vector<kernel::LoopId> loops;
    do {
      if (!parseReductionLoop(loops)) return kFailed;
    } while (cursor().accept(TokenKind::Comma));
    if (!closeParen()) return kFailed;
    const std::int32_t body = parseProduct();
    if (body < 0) return kFailed;
    ExprNode node;
    node.op = op;
    node.lhs = body;
    node.loops = std::move(loops);
    return add(std::move(node));
  }

  bool parseReductionLoop(std::vector<kernel::LoopId>& loops) {
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

  KernelScope& m_scope;
  kernel::Statement& m_statement;
};

}  // namespace

bool parseExpression(KernelScope& scope, kernel::Statement& statement) {
  scope.nesting = 0;
  return ExprParser(scope, statement).run();
}

}  // namespace gridloom::syntax
