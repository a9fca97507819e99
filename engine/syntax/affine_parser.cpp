// SPDX-License-Identifier: Apache-2.0
#include "syntax/affine_parser.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message_limit.h"
#include "syntax/affine_reduction.h"
#include "syntax/spelling.h"

namespace gridloom::syntax {

namespace {

using affine::AffineExpr;
using affine::AffineMap;
using affine::AffineOp;

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxDims = 16;

class AffineParser {
 public:
  AffineParser(TokenCursor& cursor, const AffineConstants& constants, base::Diagnostics& out)
      : m_cursor(cursor), m_constants(constants), m_out(out) {}

  std::optional<std::int64_t> constant() {
    const MaybeExpr expr = parseSum(0);
    if (!expr) return {};
    return expr->nodes[0].value;  // without dimensions, everything folds
  }

  std::optional<AffineMap> set() {
    m_inSet = true;
    if (!m_cursor.acceptWord("affine_set")) return expected("`affine_set<(d0, ...) : (...)>`");
    if (!m_cursor.expect(TokenKind::Less, "after `affine_set`", m_out)) return {};
    if (!parseDims()) return {};
    if (!m_cursor.expect(TokenKind::Colon, "after the dimensions of the set", m_out)) return {};
    if (!m_cursor.expect(TokenKind::LParen, "before the constraints of the set", m_out)) return {};
    AffineMap set;
    set.numDims = static_cast<std::int64_t>(m_dims.size());
    do {
      if (set.results.size() >= kMaxDims)
        return fail(m_cursor.peek().span, "a set of more than 16 constraints", "");
      if (!parseConstraint(set.results)) return {};
    } while (m_cursor.accept(TokenKind::Comma));
    if (!m_cursor.expect(TokenKind::RParen, "behind the constraints of the set", m_out)) return {};
    if (!m_cursor.expect(TokenKind::Greater, "at the end of the set", m_out)) return {};
    return set;
  }

  std::optional<AffineMap> run() {
    const Token first = m_cursor.peek();
    if (!m_cursor.acceptWord("affine_map")) return expected("`affine_map<(d0, ...) -> (...)>`");
    if (!m_cursor.expect(TokenKind::Less, "after `affine_map`", m_out)) return {};
    if (!parseDims() || !passSymbols()) return {};
    if (!m_cursor.expect(TokenKind::Arrow, "after the dimensions of the map", m_out)) return {};
    AffineMap map;
    map.numDims = static_cast<std::int64_t>(m_dims.size());
    if (!parseResults(map.results)) return {};
    if (!m_cursor.expect(TokenKind::Greater, "at the end of the map", m_out)) return {};
    if (!m_slip.empty()) warnOfSlip(map, m_cursor.spanFrom(first));
    return map;
  }

 private:
  using MaybeExpr = std::optional<AffineExpr>;

  std::nullopt_t expected(std::string_view what) {
    m_cursor.reportExpected(what, m_out);
    return std::nullopt;
  }
  std::nullopt_t fail(base::Span span, std::string message, std::string hint) {
    base::report(m_out,
                 base::errorAt(m_cursor.text().source, span, std::move(message), std::move(hint)));
    return std::nullopt;
  }

  bool parseDims() {
    if (!m_cursor.expect(TokenKind::LParen, "before the dimensions of the map", m_out))
      return false;
    while (!m_cursor.accept(TokenKind::RParen)) {
      if (!m_dims.empty() && !m_cursor.expect(TokenKind::Comma, "between dimensions", m_out))
        return false;
      if (!m_cursor.at(TokenKind::Ident)) return expected("the name of a dimension"), false;
      const Token& token = m_cursor.take();
      const std::string_view name = m_cursor.textOf(token);
      if (dimOf(name)) {
        fail(token.span, "the map names dimension `" + std::string(name) + "` twice", "");
        return false;
      }
      m_dims.push_back(name);
      if (m_dims.size() > kMaxDims) {
        fail(token.span, "a map of more than 16 dimensions", "");
        return false;
      }
    }
    return true;
  }

  /// `[]`: MLIR's list of symbols, when empty.
  bool passSymbols() {
    if (!m_cursor.accept(TokenKind::LBracket) || m_cursor.accept(TokenKind::RBracket)) return true;
    m_cursor.reportExpected("`]`", m_out, "a map of hardware has no symbols: write their numbers");
    return false;
  }

  void warnOfSlip(const AffineMap& map, base::Span span) {
    const std::string read = affine::toString(map);
    base::report(m_out, base::warningAt(m_cursor.text().source, span,
                                        "the map " + m_slip + "; read as `" + read + "`",
                                        "write `map = " + read + "`"));
  }

  /// A `)` that closes, or is missing, before the `>` of the map.
  bool acceptClosing() {
    if (m_cursor.accept(TokenKind::RParen)) return true;
    if (m_inSet || !m_cursor.at(TokenKind::Greater)) return false;
    m_slip = "lacks a `)` before its `>`";
    return true;
  }

  /// `d0 + ceildiv 4`: the sign of a broken line that a listing was printed with.
  bool isStraySign(const Token& sign) const {
    return !m_inSet && sign.kind == TokenKind::Plus && m_cursor.at(TokenKind::Ident) && productOp();
  }

  bool parseResults(std::vector<AffineExpr>& results) {
    if (!m_cursor.expect(TokenKind::LParen, "before the results of the map", m_out)) return false;
    while (!acceptClosing()) {
      if (!results.empty() && !m_cursor.expect(TokenKind::Comma, "between results", m_out)) {
        return false;
      }
      MaybeExpr expr = parseSum(0);
      if (!expr) return false;
      results.push_back(std::move(*expr));
      if (results.size() > kMaxDims) {
        fail(m_cursor.peek().span, "a map of more than 16 results", "");
        return false;
      }
    }
    return true;
  }

  // Two sides that are compared, as differences that are at least 0.
  bool parseConstraint(std::vector<AffineExpr>& atLeastZero) {
    const MaybeExpr left = parseSum(0);
    if (!left) return false;
    const Token relation = m_cursor.peek();
    const TokenKind kind = relation.kind;
    const bool above = kind == TokenKind::GreaterEqual || kind == TokenKind::Greater;
    const bool below = kind == TokenKind::LessEqual || kind == TokenKind::Less;
    if (!above && !below && kind != TokenKind::EqualEqual)
      return expected("`>=`, `<=`, `>`, `<` or `==`"), false;
    m_cursor.take();
    const MaybeExpr right = parseSum(0);
    const bool strict = kind == TokenKind::Greater || kind == TokenKind::Less;
    return right && (below || addDifference(*left, *right, strict, relation.span, atLeastZero)) &&
           (above || addDifference(*right, *left, strict, relation.span, atLeastZero));
  }

  bool addDifference(const AffineExpr& larger, const AffineExpr& smaller, bool strict,
                     base::Span at, std::vector<AffineExpr>& atLeastZero) {
    const AffineExpr step = AffineExpr::constant(-1);
    MaybeExpr less = reduction(AffineOp::Mul, smaller, step, at);
    if (less && strict) less = reduction(AffineOp::Add, *less, step, at);
    const bool isZero = less && isConstant(*less) && less->nodes[0].value == 0;
    MaybeExpr difference = isZero ? MaybeExpr(larger)
                           : less ? reduction(AffineOp::Add, larger, *less, at)
                                  : std::nullopt;
    if (!difference) return false;
    atLeastZero.push_back(std::move(*difference));
    return true;
  }

  std::optional<std::int64_t> dimOf(std::string_view name) const {
    for (std::size_t i = 0; i < m_dims.size(); ++i) {
      if (m_dims[i] == name) return static_cast<std::int64_t>(i);
    }
    return {};
  }

  MaybeExpr parseSum(int depth) {
    MaybeExpr left = parseProduct(depth);
    for (bool isFirst = true;
         left && (m_cursor.at(TokenKind::Plus) || m_cursor.at(TokenKind::Minus)); isFirst = false) {
      const Token op = m_cursor.take();
      if (isFirst && isStraySign(op)) {
        m_slip = "has a `+` before `" + std::string(m_cursor.textOf(m_cursor.peek())) + "`";
        left = parseFactors(*std::move(left), depth);
        continue;
      }
      MaybeExpr right = parseProduct(depth);
      if (right && op.kind == TokenKind::Minus) {
        right = reduction(AffineOp::Mul, *right, AffineExpr::constant(-1), op.span);
      }
      if (!right) return {};
      left = reduction(AffineOp::Add, *left, *right, op.span);
    }
    return left;
  }

  std::optional<AffineOp> productOp() const {
    if (m_cursor.at(TokenKind::Star)) return AffineOp::Mul;
    if (m_cursor.atWord("mod")) return AffineOp::Mod;
    if (m_cursor.atWord("floordiv")) return AffineOp::FloorDiv;
    if (m_cursor.atWord("ceildiv")) return AffineOp::CeilDiv;
    return {};
  }

  MaybeExpr parseProduct(int depth) {
    MaybeExpr first = parseAtom(depth);
    return first ? parseFactors(*std::move(first), depth) : std::nullopt;
  }

  MaybeExpr parseFactors(MaybeExpr left, int depth) {
    while (left) {
      const std::optional<AffineOp> op = productOp();
      if (!op) break;
      const base::Span at = m_cursor.take().span;
      const MaybeExpr right = parseAtom(depth);
      if (!right) return {};
      left = reduction(*op, *left, *right, at);
    }
    return left;
  }

  MaybeExpr parseAtom(int depth) {
    if (depth > kMaxDepth) {
      return fail(m_cursor.peek().span, "this map is nested more than 64 levels deep", "");
    }
    if (m_cursor.at(TokenKind::Integer)) return AffineExpr::constant(m_cursor.take().integer);
    if (m_cursor.at(TokenKind::Minus)) {
      const base::Span at = m_cursor.take().span;
      const MaybeExpr operand = parseAtom(depth + 1);
      if (!operand) return {};
      return reduction(AffineOp::Mul, *operand, AffineExpr::constant(-1), at);
    }
    if (m_cursor.accept(TokenKind::LParen)) {
      MaybeExpr inner = parseSum(depth + 1);
      if (!inner || acceptClosing()) return inner;
      m_cursor.expect(TokenKind::RParen, "to close the parenthesis", m_out);
      return {};
    }
    if (!m_cursor.at(TokenKind::Ident)) return expected("a dimension or an integer");
    return parseDimName();
  }

  MaybeExpr parseDimName() {
    const Token& token = m_cursor.peek();
    const std::string_view name = m_cursor.textOf(token);
    const std::optional<std::int64_t> dim = dimOf(name);
    const auto constant = m_constants.find(name);
    if (!dim && constant == m_constants.end()) return failName(token.span, name);
    m_cursor.take();
    return dim ? AffineExpr::dim(*dim) : AffineExpr::constant(constant->second);
  }

  std::nullopt_t failName(base::Span span, std::string_view name) {
    std::vector<std::string_view> known = m_dims;
    for (const auto& [parameter, value] : m_constants) known.push_back(parameter);
    const std::string what =
        m_dims.empty() ? "there is no parameter `" : "the map has no dimension `";
    return fail(span, what + std::string(name) + "`", spellingHint(name, known));
  }

  MaybeExpr reduction(AffineOp op, AffineExpr left, AffineExpr right, base::Span at) {
    ReducedExpr made = reducedExpr(op, std::move(left), std::move(right));
    if (!made.expr) return fail(at, made.message, made.hint);
    return std::move(made.expr);
  }

  TokenCursor& m_cursor;
  const AffineConstants& m_constants;
  base::Diagnostics& m_out;
  std::vector<std::string_view> m_dims;
  bool m_inSet = false;  ///< `>` compares
  std::string m_slip;    ///< what was read although it is not MLIR's syntax; empty: nothing
};

}  // namespace

std::optional<AffineMap> parseAffineMap(TokenCursor& cursor, const AffineConstants& constants,
                                        base::Diagnostics& out) {
  return AffineParser(cursor, constants, out).run();
}

std::optional<AffineMap> parseAffineSet(TokenCursor& cursor, const AffineConstants& constants,
                                        base::Diagnostics& out) {
  return AffineParser(cursor, constants, out).set();
}

std::optional<std::int64_t>
parseAffineConstant(TokenCursor& cursor, const AffineConstants& constants, base::Diagnostics& out) {
  return AffineParser(cursor, constants, out).constant();
}

}  // namespace gridloom::syntax
