// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message_limit.h"
#include "syntax/lexer.h"
#include "syntax/limits.h"

namespace gridloom::syntax {

/// A position in a token sequence that reports unexpected tokens. It never moves past `End`.
class TokenCursor {
 public:
  explicit TokenCursor(const TokenText& text) : m_text(&text) {}

  const TokenText& text() const { return *m_text; }
  std::size_t position() const { return m_next; }
  void moveTo(std::size_t position) { m_next = position; }

  const Token& peek(std::size_t ahead = 0) const {
    const std::size_t last = m_text->tokens.size() - 1;
    return m_text->tokens[m_next + ahead < last ? m_next + ahead : last];
  }
  bool at(TokenKind kind) const { return peek().kind == kind; }
  /// Whether the cursor is at this word; keywords are plain names to the lexer.
  bool atWord(std::string_view word) const {
    return at(TokenKind::Ident) && m_text->textOf(peek()) == word;
  }
  const Token& take() {
    const Token& token = peek();
    if (token.kind != TokenKind::End) ++m_next;
    return token;
  }
  bool accept(TokenKind kind) {
    if (!at(kind)) return false;
    take();
    return true;
  }
  bool acceptWord(std::string_view word) {
    if (!atWord(word)) return false;
    take();
    return true;
  }
  std::string_view textOf(const Token& token) const { return m_text->textOf(token); }

  /// Takes a token of this kind, or reports "expected `kind` <context>, got ..." and does not move.
  bool expect(TokenKind kind, std::string_view context, base::Diagnostics& out);
  /// Reports "expected <what>, got ..." here, unless the lexer has already reported this token.
  void reportExpected(std::string_view what, base::Diagnostics& out, std::string hint = {}) const;
  /// Whether a line break precedes the next token.
  bool atLineStart() const;
  /// The span from the first byte of `first` to the last byte of the token before the cursor.
  base::Span spanFrom(const Token& first) const;

 private:
  const TokenText* m_text;
  std::size_t m_next = 0;
};

/// A cursor that collects its diagnostics. Parsers return `false` where they cannot continue.
class ReportingCursor : public TokenCursor {
 public:
  explicit ReportingCursor(const TokenText& text) : TokenCursor(text), m_errors(text.errors) {}

  base::Diagnostics& errors() { return m_errors; }
  bool expected(std::string_view what, std::string hint = {});
  bool fail(base::Span span, std::string message, std::string hint = {});
  /// Reports here that the text has more of these than the limit.
  bool tooMany(std::string_view what, std::size_t limit);
  /// Parses directives, separated by line ends or `;`; `parseOne(directive)` parses each. An error
  /// costs one directive.
  template <class Directive, class ParseOne>
  std::vector<Directive> directives(const ParseOne& parseOne) {
    std::vector<Directive> list;
    while (!at(TokenKind::End) && !base::isFull(m_errors)) {
      if (accept(TokenKind::Semicolon)) continue;
      if (list.size() == kMaxDirectives) {
        tooMany("directives", kMaxDirectives);
        break;
      }
      const std::size_t start = position();
      Directive directive;
      if (parseOne(directive)) {
        list.push_back(std::move(directive));
      } else {
        skipDirective(start);
      }
    }
    return list;
  }
  /// Takes the keyword of a directive: the entry of `forms` with that `word`, or with that `former`
  /// word (empty where there is none). Returns null after a report, which may suggest `others`:
  /// words that the caller has looked for already.
  template <class Form, std::size_t n>
  const Form* directiveWord(const std::array<Form, n>& forms, std::string_view example,
                            std::span<const std::string_view> others = {}) {
    const std::string_view word = at(TokenKind::Ident) ? textOf(peek()) : std::string_view{};
    for (const Form& form : forms) {
      if (form.former.empty() || form.former != word) continue;
      take();
      return &form;
    }
    std::vector<std::string_view> words(n);
    std::ranges::transform(forms, words.begin(), &Form::word);
    words.insert(words.end(), others.begin(), others.end());
    const std::size_t found = takeWordOf(words, example);
    return found < n ? &forms[found] : nullptr;
  }

 private:
  void skipDirective(std::size_t start);
  std::size_t takeWordOf(std::span<const std::string_view> words, std::string_view example);

  base::Diagnostics m_errors;
};

}  // namespace gridloom::syntax
