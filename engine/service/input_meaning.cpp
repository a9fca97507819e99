// SPDX-License-Identifier: Apache-2.0
#include "service/input_meaning.h"

#include "syntax/lexer.h"

namespace gridloom::service {

std::string meaningOf(const base::SourceRef& text) {
  const syntax::TokenText tokens = syntax::lex(text);
  if (!tokens.errors.empty()) return std::string(text->text());
  std::string meaning;
  std::uint32_t before = 0;
  for (const syntax::Token& token : tokens.tokens) {
    const auto gap = text->text().substr(before, token.span.begin - before);
    if (!meaning.empty()) meaning += gap.find('\n') == std::string_view::npos ? ' ' : '\n';
    meaning += tokens.textOf(token);
    before = token.span.end;
  }
  while (meaning.ends_with('\n') || meaning.ends_with(' ')) meaning.pop_back();
  return meaning;
}

}  // namespace gridloom::service
