// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser_op.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/message_limit.h"

namespace gridloom::syntax {

namespace {

using Kind = HardwareValue::Kind;

constexpr std::string_view kQuotedDialect = "\"df.";

bool isComponent(std::string_view op) {
  return op == kFormerCore || std::ranges::find(kHardwareOps, op) != kHardwareOps.end();
}

/// `"df.core"` is `core`.
std::string_view quotedOp(std::string_view text) {
  return text.substr(kQuotedDialect.size(), text.size() - kQuotedDialect.size() - 1);
}

/// `label = "cores"` and the symbol's name are the same as `"cores"` behind the operation.
void takeLabel(HardwareOp& op) {
  std::erase_if(op.attributes, [&](const HardwareAttribute& attribute) {
    const bool isLabel =
        attribute.name == "label" || attribute.name == "sym_name" || attribute.name == "name";
    if (!isLabel || attribute.value.kind != Kind::Word) return false;
    if (op.labelText.empty()) {
      op.label = attribute.value.text;
      op.labelText = attribute.value.text;
    }
    return true;
  });
}

}  // namespace

bool HardwareOpReader::atStart() const {
  if (m_cursor.atWord("param") || atComponent()) return true;
  return m_cursor.at(TokenKind::PercentIdent) && m_cursor.peek(1).kind == TokenKind::Equal;
}

bool HardwareOpReader::atComponent(std::size_t ahead) const {
  const bool isNamed = m_cursor.peek(ahead).kind == TokenKind::PercentIdent &&
                       m_cursor.peek(ahead + 1).kind == TokenKind::Equal;
  if (isNamed) ahead += 2;
  const Token& op = m_cursor.peek(ahead);
  const std::string_view text = m_cursor.textOf(op);
  if (op.kind == TokenKind::String) {
    return text.starts_with(kQuotedDialect) && isComponent(quotedOp(text));
  }
  return op.kind == TokenKind::Ident && text == "df" &&
         m_cursor.peek(ahead + 1).kind == TokenKind::Dot &&
         isComponent(m_cursor.textOf(m_cursor.peek(ahead + 2)));
}

std::optional<HardwareOp> HardwareOpReader::read(bool inModule) {
  const Token first = m_cursor.peek();
  HardwareOp op;
  op.inModule = inModule;
  if (!readHead(op) || !readLabel(op) || !readOperands(op) || !readProperties(op)) return {};
  if (m_cursor.at(TokenKind::LBrace) &&
      !m_values.readAttributes(op.attributes, TokenKind::RBrace, 0)) {
    return {};
  }
  takeLabel(op);
  if (!m_values.skipTypes()) return {};
  op.span = m_cursor.spanFrom(first);
  if (!op.name.empty()) return op;
  op.name = op.labelText;
  op.nameSpan = op.opSpan;
  if (!op.name.empty()) return op;
  base::report(m_out, base::errorAt(m_cursor.text().source, op.opSpan, "this component has no name",
                                    "write `%name = df." + std::string(op.op) + " ...`"));
  return {};
}

/// `%name = df.op`, or `df.op` alone.
bool HardwareOpReader::readHead(HardwareOp& op) {
  if (!atStart()) {
    m_cursor.reportExpected("`%name = df.op ...`", m_out,
                            "every component has its own line, such as `%x = df.spatial_dim 8`");
    return false;
  }
  if (m_cursor.at(TokenKind::PercentIdent)) {
    const Token name = m_cursor.take();
    op.name = m_cursor.textOf(name).substr(1);
    op.nameSpan = name.span;
    m_cursor.take();
  }
  return readOpName(op);
}

bool HardwareOpReader::readOpName(HardwareOp& op) {
  const Token first = m_cursor.peek();
  const std::string_view text = m_cursor.textOf(first);
  if (first.kind == TokenKind::String && text.starts_with(kQuotedDialect)) {
    m_cursor.take();
    op.op = quotedOp(text);
    op.opSpan = first.span;
    return true;
  }
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

/// `"x",` or `@x =`
bool HardwareOpReader::readLabel(HardwareOp& op) {
  if (m_cursor.at(TokenKind::String)) {
    const std::string_view quoted = m_cursor.textOf(m_cursor.take());
    op.label = stringValue(quoted);
    op.labelText = quoted.substr(1, quoted.size() - 2);
    m_cursor.accept(TokenKind::Equal);
  } else if (m_cursor.at(TokenKind::At)) {
    std::optional<HardwareValue> symbol = m_values.readValue(0);
    if (!symbol) return false;
    // `df.mux @cores, @l1` begins with an operand.
    const bool isOperand =
        !op.name.empty() && m_cursor.at(TokenKind::Comma) && m_cursor.peek(1).kind == TokenKind::At;
    if (isOperand) {
      op.operands.push_back(std::move(*symbol));
    } else {
      op.label = symbol->text;
      op.labelText = symbol->text;
    }
    m_cursor.accept(TokenKind::Equal);
  }
  m_cursor.accept(TokenKind::Comma);
  return true;
}

bool HardwareOpReader::atOperand() const {
  const TokenKind kind = m_cursor.peek().kind;
  const bool value = kind == TokenKind::PercentIdent || kind == TokenKind::Integer ||
                     kind == TokenKind::Minus || kind == TokenKind::Float ||
                     kind == TokenKind::LParen || kind == TokenKind::At || m_values.atParameter();
  return value && !(m_cursor.atLineStart() && atStart());
}

bool HardwareOpReader::readOperands(HardwareOp& op) {
  while (atOperand()) {
    // `df.core(scaleout = (%x, %y))`
    const bool isAttributes = m_cursor.at(TokenKind::LParen) &&
                              m_cursor.peek(1).kind == TokenKind::Ident &&
                              m_cursor.peek(2).kind == TokenKind::Equal;
    if (isAttributes) {
      if (!m_values.readAttributes(op.attributes, TokenKind::RParen, 0)) return false;
      continue;
    }
    std::optional<HardwareValue> value = m_values.readValue(0);
    if (!value) return false;
    op.operands.push_back(std::move(*value));
    if (!m_values.skipTypes()) return false;
    m_cursor.accept(TokenKind::Comma);
  }
  if (!m_values.skipTypes()) return false;
  // The generic form has its operands between brackets.
  if (op.operands.size() == 1 && op.operands[0].kind == Kind::List) {
    std::vector<HardwareValue> items = std::move(op.operands[0].items);
    op.operands = std::move(items);
  }
  return true;
}

/// `<{size = 8 : i64}>`: attributes, as the generic form has them since LLVM 17.
bool HardwareOpReader::readProperties(HardwareOp& op) {
  if (!m_cursor.at(TokenKind::Less) || m_cursor.peek(1).kind != TokenKind::LBrace) return true;
  m_cursor.take();
  return m_values.readAttributes(op.attributes, TokenKind::RBrace, 0) &&
         m_cursor.expect(TokenKind::Greater, "to close the properties", m_out);
}

}  // namespace gridloom::syntax
