// SPDX-License-Identifier: Apache-2.0

// What is expected at a place of a text.

#include <fmt/format.h>

#include <filesystem>

#include "language/language.h"
#include "syntax/language_words.h"
#include "syntax/lexer.h"

namespace gridloom::language {

namespace {

using syntax::LanguageKind;
using syntax::LanguageWord;
using syntax::Token;
using syntax::TokenKind;

std::string helpOf(LanguageKind language, std::string_view word, std::string_view op) {
  const LanguageWord* known = syntax::findWord(language, word, op);
  if (known == nullptr || known->help.empty()) return {};
  return fmt::format("{}: {}", known->word, known->help);
}

/// The tokens before an offset, read backwards.
class Before {
 public:
  Before(const syntax::TokenText& text, std::uint32_t offset) : m_text(text) {
    while (m_count < text.tokens.size() && text.tokens[m_count].span.end <= offset &&
           text.tokens[m_count].kind != TokenKind::End)
      ++m_count;
  }

  /// The name in front of the parenthesis that is open; "" for none.
  std::string_view call() const {
    int depth = 0;
    for (std::size_t n = m_count; n-- > 0;) {
      const TokenKind kind = kindAt(n);
      if (kind == TokenKind::LBrace || kind == TokenKind::RBrace) return {};
      if (kind == TokenKind::RParen) ++depth;
      if (kind == TokenKind::LParen && depth-- == 0)
        return n > 0 && kindAt(n - 1) == TokenKind::Ident ? m_text.textOf(m_text.tokens[n - 1])
                                                          : std::string_view();
    }
    return {};
  }

  /// The attribute whose value is written: `name =` is the last before the offset, without a comma
  /// of its own braces behind it.
  std::string_view attribute() const {
    int depth = 0;
    for (std::size_t n = m_count; n-- > 0;) {
      const TokenKind kind = kindAt(n);
      const bool closes =
          kind == TokenKind::RBrace || kind == TokenKind::RParen || kind == TokenKind::RBracket;
      const bool opens =
          kind == TokenKind::LBrace || kind == TokenKind::LParen || kind == TokenKind::LBracket;
      if (closes) ++depth;
      if (opens && depth > 0) --depth;
      if (depth > 0) continue;
      if (kind == TokenKind::Comma || kind == TokenKind::LBrace) return {};
      if (kind == TokenKind::Equal && n > 0 && kindAt(n - 1) == TokenKind::Ident)
        return m_text.textOf(m_text.tokens[n - 1]);
    }
    return {};
  }

  /// The last operation: `df.memory`.
  std::string_view op() const {
    for (std::size_t n = m_count; n-- > 2;) {
      if (kindAt(n - 1) == TokenKind::Dot && m_text.textOf(m_text.tokens[n - 2]) == "df")
        return m_text.textOf(m_text.tokens[n]);
    }
    return {};
  }

 private:
  TokenKind kindAt(std::size_t n) const { return m_text.tokens[n].kind; }

  const syntax::TokenText& m_text;
  std::size_t m_count = 0;
};

}  // namespace

std::string signatureAt(const base::SourceRef& text, std::uint32_t offset) {
  const std::string extension = std::filesystem::path(text->name()).extension().string();
  const syntax::TokenText tokens = syntax::lex(text);
  const Before before(tokens, offset);
  if (extension == ".rec") return helpOf(LanguageKind::Kernel, before.call(), {});
  if (extension == ".sched") return helpOf(LanguageKind::Directives, before.call(), {});
  return extension == ".hw" ? helpOf(LanguageKind::Hardware, before.attribute(), before.op())
                            : std::string();
}

}  // namespace gridloom::language
