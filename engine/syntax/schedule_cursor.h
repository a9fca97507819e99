// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/former_names.h"
#include "schedule/op_names.h"
#include "syntax/schedule_text.h"
#include "syntax/spelling.h"
#include "syntax/token_cursor.h"

namespace gridloom::syntax {

/// Parses the elements of schedules: names (plain or quoted), numbers, keywords from a table.
class ScheduleCursor : public ReportingCursor {
 public:
  using Name = ScheduleText::Name;
  using Number = ScheduleText::Number;

  explicit ScheduleCursor(const TokenText& text) : ReportingCursor(text) {}

  bool needToken(TokenKind kind, const char* example) {
    return accept(kind) || expected(syntax::describe(kind), std::string("write `") + example + "`");
  }
  bool needWord(std::string_view word, const char* example) {
    return acceptWord(word) ||
           expected("`" + std::string(word) + "`", std::string("write `") + example + "`");
  }
  bool name(std::string_view what, Name& out) {
    if (!at(TokenKind::Ident) && !at(TokenKind::String)) return expected(what);
    const Token& token = take();
    const std::string_view spelled = textOf(token);
    out = {token.kind == TokenKind::String ? stringValue(spelled) : std::string(spelled),
           token.span};
    return true;
  }
  bool names(std::string_view what, std::vector<Name>& out) {
    do {
      if (out.size() == kMaxDirectiveNames) return tooMany("names", kMaxDirectiveNames);
      Name one;
      if (!name(what, one)) return false;
      const bool twice =
          std::any_of(out.begin(), out.end(), [&](const Name& n) { return n.text == one.text; });
      if (twice) return fail(one.span, "`" + one.text + "` is named twice");
      out.push_back(std::move(one));
    } while (accept(TokenKind::Comma));
    return true;
  }
  bool number(std::string_view what, std::int64_t least, std::int64_t most, Number& out) {
    const Token first = peek();
    const bool negative = accept(TokenKind::Minus);
    if (!at(TokenKind::Integer)) return expected(what);
    out.value = take().integer * (negative ? -1 : 1);
    out.span = spanFrom(first);
    if (out.value >= least && out.value <= most) return true;
    const bool open = most == std::numeric_limits<std::int64_t>::max();
    return fail(out.span, std::string(what) + (open ? " is at least " : " is between ") +
                              std::to_string(least) + (open ? "" : " and " + std::to_string(most)) +
                              ", got " + std::to_string(out.value));
  }
  /// Takes the keyword of one of `values`; `nameOf` gives their keywords.
  template <class T, std::size_t n> bool word(const std::array<T, n>& values, T& out) {
    for (const T value : values) {
      if (mapping::presentName(word()) != schedule::nameOf(value)) continue;
      take();
      out = value;
      return true;
    }
    return false;
  }
  /// The next word; empty if the next token is none.
  std::string_view word() { return at(TokenKind::Ident) ? textOf(peek()) : std::string_view{}; }
  template <class T, std::size_t n>
  bool needOneOf(const std::array<T, n>& values, std::string_view what, T& out) {
    if (word(values, out)) return true;
    std::array<std::string_view, n> known;
    std::transform(values.begin(), values.end(), known.begin(),
                   [](T value) { return schedule::nameOf(value); });
    return expected(what, spellingHint(textOf(peek()), known));
  }
};

}  // namespace gridloom::syntax
