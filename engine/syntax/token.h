// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source_text.h"

namespace gridloom::syntax {

/// Tokens of all languages. A unit such as `B/cycle` or a name such as `df.core` is several tokens.
enum class TokenKind : std::uint8_t {
  End,
  Error,         ///< already reported by the lexer; parsers skip it silently
  Ident,         ///< [A-Za-z_][A-Za-z0-9_]*
  PercentIdent,  ///< %[A-Za-z0-9_]+ with the percent sign in the span
  Integer,
  Float,
  String,  ///< "..." on one line, quotes in the span
  Arrow,   ///< ->
  Equal,
  LBrace,
  RBrace,
  LParen,
  RParen,
  LBracket,
  RBracket,
  Less,
  Greater,
  LessEqual,
  GreaterEqual,
  EqualEqual,
  NotEqual,
  Comma,
  Colon,
  Dot,
  Plus,
  Minus,
  Star,
  Slash,
  Semicolon,
  Bang,
  At,
  Question,
  Caret,
  Percent,
  Ampersand,
  Bar,
  Hash,
};

struct Token {
  TokenKind kind = TokenKind::End;
  base::Span span;
  std::int64_t integer = 0;  ///< Integer only
  double number = 0;         ///< Integer and Float
};

/// A `//` comment up to the end of its line.
struct Comment {
  base::Span span;       ///< with the slashes, without trailing whitespace
  bool ownLine = false;  ///< only whitespace precedes it on its line
};

/// A text as tokens. The last token is always `End`, with an empty span at the end of the text.
struct TokenText {
  base::SourceRef source;
  std::vector<Token> tokens;
  std::vector<Comment> comments;  ///< in order; they are no tokens
  base::Diagnostics errors;  ///< one per `Error` token, at most the first `base::kMostMessages`

  std::string_view textOf(base::Span span) const {
    return source->text().substr(span.begin, span.end - span.begin);
  }
  std::string_view textOf(const Token& token) const { return textOf(token.span); }
};

/// The value of a String token: without quotes, with `\"` `\\` `\n` `\t` resolved.
std::string stringValue(std::string_view quoted);
/// The inverse: a String token with that value.
std::string quotedString(std::string_view value);

/// "`->`", "a name", "a number": for messages about what was expected.
std::string_view describe(TokenKind kind);
/// "`28`", "the end of the text": for messages about what was found.
std::string describe(const TokenText& text, const Token& token);

}  // namespace gridloom::syntax
