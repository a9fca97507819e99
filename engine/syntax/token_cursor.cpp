// SPDX-License-Identifier: Apache-2.0
#include "syntax/token_cursor.h"

#include <algorithm>

#include "syntax/spelling.h"

namespace gridloom::syntax {

bool TokenCursor::expect(TokenKind kind, std::string_view context, base::Diagnostics& out) {
  if (accept(kind)) return true;
  std::string what(describe(kind));
  if (!context.empty()) what.append(" ").append(context);
  reportExpected(what, out);
  return false;
}

void TokenCursor::reportExpected(std::string_view what, base::Diagnostics& out,
                                 std::string hint) const {
  if (at(TokenKind::Error)) return;
  std::string message = "expected ";
  message.append(what).append(", got ").append(describe(*m_text, peek()));
  base::report(out,
               base::errorAt(m_text->source, peek().span, std::move(message), std::move(hint)));
}

bool TokenCursor::atLineStart() const {
  if (m_next == 0) return true;
  const std::uint32_t from = m_text->tokens[m_next - 1].span.end;
  const std::uint32_t to = peek().span.begin;
  return m_text->source->text().substr(from, to - from).find('\n') != std::string_view::npos;
}

base::Span TokenCursor::spanFrom(const Token& first) const {
  const std::uint32_t end = m_next == 0 ? first.span.end : m_text->tokens[m_next - 1].span.end;
  return {first.span.begin, std::max(first.span.begin, end)};
}

bool ReportingCursor::expected(std::string_view what, std::string hint) {
  reportExpected(what, m_errors, std::move(hint));
  return false;
}

bool ReportingCursor::fail(base::Span span, std::string message, std::string hint) {
  base::report(m_errors, base::errorAt(text().source, span, std::move(message), std::move(hint)));
  return false;
}

bool ReportingCursor::tooMany(std::string_view what, std::size_t limit) {
  return fail(peek().span, "more than " + std::to_string(limit) + " " + std::string(what),
              "this is the limit: split the text into several files");
}

std::size_t ReportingCursor::takeWordOf(std::span<const std::string_view> words,
                                        std::string_view example) {
  if (!at(TokenKind::Ident)) {
    expected("a directive", "for example " + std::string(example));
    return words.size();
  }
  const Token& token = peek();
  const std::string_view word = textOf(token);
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) {
    fail(token.span, "unknown directive `" + std::string(word) + "`", spellingHint(word, words));
    return words.size();
  }
  take();
  return static_cast<std::size_t>(found - words.begin());
}

void ReportingCursor::skipDirective(std::size_t start) {
  if (position() == start) take();
  while (!at(TokenKind::End) && !at(TokenKind::Semicolon) && !atLineStart()) take();
}

}  // namespace gridloom::syntax
