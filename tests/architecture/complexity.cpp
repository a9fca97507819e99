// SPDX-License-Identifier: Apache-2.0
#include "complexity.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

namespace gridloom::architecture {

namespace {

struct Token {
  std::string text;
  int line = 0;
};

bool isWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Words and signs, without comments, texts and lines of the preprocessor.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : m_text(text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    while (m_at < m_text.size()) {
      if (skipped()) continue;
      tokens.push_back({next(), m_line});
    }
    return tokens;
  }

 private:
  bool startsWith(std::string_view what) const { return m_text.substr(m_at, what.size()) == what; }

  void skipTo(std::string_view end) {
    const std::size_t found = std::min(m_text.find(end, m_at), m_text.size());
    m_line += static_cast<int>(std::count(m_text.begin() + static_cast<std::ptrdiff_t>(m_at),
                                          m_text.begin() + static_cast<std::ptrdiff_t>(found),
                                          '\n'));
    m_at = std::min(found + end.size(), m_text.size());
    if (end == "\n" && found < m_text.size()) ++m_line;
  }

  bool skipped() {
    if (m_text[m_at] == '\n') ++m_line;
    if (std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0) {
      ++m_at;
    } else if (startsWith("//") || startsWith("#")) {
      skipTo("\n");
    } else if (startsWith("/*")) {
      skipTo("*/");
    } else if (startsWith("R\"")) {
      const std::size_t open = m_text.find('(', m_at);
      const std::string end = ")" + std::string(m_text.substr(m_at + 2, open - m_at - 2)) + "\"";
      skipTo(end);
    } else if (m_text[m_at] == '"' || m_text[m_at] == '\'') {
      skipText(m_text[m_at]);
    } else {
      return false;
    }
    return true;
  }

  void skipText(char quote) {
    for (++m_at; m_at < m_text.size() && m_text[m_at] != quote; ++m_at) {
      if (m_text[m_at] == '\\') ++m_at;
    }
    ++m_at;
  }

  std::string next() {
    const std::size_t begin = m_at;
    // Apostrophes part the digits of a number.
    while (m_at < m_text.size() &&
           (isWordPart(m_text[m_at]) || (m_at > begin && m_text[m_at] == '\''))) {
      ++m_at;
    }
    if (m_at == begin) m_at += startsWith("&&") || startsWith("||") || startsWith("::") ? 2 : 1;
    return std::string(m_text.substr(begin, m_at - begin));
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  int m_line = 1;
};

bool has(const std::vector<Token>& tokens, std::string_view word) {
  return std::ranges::find(tokens, word, &Token::text) != tokens.end();
}

bool isDecision(const Token& token) {
  static const std::set<std::string, std::less<>> words{"if",    "for", "while", "switch",
                                                        "catch", "&&",  "||",    "?"};
  return words.contains(token.text);
}

/// Follows the blocks of a file outside of functions.
class Blocks {
 public:
  explicit Blocks(std::vector<Token> tokens) : m_tokens(std::move(tokens)) {}

  std::vector<FunctionComplexity> functions() {
    for (m_at = 0; m_at < m_tokens.size(); ++m_at) {
      const Token& token = m_tokens[m_at];
      if (token.text == "{") {
        open();
      } else if (token.text == "}" || token.text == ";") {
        m_head.clear();
      } else {
        m_head.push_back(token);
      }
    }
    return std::move(m_found);
  }

 private:
  // A namespace or a type holds functions; everything else in braces has a body or values.
  void open() {
    const bool isType = has(m_head, "class") || has(m_head, "struct") || has(m_head, "union");
    if (has(m_head, "namespace") || (isType && !has(m_head, "("))) return m_head.clear();
    const bool isFunction = has(m_head, "(");
    FunctionComplexity function{nameOf(m_head), m_tokens[m_at].line};
    int depth = 0;
    for (; m_at < m_tokens.size(); ++m_at) {
      const std::string& text = m_tokens[m_at].text;
      if (text == "{") ++depth;
      if (text == "}" && --depth == 0) break;
      if (isDecision(m_tokens[m_at])) ++function.complexity;
    }
    if (isFunction) m_found.push_back(std::move(function));
    // A member that a constructor begins with braces: the body comes later.
    const std::string next = m_at + 1 < m_tokens.size() ? m_tokens[m_at + 1].text : "";
    if (next != "," && next != "{") m_head.clear();
  }

  static std::string nameOf(const std::vector<Token>& head) {
    const auto bracket = std::ranges::find(head, "(", &Token::text);
    std::string name;
    for (auto at = bracket; at != head.begin();) {
      --at;
      const bool isJoint = at->text == "::" || at->text == "~" || name.starts_with("::");
      if (!name.empty() && !isJoint) break;
      name = at->text + name;
    }
    return name;
  }

  std::vector<Token> m_tokens;
  std::size_t m_at = 0;
  std::vector<Token> m_head;  ///< since the last block or statement
  std::vector<FunctionComplexity> m_found;
};

}  // namespace

std::vector<FunctionComplexity> complexitiesOf(std::string_view text) {
  return Blocks(Scanner(text).all()).functions();
}

}  // namespace gridloom::architecture
