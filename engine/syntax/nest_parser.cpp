// SPDX-License-Identifier: Apache-2.0
#include "syntax/nest_parser.h"

#include <algorithm>
#include <array>
#include <string>

#include "syntax/lexer.h"
#include "syntax/spelling.h"
#include "syntax/token_cursor.h"

namespace gridloom::syntax {

namespace {

using mapping::NestDirective;
using Kind = NestDirective::Kind;

struct Form {
  std::string_view word;
  Kind kind;
  std::string_view subject;
  std::string_view example;
};

constexpr std::array<Form, 4> kForms{{
    {"level", Kind::Level, "a memory", "level(Buffer)"},
    {"loop", Kind::Loop, "a loop", "loop(k, 16)"},
    {"spread", Kind::Spread, "a loop", "spread(k->x, 16)"},
    {"bypass", Kind::Bypass, "a tensor", "bypass(W, O)"},
}};

constexpr std::size_t kMaxErrors = 20;

class NestParser {
 public:
  explicit NestParser(const TokenText& text) : m_cursor(text) {}

  base::Result<mapping::NestDirectives> run() {
    mapping::NestDirectives out;
    out.source = m_cursor.text().source;
    while (!m_cursor.at(TokenKind::End) && m_cursor.errors().size() < kMaxErrors) {
      if (m_cursor.accept(TokenKind::Semicolon)) continue;
      const std::size_t start = m_cursor.position();
      NestDirective directive;
      if (parseOne(directive)) {
        out.list.push_back(std::move(directive));
      } else {
        m_cursor.skipDirective(start);
      }
    }
    if (!m_cursor.errors().empty()) return std::move(m_cursor.errors());
    return out;
  }

 private:
  bool parseOne(NestDirective& out) {
    const Token first = m_cursor.peek();
    const Form* form = parseWord();
    if (form == nullptr) return false;
    out.kind = form->kind;
    if (!m_cursor.accept(TokenKind::LParen)) return expected("`(`", *form);
    if (!parseName(form->subject, *form, out)) return false;
    if (!parseRest(*form, out)) return false;
    if (!m_cursor.accept(TokenKind::RParen)) return expected("`)`", *form);
    out.span = m_cursor.spanFrom(first);
    return true;
  }

  const Form* parseWord() {
    if (!m_cursor.at(TokenKind::Ident)) {
      m_cursor.expected("a directive", "for example `loop(k, 16)`");
      return nullptr;
    }
    const Token& token = m_cursor.peek();
    const std::string_view word = m_cursor.textOf(token);
    const auto form = std::ranges::find(kForms, word, &Form::word);
    if (form == kForms.end()) {
      std::array<std::string_view, kForms.size()> words;
      std::ranges::transform(kForms, words.begin(), &Form::word);
      m_cursor.fail(token.span, "unknown directive `" + std::string(word) + "`",
                    spellingHint(word, words));
      return nullptr;
    }
    m_cursor.take();
    return &*form;
  }

  bool parseRest(const Form& form, NestDirective& out) {
    switch (form.kind) {
    case Kind::Level:
      return true;
    case Kind::Loop:
      return !m_cursor.accept(TokenKind::Comma) || parseCount(form, out);
    case Kind::Spread:
      if (m_cursor.accept(TokenKind::Arrow) && !parseAxis(form, out)) return false;
      return !m_cursor.accept(TokenKind::Comma) || parseCount(form, out);
    case Kind::Bypass:
      while (m_cursor.accept(TokenKind::Comma)) {
        if (!parseName(form.subject, form, out)) return false;
      }
      return true;
    }
    return false;
  }

  bool parseName(std::string_view what, const Form& form, NestDirective& out) {
    if (!m_cursor.at(TokenKind::Ident)) return expected(what, form);
    const Token& token = m_cursor.take();
    out.names.push_back({std::string(m_cursor.textOf(token)), token.span});
    return true;
  }

  bool parseAxis(const Form& form, NestDirective& out) {
    if (!parseName("x or y", form, out)) return false;
    const NestDirective::Name& axis = out.names.back();
    if (axis.text == "x" || axis.text == "y") return true;
    return m_cursor.fail(axis.span, "instances stand along x or y, got `" + axis.text + "`",
                         "write `spread(k->x, 16)`");
  }

  bool parseCount(const Form& form, NestDirective& out) {
    if (!m_cursor.at(TokenKind::Integer)) return expected("a whole number", form);
    const Token& token = m_cursor.take();
    if (token.integer < 1) {
      return m_cursor.fail(token.span, "a loop runs at least once", "give a positive whole number");
    }
    out.count = token.integer;
    return true;
  }

  bool expected(std::string_view what, const Form& form) {
    return m_cursor.expected(what, "write `" + std::string(form.example) + "`");
  }

  ReportingCursor m_cursor;
};

}  // namespace

base::Result<mapping::NestDirectives> parseNest(base::SourceRef source) {
  const TokenText text = lex(std::move(source));
  return NestParser(text).run();
}

}  // namespace gridloom::syntax
