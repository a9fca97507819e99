// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "base/message_limit.h"
#include "syntax/lexer.h"

namespace gridloom::syntax {
namespace {

TokenText lexed(const std::string& text) { return lex(base::makeSource("test", text)); }

std::string firstError(const std::string& text) {
  const TokenText tokens = lexed(text);
  return tokens.errors.empty() ? "" : tokens.errors.front().message;
}

TEST(Lexer, CutsEveryKindOfToken) {
  const TokenText t =
      lexed("%x1 = df.a \"q\\\"s\" -> 12 1.5e3 <= >= == != < > ( ) [ ] { } : ; ! @");
  ASSERT_TRUE(t.errors.empty());
  EXPECT_EQ(t.tokens[0].kind, TokenKind::PercentIdent);
  EXPECT_EQ(t.textOf(t.tokens[0]), "%x1");
  EXPECT_EQ(t.tokens[3].kind, TokenKind::Dot);
  EXPECT_EQ(stringValue(t.textOf(t.tokens[5])), "q\"s");
  EXPECT_EQ(t.tokens[6].kind, TokenKind::Arrow);
  EXPECT_EQ(t.tokens[7].integer, 12);
  EXPECT_DOUBLE_EQ(t.tokens[8].number, 1500);
  EXPECT_EQ(t.tokens[9].kind, TokenKind::LessEqual);
  EXPECT_EQ(t.tokens.back().kind, TokenKind::End);
}

TEST(Lexer, KeepsCommentsBesideTheTokens) {
  const TokenText t = lexed("// one \xC3\xA9\r\na // two\n");
  ASSERT_EQ(t.comments.size(), 2u);
  EXPECT_TRUE(t.comments[0].ownLine);
  EXPECT_FALSE(t.comments[1].ownLine);
  EXPECT_EQ(t.textOf(t.comments[0].span), "// one \xC3\xA9");
  EXPECT_EQ(t.tokens.size(), 2u);
}

// Signs are a matter of languages that have expressions.
TEST(Lexer, SaysWhatNamesHaveWhereNoSignIsKnown) {
  const auto hint = [](const char* text, const char* signHelp) {
    return lex(base::makeSource("test", text), signHelp).errors.at(0).hint;
  };
  const std::string names = "names have letters a to z, digits and `_`";
  EXPECT_EQ(hint("4 \u00b5elem/cycle", ""), names);
  EXPECT_EQ(hint("4 \u00d7 2", ""), names);
  EXPECT_EQ(hint("\u00b5", "signs"), names);
  EXPECT_EQ(hint("4 \u00d7 2", "signs"), "signs");
  EXPECT_EQ(hint("x\u2074", "signs"), "signs");
  EXPECT_EQ(hint("x\u208f", "signs"), names);
  EXPECT_EQ(hint("a \u2264 b", "signs"), "signs");
}

TEST(Lexer, RefusesWhatIsNotText) {
  EXPECT_EQ(firstError(std::string("a \0 b", 5)), "these bytes are not text");
  EXPECT_EQ(firstError("a \xFF\xFE b"), "these bytes are not text");
  EXPECT_EQ(firstError("// \xC0\x80"), "this comment holds bytes that are not UTF-8 text");
  EXPECT_EQ(firstError("\"\xED\xA0\x80\""), "this string holds bytes that are not UTF-8 text");
  EXPECT_EQ(firstError("\xC3\xA9"), "only ASCII text may stand outside comments and strings");
  EXPECT_EQ(firstError("\"open\nnext"), "this string is not closed on its line");
  EXPECT_EQ(firstError("a $ b"), "unexpected character `$`");
}

TEST(Lexer, RefusesNumbersThatOverflow) {
  EXPECT_EQ(firstError("9223372036854775807"), "");
  EXPECT_EQ(firstError("9223372036854775808"), "this integer does not fit into 64 bits");
  EXPECT_EQ(firstError("1e999"), "this number is outside the range of 64-bit floating point");
}

TEST(Lexer, GoesOnBehindAnErrorAndBoundsTheReports) {
  const TokenText t = lexed("a $ b");
  ASSERT_EQ(t.tokens.size(), 4u);
  EXPECT_EQ(t.tokens[1].kind, TokenKind::Error);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "$ ";
  EXPECT_EQ(lexed(many).errors.size(), base::kMostMessages);
}

TEST(Lexer, QuotesRoundTrip) {
  for (const std::string& value : {std::string("a\"b\\c"), std::string("x\ty\n"), std::string()}) {
    EXPECT_EQ(stringValue(quotedString(value)), value);
  }
}

}  // namespace
}  // namespace gridloom::syntax
