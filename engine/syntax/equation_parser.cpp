// SPDX-License-Identifier: Apache-2.0
#include "syntax/equation_parser.h"

namespace gridloom::syntax {

using mapping::PointCoordinate;

namespace {

constexpr std::string_view kExample =
    "write `A(i, j, k) = A(i, j - 1, k)` or `A(i, 0, k) = A[i, k]`";
constexpr std::string_view kMapExample = "write `map (i, j, k) -> (y = i, x = j)`";
/// Loops of a point, indices of an element, factors of a sum.
constexpr std::size_t kMost = kMaxDirectiveNames;

// Behind a point, `=` or what someone wrote in its place, as `+=`: no directive goes on like this.
bool isOperator(TokenKind kind) {
  return kind == TokenKind::Equal || kind == TokenKind::EqualEqual || kind == TokenKind::Plus ||
         kind == TokenKind::Minus || kind == TokenKind::Star;
}

}  // namespace

bool atEquation(const TokenCursor& at) {
  if (!at.at(TokenKind::Ident)) return false;
  const TokenKind next = at.peek(1).kind;
  if (next == TokenKind::LBracket || next == TokenKind::Dot) return true;
  std::size_t ahead = 1;
  if (next == TokenKind::At) ahead = 3;
  if (at.peek(ahead).kind != TokenKind::LParen) return false;
  for (const std::size_t end = ahead + 4 * kMost; ahead < end; ++ahead) {
    const TokenKind kind = at.peek(ahead).kind;
    if (kind == TokenKind::End) return false;
    if (kind == TokenKind::RParen) return isOperator(at.peek(ahead + 1).kind);
  }
  return false;
}

bool EquationParser::name(std::string_view what, mapping::NameInText& out) {
  if (!m_cursor.at(TokenKind::Ident)) return m_cursor.expected(what, std::string(kExample));
  const Token first = m_cursor.take();
  out = {std::string(m_cursor.textOf(first)), first.span};
  return true;
}

bool EquationParser::operandName(mapping::NameInText& out) {
  if (!name("a tensor", out)) return false;
  if (!m_cursor.accept(TokenKind::At)) return true;
  if (!m_cursor.at(TokenKind::Integer))
    return m_cursor.expected("the number of a window", "write `X@2` for the second window of `X`");
  const Token number = m_cursor.take();
  out.text += "@" + std::string(m_cursor.textOf(number));
  out.span.end = number.span.end;
  return true;
}

template <class Parse>
bool EquationParser::list(TokenKind open, TokenKind close, const Parse& parse) {
  const std::string hint(kExample);
  if (!m_cursor.accept(open)) return m_cursor.expected(describe(open), hint);
  std::size_t count = 0;
  do {
    if (count++ == kMost) return m_cursor.tooMany("names in one equation", kMost);
    if (!parse()) return false;
  } while (m_cursor.accept(TokenKind::Comma));
  return m_cursor.accept(close) || m_cursor.expected(describe(close), hint);
}

bool EquationParser::value(mapping::PointValue& out) {
  const Token first = m_cursor.peek();
  if (m_cursor.peek(1).kind == TokenKind::Dot) {
    if (!name("an iteration space", out.space)) return false;
    m_cursor.take();
  }
  if (!operandName(out.operand)) return false;
  const bool read = list(TokenKind::LParen, TokenKind::RParen, [&] {
    out.at.emplace_back();
    return coordinate(out.at.back());
  });
  out.span = m_cursor.spanFrom(first);
  return read;
}

bool EquationParser::coordinate(PointCoordinate& out) {
  const Token first = m_cursor.peek();
  if (first.kind == TokenKind::Integer) {
    out.kind = PointCoordinate::Kind::First;
    out.span = m_cursor.take().span;
    return first.integer == 0 ||
           m_cursor.fail(first.span, "a point is named by its loops, `0` or `last`",
                         std::string(kExample));
  }
  mapping::NameInText loop;
  if (!name("a loop, `0` or `last`", loop)) return false;
  out.span = loop.span;
  if (loop.text == "last") {
    out.kind = PointCoordinate::Kind::Last;
    return true;
  }
  out.loop = std::move(loop.text);
  const bool before = m_cursor.at(TokenKind::Minus);
  if (!before && !m_cursor.at(TokenKind::Plus)) return true;
  m_cursor.take();
  const Token step = m_cursor.peek();
  if (step.kind != TokenKind::Integer)
    return m_cursor.expected("the distance 1", std::string(kExample));
  m_cursor.take();
  out.span = m_cursor.spanFrom(first);
  out.kind = before ? PointCoordinate::Kind::Before : PointCoordinate::Kind::After;
  return step.integer == 1 ||
         m_cursor.fail(step.span, "values come from the neighbour, at a distance of 1",
                       std::string(kExample));
}

bool EquationParser::element(mapping::TensorElement& out) {
  const Token first = m_cursor.peek();
  if (!name("a tensor", out.tensor)) return false;
  const bool read = list(TokenKind::LBracket, TokenKind::RBracket, [&] {
    out.indices.emplace_back();
    return index(out.indices.back());
  });
  out.span = m_cursor.spanFrom(first);
  return read;
}

bool EquationParser::index(mapping::ElementIndex& out) {
  std::int64_t sign = m_cursor.accept(TokenKind::Minus) ? -1 : 1;
  for (std::size_t count = 0;; ++count) {
    if (count == kMost) return m_cursor.tooMany("terms in one index", kMost);
    if (!indexTerm(sign, out)) return false;
    if (m_cursor.accept(TokenKind::Plus)) {
      sign = 1;
    } else if (m_cursor.accept(TokenKind::Minus)) {
      sign = -1;
    } else {
      return true;
    }
  }
}

bool EquationParser::indexTerm(std::int64_t sign, mapping::ElementIndex& out) {
  std::int64_t factor = sign;
  if (m_cursor.at(TokenKind::Integer)) {
    const Token number = m_cursor.take();
    constexpr std::int64_t kLargest = std::int64_t{1} << 40;
    if (number.integer > kLargest) return m_cursor.fail(number.span, "the number is too large");
    factor *= number.integer;
    if (!m_cursor.accept(TokenKind::Star)) {
      out.constant += factor;
      return true;
    }
  }
  mapping::NameInText loop;
  if (!name("a loop", loop)) return false;
  out.terms.emplace_back(factor, std::move(loop));
  return true;
}

bool EquationParser::parse(mapping::Equation& out) {
  if (m_cursor.peek(1).kind == TokenKind::LBracket) {
    mapping::TensorElement left;
    if (!element(left)) return false;
    out.left = std::move(left);
  } else {
    mapping::PointValue left;
    if (!value(left)) return false;
    out.left = std::move(left);
  }
  if (!m_cursor.accept(TokenKind::Equal)) return m_cursor.expected("`=`", std::string(kExample));
  return right(out);
}

bool EquationParser::right(mapping::Equation& out) {
  if (m_cursor.at(TokenKind::Integer)) {
    const Token zero = m_cursor.take();
    out.right = mapping::ZeroValue{};
    return zero.integer == 0 ||
           m_cursor.fail(zero.span, "a running sum begins with 0", "write `C(i, j, 0) = 0`");
  }
  if (m_cursor.peek(1).kind == TokenKind::LBracket) {
    mapping::TensorElement from;
    if (!element(from)) return false;
    out.right = std::move(from);
    return true;
  }
  mapping::PointValue from;
  if (!value(from)) return false;
  out.right = std::move(from);
  if (!m_cursor.accept(TokenKind::Plus) && !m_cursor.accept(TokenKind::Minus)) return true;
  return terms(out.terms);
}

bool EquationParser::terms(std::vector<mapping::PointValue>& out) {
  do {
    if (out.size() == kMost) return m_cursor.tooMany("factors in one equation", kMost);
    out.emplace_back();
    if (!value(out.back())) return false;
  } while (m_cursor.accept(TokenKind::Star));
  return true;
}

bool EquationParser::parseMap(mapping::SpaceMap& out) {
  const std::string hint(kMapExample);
  if (m_cursor.at(TokenKind::Ident) && !name("a name", out.name)) return false;
  const bool loops = list(TokenKind::LParen, TokenKind::RParen, [&] {
    out.loops.emplace_back();
    return name("a loop", out.loops.back());
  });
  if (!loops) return false;
  if (!m_cursor.accept(TokenKind::Arrow)) return m_cursor.expected("`->`", hint);
  return list(TokenKind::LParen, TokenKind::RParen, [&] {
    auto& [dim, loop] = out.places.emplace_back();
    if (!name("a mesh dimension", dim)) return false;
    if (!m_cursor.accept(TokenKind::Equal)) return m_cursor.expected("`=` and a loop", hint);
    return name("a loop", loop);
  });
}

}  // namespace gridloom::syntax
