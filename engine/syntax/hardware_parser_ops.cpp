// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser_ops.h"

#include <optional>
#include <utility>

#include "base/message_limit.h"
#include "syntax/affine_parser.h"
#include "syntax/limits.h"
#include "syntax/token_cursor.h"

namespace gridloom::syntax {

namespace {

using Kind = HardwareValue::Kind;

constexpr int kMaxDepth = 8;

std::string_view withoutPercent(std::string_view text) { return text.substr(1); }

class OpReader {
 public:
  OpReader(const TokenText& text, base::Diagnostics& out) : m_cursor(text), m_out(out) {}

  HardwareOps run() {
    const bool inModule = m_cursor.acceptWord("module");
    if (inModule) readModuleHead();
    while (!m_cursor.at(TokenKind::End) && !base::isFull(m_out)) {
      if (inModule && m_cursor.at(TokenKind::RBrace)) break;
      if (m_ops.ops.size() == kMaxComponents) return tooMany();
      std::optional<HardwareOp> op = readOp();
      if (op) {
        m_ops.ops.push_back(std::move(*op));
      } else {
        skipToNextOp();
      }
    }
    if (base::isFull(m_out)) return std::move(m_ops);
    if (inModule) m_cursor.expect(TokenKind::RBrace, "to close the module", m_out);
    if (!m_cursor.at(TokenKind::End)) m_cursor.reportExpected("the end of the text", m_out);
    return std::move(m_ops);
  }

 private:
  /// Returns no ops, so that no other error follows.
  HardwareOps tooMany() {
    m_out = {base::errorAt(m_cursor.text().source, m_cursor.peek().span,
                           "the description has more than " + std::to_string(kMaxComponents) +
                               " components",
                           "this is the limit: `df.spatial_dim` makes one component many")};
    return {};
  }

  void readModuleHead() {
    if (m_cursor.at(TokenKind::String)) {
      m_ops.label = stringValue(m_cursor.textOf(m_cursor.take()));
    }
    m_cursor.expect(TokenKind::LBrace, "after `module`", m_out);
  }

  bool atOpStart() const {
    return m_cursor.at(TokenKind::PercentIdent) && m_cursor.peek(1).kind == TokenKind::Equal;
  }

  void skipToNextOp() {
    while (!m_cursor.at(TokenKind::End)) {
      m_cursor.take();
      if (!m_cursor.atLineStart()) continue;
      if (atOpStart()) return;
      if (m_cursor.at(TokenKind::RBrace) && m_cursor.peek(1).kind == TokenKind::End) return;
    }
  }

  std::optional<HardwareOp> readOp() {
    if (!atOpStart()) {
      m_cursor.reportExpected("`%name = df.op ...`", m_out,
                              "every component has its own line, such as `%x = df.spatial_dim 8`");
      return {};
    }
    const Token& first = m_cursor.take();
    HardwareOp op;
    op.name = withoutPercent(m_cursor.textOf(first));
    op.nameSpan = first.span;
    m_cursor.take();
    if (!readOpName(op)) return {};
    if (m_cursor.at(TokenKind::String)) op.label = stringValue(m_cursor.textOf(m_cursor.take()));
    if (!readOperands(op.operands) || !skipTypes()) return {};
    if (m_cursor.at(TokenKind::LBrace)) {
      if (!readAttributes(op.attributes, 0)) return {};
    }
    if (!skipTypes()) return {};
    op.span = m_cursor.spanFrom(first);
    return op;
  }

  bool readOpName(HardwareOp& op) {
    const Token first = m_cursor.peek();
    if (!m_cursor.acceptWord("df")) {
      m_cursor.reportExpected("an operation of the df dialect", m_out, "such as `df.core`");
      return false;
    }
    if (!m_cursor.expect(TokenKind::Dot, "after `df`", m_out)) return false;
    if (!m_cursor.at(TokenKind::Ident)) {
      m_cursor.reportExpected("the name of an operation", m_out, "such as `df.core`");
      return false;
    }
    op.op = m_cursor.textOf(m_cursor.take());
    op.opSpan = m_cursor.spanFrom(first);
    return true;
  }

  bool atOperand() const {
    const TokenKind kind = m_cursor.peek().kind;
    const bool value = kind == TokenKind::PercentIdent || kind == TokenKind::Integer ||
                       kind == TokenKind::Minus || kind == TokenKind::Float ||
                       kind == TokenKind::LParen;
    return value && !(m_cursor.atLineStart() && atOpStart());
  }

  bool readOperands(std::vector<HardwareValue>& operands) {
    while (atOperand()) {
      std::optional<HardwareValue> value = readValue(0);
      if (!value) return false;
      operands.push_back(std::move(*value));
      if (!skipTypes()) return false;
      m_cursor.accept(TokenKind::Comma);
    }
    return true;
  }

  bool readAttributes(std::vector<HardwareAttribute>& attributes, int depth) {
    m_cursor.take();
    while (!m_cursor.accept(TokenKind::RBrace)) {
      if (!m_cursor.at(TokenKind::Ident)) {
        m_cursor.reportExpected("an attribute or `}`", m_out);
        return false;
      }
      if (attributes.size() == kMaxAttributes) {
        base::report(m_out, base::errorAt(m_cursor.text().source, m_cursor.peek().span,
                                          "more than " + std::to_string(kMaxAttributes) +
                                              " attributes between two braces",
                                          "this is the limit"));
        return false;
      }
      HardwareAttribute attribute;
      const Token& name = m_cursor.take();
      attribute.name = m_cursor.textOf(name);
      attribute.nameSpan = name.span;
      if (!m_cursor.expect(TokenKind::Equal, "after the attribute's name", m_out)) return false;
      std::optional<HardwareValue> value = readValue(depth + 1);
      if (!value || !skipTypes()) return false;
      attribute.value = std::move(*value);
      attributes.push_back(std::move(attribute));
      m_cursor.accept(TokenKind::Comma);
    }
    return true;
  }

  std::optional<HardwareValue> readValue(int depth) {
    const Token first = m_cursor.peek();
    if (depth > kMaxDepth) {
      base::report(m_out, base::errorAt(m_cursor.text().source, first.span,
                                        "this value is nested more than 8 levels deep"));
      return {};
    }
    HardwareValue value;
    if (!readValueInto(value, depth)) return {};
    value.span = m_cursor.spanFrom(first);
    return value;
  }

  bool readValueInto(HardwareValue& value, int depth) {
    switch (m_cursor.peek().kind) {
    case TokenKind::Integer:
    case TokenKind::Float:
    case TokenKind::Minus:
      return readNumber(value);
    case TokenKind::PercentIdent:
      value.kind = Kind::Name;
      value.text = withoutPercent(m_cursor.textOf(m_cursor.take()));
      return true;
    case TokenKind::Star:
      value.kind = Kind::Star;
      m_cursor.take();
      return true;
    case TokenKind::LParen:
      return readList(value, TokenKind::RParen, depth);
    case TokenKind::LBracket:
      return readList(value, TokenKind::RBracket, depth);
    case TokenKind::LBrace:
      value.kind = Kind::Dict;
      return readAttributes(value.attributes, depth);
    case TokenKind::Ident:
      return readWordOrMap(value);
    default:
      m_cursor.reportExpected("a value", m_out);
      return false;
    }
  }

  bool readWordOrMap(HardwareValue& value) {
    if (m_cursor.atWord("affine_map")) {
      std::optional<affine::AffineMap> map = parseAffineMap(m_cursor, m_out);
      if (!map) return false;
      value.kind = Kind::Map;
      value.map = std::move(*map);
      return true;
    }
    value.kind = Kind::Word;
    value.text = m_cursor.textOf(m_cursor.take());
    return true;
  }

  bool readNumber(HardwareValue& value) {
    const bool negative = m_cursor.accept(TokenKind::Minus);
    const Token token = m_cursor.peek();
    if (token.kind != TokenKind::Integer && token.kind != TokenKind::Float) {
      m_cursor.reportExpected("a number", m_out);
      return false;
    }
    m_cursor.take();
    value.kind = Kind::Number;
    value.whole = token.kind == TokenKind::Integer;
    value.number = negative ? -token.number : token.number;
    value.integer = negative ? -token.integer : token.integer;
    // A name before `=` is the next attribute, not a unit, as commas are optional.
    if (!m_cursor.at(TokenKind::Ident) || m_cursor.peek(1).kind == TokenKind::Equal) return true;
    value.unit = m_cursor.textOf(m_cursor.take());
    if (m_cursor.at(TokenKind::Slash) && m_cursor.peek(1).kind == TokenKind::Ident) {
      m_cursor.take();
      value.unit.append("/").append(m_cursor.textOf(m_cursor.take()));
    }
    return true;
  }

  bool readList(HardwareValue& value, TokenKind close, int depth) {
    value.kind = Kind::List;
    m_cursor.take();
    while (!m_cursor.accept(close)) {
      std::optional<HardwareValue> item = readValue(depth + 1);
      if (!item) return false;
      value.items.push_back(std::move(*item));
      if (!m_cursor.accept(TokenKind::Comma) && !m_cursor.at(close)) {
        m_cursor.reportExpected("`,` or " + std::string(describe(close)), m_out);
        return false;
      }
    }
    return true;
  }

  /// `: !df.core, !df.memory`, `: i64`: type annotations of other tools; accepted and ignored.
  bool skipTypes() {
    while (m_cursor.accept(TokenKind::Colon)) {
      if (!skipType()) return false;
      while (m_cursor.at(TokenKind::Comma) && m_cursor.peek(1).kind == TokenKind::Bang) {
        m_cursor.take();
        if (!skipType()) return false;
      }
    }
    return true;
  }

  bool skipType() {
    m_cursor.accept(TokenKind::Bang);
    if (!m_cursor.at(TokenKind::Ident)) {
      m_cursor.reportExpected("a type", m_out, "such as `!df.core`");
      return false;
    }
    m_cursor.take();
    while (m_cursor.accept(TokenKind::Dot)) {
      if (m_cursor.at(TokenKind::Ident)) m_cursor.take();
    }
    return true;
  }

  TokenCursor m_cursor;
  base::Diagnostics& m_out;
  HardwareOps m_ops;
};

}  // namespace

HardwareOps readHardwareOps(const TokenText& text, base::Diagnostics& out) {
  return OpReader(text, out).run();
}

}  // namespace gridloom::syntax
