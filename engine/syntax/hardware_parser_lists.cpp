// SPDX-License-Identifier: Apache-2.0
// Values of several parts: lists, MLIR's arrays, and attributes between braces.
#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "base/message_limit.h"
#include "syntax/hardware_parser_values.h"
#include "syntax/limits.h"

namespace gridloom::syntax {

namespace {

using Kind = HardwareValue::Kind;

}  // namespace

bool HardwareValueReader::readAttributes(std::vector<HardwareAttribute>& attributes,
                                         TokenKind close, int depth) {
  m_cursor.take();
  while (!m_cursor.accept(close)) {
    if (attributes.size() == kMaxAttributes) {
      base::report(m_out, base::errorAt(m_cursor.text().source, m_cursor.peek().span,
                                        "more than " + std::to_string(kMaxAttributes) +
                                            " attributes of one operation",
                                        "this is the limit"));
      return false;
    }
    HardwareAttribute attribute;
    if (!readAttribute(attribute, close, depth)) return false;
    attributes.push_back(std::move(attribute));
    m_cursor.accept(TokenKind::Comma);
  }
  return true;
}

bool HardwareValueReader::readAttribute(HardwareAttribute& attribute, TokenKind close, int depth) {
  if (!m_cursor.at(TokenKind::Ident) && !m_cursor.at(TokenKind::String)) {
    m_cursor.reportExpected("an attribute or " + std::string(describe(close)), m_out);
    return false;
  }
  readAttributeName(attribute);
  if (m_cursor.at(TokenKind::Comma) || m_cursor.at(close)) {
    attribute.value.kind = Kind::Word;
    attribute.value.text = "yes";
    attribute.value.span = attribute.nameSpan;
    return true;
  }
  if (!m_cursor.expect(TokenKind::Equal, "after the attribute's name", m_out)) return false;
  std::optional<HardwareValue> value = readValue(depth + 1);
  if (!value || !skipTypes()) return false;
  attribute.value = *std::move(value);
  return true;
}

/// `size`, `tt.divisibility`, `"size"`
void HardwareValueReader::readAttributeName(HardwareAttribute& attribute) {
  const Token first = m_cursor.take();
  attribute.name = m_cursor.textOf(first);
  if (first.kind == TokenKind::String) {
    attribute.name = attribute.name.substr(1, attribute.name.size() - 2);
  }
  while (m_cursor.at(TokenKind::Dot) && m_cursor.peek(1).kind == TokenKind::Ident) {
    m_cursor.take();
    const base::Span part = m_cursor.take().span;
    attribute.name = std::string_view(attribute.name.data(), part.end - first.span.begin);
  }
  attribute.nameSpan = m_cursor.spanFrom(first);
}

bool HardwareValueReader::readList(HardwareValue& value, TokenKind close, int depth) {
  value.kind = Kind::List;
  m_cursor.take();
  while (!m_cursor.accept(close)) {
    std::optional<HardwareValue> item = readValue(depth + 1);
    if (!item || !skipTypes()) return false;
    value.items.push_back(*std::move(item));
    if (!m_cursor.accept(TokenKind::Comma) && !m_cursor.at(close)) {
      m_cursor.reportExpected("`,` or " + std::string(describe(close)), m_out);
      return false;
    }
  }
  return true;
}

/// `array<i64: 32, 32>`: a list, as MLIR prints lists of integers of one type.
bool HardwareValueReader::readArray(HardwareValue& value) {
  m_cursor.take();
  m_cursor.take();
  value.kind = Kind::List;
  if (!skipType(0)) return false;
  if (m_cursor.accept(TokenKind::Greater)) return true;
  if (!m_cursor.expect(TokenKind::Colon, "after the type of an array", m_out)) return false;
  do {
    const Token first = m_cursor.peek();
    HardwareValue item;
    if (!readNumber(item)) return false;
    item.span = m_cursor.spanFrom(first);
    value.items.push_back(std::move(item));
  } while (m_cursor.accept(TokenKind::Comma));
  return m_cursor.expect(TokenKind::Greater, "to close the array", m_out);
}

/// `dense<[32, 32]> : tensor<2xi64>`; `dense<32>` is one number for all elements of its type.
bool HardwareValueReader::readDense(HardwareValue& value, int depth) {
  m_cursor.take();
  m_cursor.take();
  const Token first = m_cursor.peek();
  std::optional<HardwareValue> elements = readValue(depth + 1);
  if (!elements || !m_cursor.expect(TokenKind::Greater, "to close `dense`", m_out)) return false;
  if (!m_cursor.expect(TokenKind::Colon, "before the type of `dense`", m_out)) return false;
  std::int64_t count = 1;
  if (!readTensorType(count)) return false;
  value = *std::move(elements);
  if (value.kind == Kind::List) return true;
  HardwareValue list;
  list.kind = Kind::List;
  list.items.assign(static_cast<std::size_t>(count), value);
  list.span = m_cursor.spanFrom(first);
  value = std::move(list);
  return true;
}

/// `tensor<1xi64>`, `vector<2x3xf32>`: `elements` is the product of the extents.
bool HardwareValueReader::readTensorType(std::int64_t& elements) {
  if (!m_cursor.atWord("tensor") && !m_cursor.atWord("vector")) {
    m_cursor.reportExpected("the type of `dense`", m_out, "such as `tensor<1xi64>`");
    return false;
  }
  m_cursor.take();
  const Token open = m_cursor.peek();
  if (!m_cursor.expect(TokenKind::Less, "after `tensor`", m_out)) return false;
  const Token first = m_cursor.peek();
  while (m_cursor.at(TokenKind::Integer) || m_cursor.at(TokenKind::Ident)) m_cursor.take();
  const base::Span span = m_cursor.spanFrom(first);
  std::string_view type = m_cursor.text().source->text().substr(span.begin, span.end - span.begin);
  while (!type.empty() && type.front() >= '0' && type.front() <= '9') {
    std::int64_t extent = 0;
    const char* end = type.data() + type.size();
    const auto [next, fault] = std::from_chars(type.data(), end, extent);
    if (fault != std::errc() || extent > kMostElements / elements) {
      base::report(m_out, base::errorAt(m_cursor.text().source, m_cursor.spanFrom(open),
                                        "more than " + std::to_string(kMostElements) +
                                            " elements in an attribute",
                                        "this is the limit"));
      return false;
    }
    elements = std::max<std::int64_t>(1, elements * extent);
    const bool more = next != end && *next == 'x';
    type.remove_prefix(static_cast<std::size_t>(next - type.data()) + (more ? 1 : 0));
  }
  return m_cursor.expect(TokenKind::Greater, "to close the type", m_out);
}

}  // namespace gridloom::syntax
