// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "base/message_limit.h"
#include "syntax/schedule_cursor.h"

namespace gridloom::syntax {

/// Reads the blocks of a schedule and goes on behind their errors: an error costs one part. Every
/// part of the parser has the same reader.
class ScheduleReader : public ScheduleCursor {
 public:
  using Words = std::span<const std::string_view>;
  using ScheduleCursor::ScheduleCursor;

  /// Whether reading ends here: too many errors, or a text beyond a limit.
  bool full() { return m_beyond || base::isFull(errors()); }

  /// Whether one more than `count` is within the limit. The first that is not ends the parse.
  bool hasRoom(std::size_t count, std::size_t limit, std::string_view what) {
    if (count < limit) return true;
    if (!m_beyond) tooMany(what, limit);
    m_beyond = true;
    return false;
  }

  /// `{ part part ... }` after a header. A part that fails is skipped, with the braces it opened.
  /// After a header with an error, which may end before its `{`, the block is parsed nevertheless.
  template <class ParsePart>
  bool block(bool head, const ParsePart& parsePart, std::string_view what, Words outside = {}) {
    if (head && accept(TokenKind::LBrace)) {
      return parts(parsePart, what, outside, errors().size());
    }
    if (head) expected("`{`");
    while (!at(TokenKind::End) && !at(TokenKind::LBrace) && !atLineStart()) {
      take();
    }
    accept(TokenKind::LBrace);
    parts(parsePart, what, outside, 0);
    return false;
  }

 private:
  /// Parses up to the `}` of a block that began after `before` errors. A line that begins with a
  /// part of an enclosing block ends it, too: its `}` is missing, perhaps lost with an error
  /// reported already.
  template <class ParsePart>
  bool parts(const ParsePart& parsePart, std::string_view what, Words outside, std::size_t before) {
    const auto sound = [&] { return errors().size() == before; };
    while (!at(TokenKind::RBrace) && !at(TokenKind::End) && !full()) {
      if (atLineStart() && atPartOf(outside)) break;
      const std::size_t start = position();
      if (!parsePart()) skipFrom(start);
    }
    if (accept(TokenKind::RBrace)) return true;
    return sound() && !full() ? expected(std::string(what) + " or `}`") : false;
  }

  /// Whether the cursor is at a word that begins one of these parts. `compute` is also a statement;
  /// before `{` it is a process.
  bool atPartOf(Words words) const {
    if (!at(TokenKind::Ident)) return false;
    const std::string_view word = textOf(peek());
    if (std::ranges::find(words, word) == words.end()) return false;
    return word != "compute" || peek(1).kind == TokenKind::LBrace;
  }

  /// Continues after the line, so that one error costs one statement.
  void skipFrom(std::size_t start) {
    if (position() == start && !at(TokenKind::RBrace)) take();
    int depth = 0;
    while (!at(TokenKind::End)) {
      if (depth == 0 && (at(TokenKind::RBrace) || atLineStart())) return;
      const TokenKind kind = take().kind;
      if (kind == TokenKind::LBrace) ++depth;
      if (kind == TokenKind::RBrace && --depth == 0) return;
    }
  }

  bool m_beyond = false;  ///< the text exceeds a limit: the rest of it is not read
};

}  // namespace gridloom::syntax
