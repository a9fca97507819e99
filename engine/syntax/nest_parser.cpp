// SPDX-License-Identifier: Apache-2.0
#include "syntax/nest_parser.h"

#include <array>
#include <string>

#include "syntax/lexer.h"
#include "syntax/token_cursor.h"

namespace gridloom::syntax {

namespace {

using access::NestDirective;
using NestKind = NestDirective::Kind;

struct Form {
  std::string_view word;
  NestKind kind;
  std::string_view subject;
  std::string_view example;
  std::string_view former = {};
};

constexpr std::array<Form, 4> kForms{{
    {"level", NestKind::Level, "a memory", "level(Buffer)"},
    {"loop", NestKind::Loop, "a loop", "loop(k, 16)"},
    {"spatial", NestKind::Spatial, "a loop", "spatial(k->x, 16)", "spread"},
    {"bypass", NestKind::Bypass, "a tensor", "bypass(W, O)"},
}};

class NestParser {
 public:
  explicit NestParser(const TokenText& text) : m_cursor(text) {}

  base::Result<access::NestDirectives> run() {
    access::NestDirectives out;
    out.source = m_cursor.text().source;
    out.list =
        m_cursor.directives<NestDirective>([this](NestDirective& one) { return parseOne(one); });
    if (!m_cursor.errors().empty()) return std::move(m_cursor.errors());
    return out;
  }

 private:
  bool parseOne(NestDirective& out) {
    const Token first = m_cursor.peek();
    const Form* form = m_cursor.directiveWord(kForms, "`loop(k, 16)`");
    if (form == nullptr) return false;
    out.kind = form->kind;
    if (!m_cursor.accept(TokenKind::LParen)) return expected("`(`", *form);
    if (!parseName(form->subject, *form, out)) return false;
    if (!parseRest(*form, out)) return false;
    if (!m_cursor.accept(TokenKind::RParen)) return expected("`)`", *form);
    out.span = m_cursor.spanFrom(first);
    return true;
  }

  bool parseRest(const Form& form, NestDirective& out) {
    switch (form.kind) {
    case NestKind::Level:
      return true;
    case NestKind::Loop:
      return !m_cursor.accept(TokenKind::Comma) || parseCount(form, out);
    case NestKind::Spatial:
      if (m_cursor.accept(TokenKind::Arrow) && !parseAxis(form, out)) return false;
      return !m_cursor.accept(TokenKind::Comma) || parseCount(form, out);
    case NestKind::Bypass:
      while (m_cursor.accept(TokenKind::Comma)) {
        if (out.names.size() == kMaxDirectiveNames) {
          return m_cursor.tooMany("names in one directive", kMaxDirectiveNames);
        }
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

base::Result<access::NestDirectives> parseNest(base::SourceRef source) {
  const TokenText text = lex(std::move(source));
  return NestParser(text).run();
}

}  // namespace gridloom::syntax
