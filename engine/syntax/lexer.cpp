// SPDX-License-Identifier: Apache-2.0
#include "syntax/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "base/message_limit.h"
#include "base/utf8.h"
#include "syntax/limits.h"

namespace gridloom::syntax {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isHexDigit(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWord(char c) { return isWordStart(c) || isDigit(c); }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool isAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Operators, powers, and the capital letters of sums and products, at the start of UTF-8 text.
bool isMathematicalSign(std::string_view text) {
  constexpr std::array<std::string_view, 12> signs{"\u00b1", "\u00b2", "\u00b3", "\u00b7",
                                                   "\u00b9", "\u00d7", "\u00f7", "\u03a0",
                                                   "\u03a3", "\u2070", "\u2a7d", "\u2a7e"};
  if (std::ranges::any_of(signs, [&](std::string_view sign) { return text.starts_with(sign); }))
    return true;
  // U+2074 to U+208E: small digits; U+2200 to U+22FF: operators.
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  if (byte(0) != 0xE2) return false;
  const bool isSmallDigit =
      (byte(1) == 0x81 && byte(2) >= 0xB4) || (byte(1) == 0x82 && byte(2) <= 0x8E);
  return isSmallDigit || (byte(1) >= 0x88 && byte(1) <= 0x8B);
}

struct Punctuation {
  std::string_view spelling;
  TokenKind kind;
};

// Longer spellings come first.
constexpr std::array kPunctuation = {Punctuation{"->", TokenKind::Arrow},
                                     Punctuation{"<=", TokenKind::LessEqual},
                                     Punctuation{">=", TokenKind::GreaterEqual},
                                     Punctuation{"==", TokenKind::EqualEqual},
                                     Punctuation{"!=", TokenKind::NotEqual},
                                     Punctuation{"=", TokenKind::Equal},
                                     Punctuation{"{", TokenKind::LBrace},
                                     Punctuation{"}", TokenKind::RBrace},
                                     Punctuation{"(", TokenKind::LParen},
                                     Punctuation{")", TokenKind::RParen},
                                     Punctuation{"[", TokenKind::LBracket},
                                     Punctuation{"]", TokenKind::RBracket},
                                     Punctuation{"<", TokenKind::Less},
                                     Punctuation{">", TokenKind::Greater},
                                     Punctuation{",", TokenKind::Comma},
                                     Punctuation{":", TokenKind::Colon},
                                     Punctuation{".", TokenKind::Dot},
                                     Punctuation{"+", TokenKind::Plus},
                                     Punctuation{"-", TokenKind::Minus},
                                     Punctuation{"*", TokenKind::Star},
                                     Punctuation{"/", TokenKind::Slash},
                                     Punctuation{";", TokenKind::Semicolon},
                                     Punctuation{"!", TokenKind::Bang},
                                     Punctuation{"@", TokenKind::At},
                                     Punctuation{"?", TokenKind::Question},
                                     Punctuation{"^", TokenKind::Caret},
                                     Punctuation{"%", TokenKind::Percent},
                                     Punctuation{"&", TokenKind::Ampersand},
                                     Punctuation{"|", TokenKind::Bar},
                                     Punctuation{"#", TokenKind::Hash}};

class Lexer {
 public:
  Lexer(base::SourceRef source, std::string_view signHelp)
      : m_text(source->text()), m_signHelp(signHelp) {
    m_out.source = std::move(source);
  }

  TokenText run() {
    if (m_text.size() > kMaxTextBytes) return refuse("the text is larger than 16 MiB");
    if (rest().starts_with("\xEF\xBB\xBF")) m_at = 3;
    while (m_at < m_text.size()) {
      lexOne();
      if (m_out.tokens.size() + m_out.comments.size() <= kMaxTokens) continue;
      return refuse("the text has more than " + std::to_string(kMaxTokens) + " words and signs");
    }
    add(TokenKind::End, m_at);
    return std::move(m_out);
  }

 private:
  std::string_view rest() const { return m_text.substr(m_at); }
  char look(std::size_t ahead) const {
    return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
  }

  static base::Span spanOf(std::size_t begin, std::size_t end) {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  Token& add(TokenKind kind, std::size_t begin) {
    return m_out.tokens.emplace_back(Token{kind, spanOf(begin, m_at), 0, 0});
  }
  void fail(std::size_t begin, std::size_t end, std::string message, std::string hint) {
    m_out.tokens.push_back({TokenKind::Error, spanOf(begin, end), 0, 0});
    base::report(m_out.errors, base::errorAt(m_out.source, spanOf(begin, end), std::move(message),
                                             std::move(hint)));
  }
  /// A text beyond a limit gives one error and no tokens, so that no other error follows.
  TokenText refuse(std::string message) {
    m_out.tokens.clear();
    m_out.comments.clear();
    m_out.errors.clear();
    fail(m_at, m_at + 1, std::move(message), "split it into several files");
    m_at = m_text.size();
    add(TokenKind::End, m_at);
    return std::move(m_out);
  }

  void lexOne() {
    const char c = m_text[m_at];
    if (isBlank(c)) {
      ++m_at;
    } else if (c == '/' && look(1) == '/') {
      lexComment();
    } else if (c == '/' && look(1) == '*') {
      skipBlock();
    } else if (isWordStart(c)) {
      lexWord(TokenKind::Ident, 0);
    } else if (c == '%' && isWord(look(1))) {
      lexWord(TokenKind::PercentIdent, 1);
    } else if (isDigit(c)) {
      lexNumber();
    } else if (c == '"') {
      lexString();
    } else if (!lexPunctuation()) {
      lexStray();
    }
  }

  void lexWord(TokenKind kind, std::size_t prefix) {
    const std::size_t begin = m_at;
    m_at += prefix;
    while (m_at < m_text.size() && isWord(m_text[m_at])) ++m_at;
    if (m_at - begin <= kMaxWordBytes) {
      add(kind, begin);
    } else {
      fail(begin, m_at, "this name has " + std::to_string(m_at - begin) + " characters",
           "names have at most " + std::to_string(kMaxWordBytes));
    }
  }

  void skipDigits() {
    while (isDigit(look(0))) ++m_at;
  }

  void lexNumber() {
    const std::size_t begin = m_at;
    if (look(0) == '0' && look(1) == 'x' && isHexDigit(look(2))) return lexHex();
    skipDigits();
    bool whole = true;
    if (look(0) == '.' && isDigit(look(1))) {
      whole = false;
      ++m_at;
      skipDigits();
    }
    const std::size_t sign = look(1) == '+' || look(1) == '-' ? 1 : 0;
    if ((look(0) == 'e' || look(0) == 'E') && isDigit(look(1 + sign))) {
      whole = false;
      m_at += 1 + sign;
      skipDigits();
    }
    addNumber(begin, whole);
  }

  void lexHex() {
    const std::size_t begin = m_at;
    m_at += 2;
    while (isHexDigit(look(0))) ++m_at;
    Token token{TokenKind::Integer, spanOf(begin, m_at), 0, 0};
    const char* digits = m_text.data() + begin + 2;
    if (std::from_chars(digits, m_text.data() + m_at, token.integer, 16).ec != std::errc()) {
      return failLarge(begin);
    }
    token.number = static_cast<double>(token.integer);
    m_out.tokens.push_back(token);
  }

  void failLarge(std::size_t begin) {
    fail(begin, m_at, "this integer does not fit into 64 bits",
         "the largest is 9223372036854775807");
  }

  void addNumber(std::size_t begin, bool whole) {
    const char* first = m_text.data() + begin;
    const char* last = m_text.data() + m_at;
    Token token{whole ? TokenKind::Integer : TokenKind::Float, spanOf(begin, m_at), 0, 0};
    if (whole && std::from_chars(first, last, token.integer).ec != std::errc()) {
      return failLarge(begin);
    }
    if (std::from_chars(first, last, token.number).ec != std::errc()) {
      fail(begin, m_at, "this number is outside the range of 64-bit floating point",
           "use a magnitude between 1e-307 and 1e308");
      return;
    }
    m_out.tokens.push_back(token);
  }

  void lexString() {
    const std::size_t begin = m_at++;
    bool bad = false;
    while (m_at < m_text.size() && m_text[m_at] != '"' && m_text[m_at] != '\n') {
      if (m_text[m_at] == '\\' && look(1) != '\n' && look(1) != '\0') ++m_at;
      const std::size_t length = base::utf8Length(rest());
      bad = bad || length == 0 || isForbiddenControl(m_text[m_at]);
      m_at += length == 0 ? 1 : length;
    }
    if (look(0) != '"') {
      fail(begin, m_at, "this string is not closed on its line", "end it with `\"`");
      return;
    }
    ++m_at;
    if (bad) {
      fail(begin, m_at, "this string holds bytes that are not UTF-8 text",
           "save the file as UTF-8");
      return;
    }
    add(TokenKind::String, begin);
  }

  static bool isForbiddenControl(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && !isBlank(c)) || byte == 0x7F;
  }

  void lexComment() {
    const std::size_t begin = m_at;
    bool bad = false;
    while (m_at < m_text.size() && m_text[m_at] != '\n') {
      const std::size_t length = base::utf8Length(rest());
      bad = bad || length == 0 || isForbiddenControl(m_text[m_at]);
      m_at += length == 0 ? 1 : length;
    }
    std::size_t end = m_at;
    while (end > begin && isBlank(m_text[end - 1])) --end;
    if (bad) {
      fail(begin, end, "this comment holds bytes that are not UTF-8 text",
           "save the file as UTF-8");
    } else {
      m_out.comments.push_back({spanOf(begin, end), startsLine(begin)});
    }
  }

  void skipBlock() {
    const std::size_t begin = m_at;
    const std::size_t end = m_text.find("*/", m_at + 2);
    m_at = end == std::string_view::npos ? m_text.size() : end + 2;
    fail(begin, begin + 2, "a comment goes to the end of its line", "begin each line with `//`");
  }

  bool startsLine(std::size_t at) const {
    while (at > 0 && m_text[at - 1] != '\n') {
      if (!isBlank(m_text[at - 1])) return false;
      --at;
    }
    return true;
  }

  bool lexPunctuation() {
    for (const Punctuation& p : kPunctuation) {
      if (!rest().starts_with(p.spelling)) continue;
      const std::size_t begin = m_at;
      m_at += p.spelling.size();
      add(p.kind, begin);
      return true;
    }
    return false;
  }

  bool isStray(std::size_t at) const {
    const char c = m_text[at];
    return !isAscii(c) || isForbiddenControl(c);
  }

  void lexStray() {
    const std::size_t begin = m_at++;
    if (!isStray(begin)) {
      fail(begin, m_at, "unexpected character `" + std::string(1, m_text[begin]) + "`", "");
      return;
    }
    bool valid = m_text[begin] != '\0';
    m_at = begin;
    while (m_at < m_text.size() && isStray(m_at)) {
      const std::size_t length = base::utf8Length(rest());
      valid = valid && length > 1;
      m_at += length == 0 ? 1 : length;
    }
    if (valid) {
      fail(begin, m_at, "only ASCII text may stand outside comments and strings",
           !m_signHelp.empty() && isMathematicalSign(m_text.substr(begin))
               ? std::string(m_signHelp)
               : "names have letters a to z, digits and `_`");
    } else {
      fail(begin, m_at, "these bytes are not text", "save the file as UTF-8 text");
    }
  }

  std::string_view m_text, m_signHelp;
  std::size_t m_at = 0;
  TokenText m_out;
};

}  // namespace

TokenText lex(base::SourceRef source, std::string_view signHelp) {
  return Lexer(std::move(source), signHelp).run();
}

}  // namespace gridloom::syntax
