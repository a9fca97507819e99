// SPDX-License-Identifier: Apache-2.0
#include "syntax/token.h"

#include <array>
#include <cstddef>

namespace gridloom::syntax {

namespace {

/// In the order of `TokenKind`.
constexpr std::array<std::string_view, 37> kDescriptions{"the end of the text",
                                                         "text",
                                                         "a name",
                                                         "a name with `%`",
                                                         "an integer",
                                                         "a number",
                                                         "a string",
                                                         "`->`",
                                                         "`=`",
                                                         "`{`",
                                                         "`}`",
                                                         "`(`",
                                                         "`)`",
                                                         "`[`",
                                                         "`]`",
                                                         "`<`",
                                                         "`>`",
                                                         "`<=`",
                                                         "`>=`",
                                                         "`==`",
                                                         "`!=`",
                                                         "`,`",
                                                         "`:`",
                                                         "`.`",
                                                         "`+`",
                                                         "`-`",
                                                         "`*`",
                                                         "`/`",
                                                         "`;`",
                                                         "`!`",
                                                         "`@`",
                                                         "`?`",
                                                         "`^`",
                                                         "`%`",
                                                         "`&`",
                                                         "`|`",
                                                         "`#`"};
static_assert(kDescriptions.size() == static_cast<std::size_t>(TokenKind::Hash) + 1);

}  // namespace

std::string stringValue(std::string_view quotedText) {
  std::string value;
  for (std::size_t i = 1; i + 1 < quotedText.size(); ++i) {
    char c = quotedText[i];
    if (c == '\\' && i + 2 < quotedText.size()) {
      c = quotedText[++i];
      if (c == 'n') c = '\n';
      if (c == 't') c = '\t';
    }
    value.push_back(c);
  }
  return value;
}

std::string quotedString(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      if (c == '"' || c == '\\') out.push_back('\\');
      out.push_back(c);
    }
  }
  out.push_back('"');
  return out;
}

std::string_view describe(TokenKind kind) { return kDescriptions[static_cast<std::size_t>(kind)]; }

std::string describe(const TokenText& text, const Token& token) {
  constexpr std::size_t kShown = 40;
  if (token.kind == TokenKind::End) return std::string(describe(token.kind));
  const std::string_view shown = text.textOf(token);
  if (shown.size() <= kShown) return "`" + std::string(shown) + "`";
  std::size_t cut = kShown;
  while (cut > 0 && (static_cast<unsigned char>(shown[cut]) & 0xC0) == 0x80) --cut;
  return "`" + std::string(shown.substr(0, cut)) + "...`";
}

}  // namespace gridloom::syntax
