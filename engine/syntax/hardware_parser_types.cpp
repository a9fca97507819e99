// SPDX-License-Identifier: Apache-2.0
// What other tools print beside values: types and places.
#include "base/message_limit.h"
#include "syntax/hardware_parser_values.h"

namespace gridloom::syntax {

bool HardwareValueReader::skipTypes() {
  while (m_cursor.accept(TokenKind::Colon)) {
    if (!skipType(0)) return false;
    while (m_cursor.at(TokenKind::Comma) && m_cursor.peek(1).kind == TokenKind::Bang) {
      m_cursor.take();
      if (!skipType(0)) return false;
    }
  }
  return skipLocation();
}

bool HardwareValueReader::atLocation() const {
  return m_cursor.atWord("loc") && m_cursor.peek(1).kind == TokenKind::LParen;
}

bool HardwareValueReader::skipLocation() {
  if (!atLocation()) return true;
  int depth = 0;
  m_cursor.take();
  do {
    const TokenKind kind = m_cursor.take().kind;
    depth += kind == TokenKind::LParen ? 1 : kind == TokenKind::RParen ? -1 : 0;
  } while (depth > 0 && !m_cursor.at(TokenKind::End));
  if (depth == 0) return true;
  m_cursor.reportExpected("`)`", m_out, "close the brackets of `loc`");
  return false;
}

/// `!df.core`, `i64`, or of the generic form `(!df.core, index) -> !df.mux`.
bool HardwareValueReader::skipType(int depth) {
  if (depth > kMostNested) {
    base::report(m_out, base::errorAt(m_cursor.text().source, m_cursor.peek().span,
                                      "this type is nested more than 8 levels deep"));
    return false;
  }
  if (m_cursor.accept(TokenKind::LParen)) {
    while (!m_cursor.accept(TokenKind::RParen)) {
      if (!skipType(depth + 1)) return false;
      m_cursor.accept(TokenKind::Comma);
    }
    return !m_cursor.accept(TokenKind::Arrow) || skipType(depth + 1);
  }
  m_cursor.accept(TokenKind::Bang);
  if (!m_cursor.at(TokenKind::Ident)) {
    m_cursor.reportExpected("a type", m_out, "such as `!df.core`");
    return false;
  }
  m_cursor.take();
  while (m_cursor.accept(TokenKind::Dot)) {
    if (m_cursor.at(TokenKind::Ident)) m_cursor.take();
  }
  return skipAngles();
}

/// `<8x8, "a">` behind the name of a type.
bool HardwareValueReader::skipAngles() {
  if (!m_cursor.at(TokenKind::Less) || m_cursor.peek(1).kind == TokenKind::LBrace) return true;
  const Token open = m_cursor.peek();
  int depth = 0;
  do {
    const TokenKind kind = m_cursor.take().kind;
    depth += kind == TokenKind::Less ? 1 : kind == TokenKind::Greater ? -1 : 0;
  } while (depth > 0 && !m_cursor.at(TokenKind::End));
  if (depth == 0) return true;
  base::report(m_out, base::errorAt(m_cursor.text().source, open.span,
                                    "this `<` of a type is not closed", "close it with `>`"));
  return false;
}

}  // namespace gridloom::syntax
