// SPDX-License-Identifier: Apache-2.0
#include "exchange/json_spans.h"

#include <string>

namespace gridloom::exchange {

namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : m_text(text) { skipBlanks(); }

  std::size_t position() const { return m_at; }
  char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

  void skipBlanks() {
    while (m_at < m_text.size() &&
           std::string_view(" \t\r\n\xEF\xBB\xBF").find(m_text[m_at]) != std::string_view::npos) {
      ++m_at;
    }
  }

  /// Moves into the value that `step` names. Returns false, without moving past the value, if there
  /// is none.
  bool enter(std::string_view step) {
    if (peek() == '{') return enterMember(step);
    if (peek() == '[') return enterElement(step);
    return false;
  }

  void skipValue() {
    int depth = 0;
    do {
      const char c = peek();
      if (c == '"') {
        skipString();
      } else {
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        const bool scalar = depth == 0 && c != '}' && c != ']';
        ++m_at;
        if (scalar) skipScalar();
      }
      if (depth > 0) skipBlanks();
    } while (depth > 0 && m_at < m_text.size());
  }

 private:
  void skipString() {
    ++m_at;
    while (m_at < m_text.size() && m_text[m_at] != '"') m_at += m_text[m_at] == '\\' ? 2 : 1;
    ++m_at;
  }

  void skipScalar() {
    while (m_at < m_text.size() &&
           std::string_view(",]} \t\r\n").find(m_text[m_at]) == std::string_view::npos) {
      ++m_at;
    }
  }

  bool enterMember(std::string_view step) {
    ++m_at;
    for (skipBlanks(); peek() == '"'; skipSeparator()) {
      const std::size_t begin = m_at;
      skipString();
      const std::string_view name = m_text.substr(begin + 1, m_at - begin - 2);
      skipBlanks();
      ++m_at;  // the colon
      skipBlanks();
      if (name == step) return true;
      skipValue();
    }
    return false;
  }

  bool enterElement(std::string_view step) {
    ++m_at;
    std::size_t index = 0;
    for (skipBlanks(); peek() != ']' && peek() != '\0'; skipSeparator(), ++index) {
      if (std::to_string(index) == step) return true;
      skipValue();
    }
    return false;
  }

  void skipSeparator() {
    skipBlanks();
    if (peek() == ',') ++m_at;
    skipBlanks();
  }

  std::string_view m_text;
  std::size_t m_at = 0;
};

/// `~1` is `/` and `~0` is `~`.
std::string unescaped(std::string_view step) {
  std::string out;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] == '~' && i + 1 < step.size()) {
      out += step[++i] == '1' ? '/' : '~';
    } else {
      out += step[i];
    }
  }
  return out;
}

}  // namespace

base::Span spanOfValue(std::string_view json, std::string_view pointer) {
  Scanner scanner(json);
  Scanner found = scanner;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    if (!scanner.enter(unescaped(pointer.substr(0, end)))) break;
    found = scanner;
    pointer.remove_prefix(end);
  }
  const std::size_t begin = found.position();
  // For a large value, only its opening bracket: a caret under pages of text is no location.
  const bool compound = found.peek() == '{' || found.peek() == '[';
  if (!compound) found.skipValue();
  return {static_cast<std::uint32_t>(begin),
          static_cast<std::uint32_t>(compound ? begin + 1 : found.position())};
}

}  // namespace gridloom::exchange
