// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser_values.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/message_limit.h"
#include "syntax/limits.h"

namespace gridloom::syntax {

namespace {

using Kind = HardwareValue::Kind;

// IEEE 754 binary16.
double halfOf(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 0x1F);
  const auto fraction = static_cast<double>(bits & 0x3FF);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  if (exponent < 31) return sign * std::ldexp(1024 + fraction, exponent - 25);
  return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool HardwareValueReader::readAlias() {
  m_cursor.take();
  if (!m_cursor.at(TokenKind::Ident)) {
    m_cursor.reportExpected("the name of a map", m_out, "such as `#map = affine_map<...>`");
    return false;
  }
  const std::string_view name = m_cursor.textOf(m_cursor.take());
  if (!m_cursor.expect(TokenKind::Equal, "after the map's name", m_out)) return false;
  base::Diagnostics unread;
  std::optional<affine::AffineMap> map = parseAffineMap(m_cursor, m_constants, unread);
  if (map) {
    for (base::Diagnostic& warning : unread) base::report(m_out, std::move(warning));
    m_aliases.insert_or_assign(name, std::move(*map));
    return true;
  }
  // A place, a type, or of a kernel in the same file: it matters where a component names it.
  while (!m_cursor.at(TokenKind::End) && !m_cursor.atLineStart()) m_cursor.take();
  return true;
}

bool HardwareValueReader::readParameter() {
  m_cursor.take();
  if (!m_cursor.at(TokenKind::Ident)) {
    m_cursor.reportExpected("the name of a parameter", m_out, "such as `param cols = 8`");
    return false;
  }
  const Token name = m_cursor.take();
  const std::string_view text = m_cursor.textOf(name);
  if (m_parameters.contains(text)) {
    base::report(m_out, base::errorAt(m_cursor.text().source, name.span,
                                      "the parameter `" + std::string(text) + "` is given twice",
                                      "keep one of them"));
    return false;
  }
  if (!m_cursor.expect(TokenKind::Equal, "after the parameter's name", m_out)) return false;
  const Token first = m_cursor.peek();
  std::optional<HardwareValue> value = readParameterValue();
  if (!value) return false;
  value->span = m_cursor.spanFrom(first);
  m_written.push_back({text, name.span, *value});
  if (value->whole && value->unit.empty()) m_constants.emplace(text, value->integer);
  m_parameters.emplace(text, std::move(*value));
  return true;
}

/// A number with or without a unit, else an expression of numbers and parameters.
std::optional<HardwareValue> HardwareValueReader::readParameterValue() {
  const Token first = m_cursor.peek();
  const std::size_t start = m_cursor.position();
  HardwareValue value;
  if (first.kind != TokenKind::Ident && first.kind != TokenKind::LParen) {
    if (!readNumber(value)) return {};
    if (m_cursor.atLineStart() || m_cursor.at(TokenKind::End)) return value;
    m_cursor.moveTo(start);
  }
  const auto number = parseAffineConstant(m_cursor, m_constants, m_out);
  if (!number) return {};
  value = {};
  value.kind = Kind::Number;
  value.whole = true;
  value.integer = *number;
  value.number = static_cast<double>(*number);
  value.span = m_cursor.spanFrom(first);
  return value;
}

bool HardwareValueReader::atParameter() const {
  return m_cursor.at(TokenKind::Ident) && m_parameters.contains(m_cursor.textOf(m_cursor.peek()));
}

std::optional<HardwareValue> HardwareValueReader::readValue(int depth) {
  const Token first = m_cursor.peek();
  if (depth > kMostNested) {
    base::report(m_out, base::errorAt(m_cursor.text().source, first.span,
                                      "this value is nested more than 8 levels deep"));
    return {};
  }
  HardwareValue value;
  if (!readValueInto(value, depth)) return {};
  value.span = m_cursor.spanFrom(first);
  return value;
}

bool HardwareValueReader::readValueInto(HardwareValue& value, int depth) {
  switch (m_cursor.peek().kind) {
  case TokenKind::Integer:
  case TokenKind::Float:
  case TokenKind::Minus:
    return readNumber(value);
  case TokenKind::PercentIdent:
    value.kind = Kind::Name;
    value.text = m_cursor.textOf(m_cursor.take()).substr(1);
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
    return readAttributes(value.attributes, TokenKind::RBrace, depth);
  case TokenKind::Ident:
    return readWordOrMap(value, depth);
  case TokenKind::At:
    return readSymbol(value);
  case TokenKind::Hash:
    return useAlias(value);
  case TokenKind::Bang:
    value.kind = Kind::Word;
    value.text = "type";
    return skipType(depth);
  case TokenKind::String: {
    const std::string_view quoted = m_cursor.textOf(m_cursor.take());
    value.kind = Kind::Word;
    value.text = quoted.substr(1, quoted.size() - 2);
    return true;
  }
  default:
    m_cursor.reportExpected("a value", m_out);
    return false;
  }
}

/// `@x`, `@"x"`; of `@hw::@x` the last name.
bool HardwareValueReader::readSymbol(HardwareValue& value) {
  m_cursor.take();
  const bool isQuoted = m_cursor.at(TokenKind::String);
  if (!isQuoted && !m_cursor.at(TokenKind::Ident)) {
    m_cursor.reportExpected("a name after `@`", m_out);
    return false;
  }
  value.kind = Kind::Word;
  value.text = m_cursor.textOf(m_cursor.take());
  if (isQuoted) value.text = value.text.substr(1, value.text.size() - 2);
  const bool isNested = m_cursor.at(TokenKind::Colon) &&
                        m_cursor.peek(1).kind == TokenKind::Colon &&
                        m_cursor.peek(2).kind == TokenKind::At;
  if (!isNested) return true;
  m_cursor.moveTo(m_cursor.position() + 2);
  return readSymbol(value);
}

/// `#map`
bool HardwareValueReader::useAlias(HardwareValue& value) {
  m_cursor.take();
  const auto alias = m_cursor.at(TokenKind::Ident)
                         ? m_aliases.find(m_cursor.textOf(m_cursor.peek()))
                         : m_aliases.end();
  if (alias == m_aliases.end()) {
    m_cursor.reportExpected("the name of a map", m_out,
                            "define it before the module: `#map = affine_map<...>`");
    return false;
  }
  m_cursor.take();
  value.kind = Kind::Map;
  value.map = alias->second;
  return true;
}

bool HardwareValueReader::readWordOrMap(HardwareValue& value, int depth) {
  if (m_cursor.atWord("affine_map")) {
    std::optional<affine::AffineMap> map = parseAffineMap(m_cursor, m_constants, m_out);
    if (!map) return false;
    value.kind = Kind::Map;
    value.map = std::move(*map);
    return true;
  }
  if (m_cursor.atWord("affine_set")) {
    std::optional<affine::AffineMap> set = parseAffineSet(m_cursor, m_constants, m_out);
    if (!set) return false;
    value.kind = Kind::Set;
    value.map = std::move(*set);
    return true;
  }
  if (m_cursor.atWord("array") && m_cursor.peek(1).kind == TokenKind::Less) return readArray(value);
  if (m_cursor.atWord("dense") && m_cursor.peek(1).kind == TokenKind::Less) {
    return readDense(value, depth);
  }
  const std::string_view word = m_cursor.textOf(m_cursor.take());
  if (const auto parameter = m_parameters.find(word); parameter != m_parameters.end()) {
    value = parameter->second;
    return true;
  }
  value.kind = Kind::Word;
  value.text = word;
  return skipAngles();  // of a type, such as `tensor<1xi64>`
}

/// `0x42000000 : f32`: MLIR writes floating-point numbers by their bits where decimals would not be
/// exact.
std::optional<double> HardwareValueReader::floatOfBits(const Token& token) const {
  const bool isHex = token.kind == TokenKind::Integer && m_cursor.textOf(token).starts_with("0x");
  if (!isHex || !m_cursor.at(TokenKind::Colon)) return {};
  const std::string_view type = m_cursor.textOf(m_cursor.peek(1));
  const auto bits = static_cast<std::uint64_t>(token.integer);
  if (type == "f64") return std::bit_cast<double>(bits);
  if (type == "f32") return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (type == "bf16") return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16));
  if (type == "f16") return halfOf(bits);
  return {};
}

bool HardwareValueReader::readNumber(HardwareValue& value) {
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
  if (const auto written = floatOfBits(token)) {
    value.whole = false;
    value.number = negative ? -*written : *written;
  }
  // A name before `=` is the next attribute, not a unit, as commas are optional.
  const bool atUnit = m_cursor.at(TokenKind::Ident) && !m_cursor.atLineStart();
  if (!atUnit || m_cursor.peek(1).kind == TokenKind::Equal || atLocation()) return true;
  value.unit = m_cursor.textOf(m_cursor.take());
  if (m_cursor.at(TokenKind::Slash) && m_cursor.peek(1).kind == TokenKind::Ident) {
    m_cursor.take();
    value.unit.append("/").append(m_cursor.textOf(m_cursor.take()));
  }
  return true;
}

}  // namespace gridloom::syntax
