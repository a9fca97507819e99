// SPDX-License-Identifier: Apache-2.0
#include "language/language.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/number_text.h"
#include "service/workspace.h"
#include "syntax/language_words.h"
#include "syntax/lexer.h"

namespace gridloom::language {

namespace {

using syntax::LanguageKind;
using syntax::LanguageWord;
using syntax::Token;
using syntax::TokenKind;

std::optional<LanguageKind> languageOf(const base::SourceText& text) {
  const std::string extension = std::filesystem::path(text.name()).extension().string();
  if (extension == ".hw") return LanguageKind::Hardware;
  if (extension == ".rec") return LanguageKind::Kernel;
  if (extension == ".sched") return LanguageKind::Directives;
  return {};
}

bool isName(const Token& token) {
  return token.kind == TokenKind::Ident || token.kind == TokenKind::PercentIdent;
}

/// A text as words, and where names are defined in it.
class Words {
 public:
  Words(const base::SourceRef& text, LanguageKind language)
      : m_tokens(syntax::lex(text)), m_language(language) {}

  /// The name at the offset, also just behind its last letter; -1: none.
  int at(std::uint32_t offset) const {
    for (std::size_t i = 0; i < m_tokens.tokens.size(); ++i) {
      const Token& token = m_tokens.tokens[i];
      if (isName(token) && token.span.begin <= offset && offset <= token.span.end) {
        return static_cast<int>(i);
      }
    }
    return -1;
  }
  std::string_view text(int i) const { return m_tokens.textOf(token(i)); }
  const Token& token(int i) const { return m_tokens.tokens[static_cast<std::size_t>(i)]; }
  int count() const { return static_cast<int>(m_tokens.tokens.size()); }

  /// The df operation in whose braces a place is, without `df.`; "" outside of any.
  std::string_view opAround(std::uint32_t offset) const {
    std::string_view op;
    int depth = 0;
    for (int i = 0; i + 2 < count() && token(i).span.begin < offset; ++i) {
      if (text(i) == "df" && token(i + 1).kind == TokenKind::Dot) op = text(i + 2);
      if (token(i).kind == TokenKind::LBrace) ++depth;
      if (token(i).kind == TokenKind::RBrace && --depth == 0) op = {};
    }
    return depth > 0 ? op : std::string_view();
  }

  /// Every name with its definition: `%x = ...`, `param n = ...`, `tensor A[...]`, `for r in ...`,
  /// and the parameters in a kernel's parentheses.
  bool defines(int i) const {
    if (i + 1 >= count() || !isName(token(i))) return false;
    const TokenKind next = token(i + 1).kind;
    const std::string_view before = i > 0 ? text(i - 1) : std::string_view();
    if (m_language == LanguageKind::Hardware) {
      return next == TokenKind::Equal &&
             (token(i).kind == TokenKind::PercentIdent || before == "param");
    }
    if (before == "tensor" || before == "local" || before == "kernel" || before == "for") {
      return true;
    }
    return next == TokenKind::Equal && isInParameters(i);
  }

  std::optional<base::Span> definitionOf(std::string_view name) const {
    for (int i = 0; i < count(); ++i) {
      if (text(i) == name && defines(i)) return token(i).span;
    }
    return {};
  }

  std::vector<std::string> names() const {
    std::set<std::string> all;
    for (int i = 0; i < count(); ++i) {
      if (defines(i)) all.emplace(text(i));
    }
    return {all.begin(), all.end()};
  }

 private:
  /// Between the parentheses behind `kernel name`.
  bool isInParameters(int i) const {
    for (int k = i; k-- > 0;) {
      const TokenKind kind = token(k).kind;
      if (kind == TokenKind::LBrace || kind == TokenKind::RParen) return false;
      if (kind == TokenKind::LParen) return k >= 2 && text(k - 2) == "kernel";
    }
    return false;
  }

  syntax::TokenText m_tokens;
  LanguageKind m_language;
};

/// What a name of a kernel stands for, if the text has no errors.
std::string kernelHover(const base::SourceRef& text, std::string_view name) {
  const auto opened = service::openKernel(text, {});
  if (!opened) return {};
  const kernel::Kernel& kernel = (*opened)->kernel;
  for (const kernel::Tensor& tensor : kernel.tensors) {
    if (tensor.name != name) continue;
    std::int64_t elements = 1;
    for (const std::int64_t size : tensor.shape) elements *= size;
    const auto bytes = static_cast<double>(kernel::bytesOf(tensor.dtype, elements));
    return fmt::format("`{}[{}]: {}`, {}, {}", tensor.name, fmt::join(tensor.shape, ", "),
                       kernel::nameOf(tensor.dtype), kernel::nameOf(tensor.role),
                       base::bytesText(bytes));
  }
  for (const kernel::Loop& loop : kernel.loops) {
    if (loop.name != name) continue;
    return fmt::format("loop `{}`: {} iterations, {}", loop.name, loop.extent,
                       kernel::nameOf(loop.kind));
  }
  for (const kernel::Parameter& parameter : kernel.parameters) {
    if (parameter.name == name) return fmt::format("`{} = {}`", parameter.name, parameter.value);
  }
  return {};
}

/// The source line of a definition.
std::string definitionLine(const base::SourceText& text, base::Span span) {
  std::string line(text.line(text.lineColumn(span.begin).line));
  line.erase(0, line.find_first_not_of(" \t"));
  return "```\n" + line + "\n```";
}

Completion::Kind kindOf(LanguageWord::Sort sort) {
  switch (sort) {
  case LanguageWord::Sort::Keyword:
  case LanguageWord::Sort::Op:
  case LanguageWord::Sort::Directive:
    return Completion::Kind::Keyword;
  case LanguageWord::Sort::Attribute:
    return Completion::Kind::Attribute;
  case LanguageWord::Sort::Function:
    return Completion::Kind::Function;
  case LanguageWord::Sort::Type:
    return Completion::Kind::Type;
  }
  return Completion::Kind::Name;
}

/// Whether a word may stand at a place of a hardware text: ops behind `df.`, attributes in braces.
bool fits(const LanguageWord& word, bool behindDot, std::string_view op) {
  switch (word.sort) {
  case LanguageWord::Sort::Op:
    return behindDot;
  case LanguageWord::Sort::Attribute: {
    const auto names = syntax::attributesOf(op);
    return !behindDot && std::find(names.begin(), names.end(), word.word) != names.end();
  }
  case LanguageWord::Sort::Keyword:
  case LanguageWord::Sort::Function:
  case LanguageWord::Sort::Type:
  case LanguageWord::Sort::Directive:
    return !behindDot;
  }
  return false;
}

}  // namespace

std::string hoverText(const base::SourceRef& text, std::uint32_t offset) {
  const auto language = languageOf(*text);
  if (!language) return {};
  const Words words(text, *language);
  const int at = words.at(offset);
  if (at < 0) return {};
  const std::string_view word = words.text(at);
  if (*language == LanguageKind::Kernel) {
    if (std::string hover = kernelHover(text, word); !hover.empty()) return hover;
  }
  if (const auto definition = words.definitionOf(word)) return definitionLine(*text, *definition);
  const LanguageWord* known = syntax::findWord(*language, word, words.opAround(offset));
  return known == nullptr ? std::string() : fmt::format("**{}**: {}", known->word, known->help);
}

std::vector<Completion> completionsAt(const base::SourceRef& text, std::uint32_t offset) {
  const auto language = languageOf(*text);
  if (!language) return {};
  const Words words(text, *language);
  std::uint32_t start = offset;
  const std::string_view all = text->text();
  const auto isWord = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  while (start > 0 && isWord(all[start - 1])) --start;
  const bool behindDot = start > 0 && all[start - 1] == '.';
  const bool behindPercent = start > 0 && all[start - 1] == '%';
  std::vector<Completion> completions;
  const std::string_view op = words.opAround(start);
  for (const LanguageWord& word : syntax::wordsOf(*language)) {
    if (behindPercent || !fits(word, behindDot, op)) continue;
    completions.push_back({std::string(word.word), kindOf(word.sort), std::string(word.help)});
  }
  for (const std::string& name : words.names()) {
    const bool isPercent = name.starts_with('%');
    if (behindDot || (behindPercent && !isPercent)) continue;
    completions.push_back({behindPercent ? name.substr(1) : name, Completion::Kind::Name, {}});
  }
  return completions;
}

std::optional<base::Span> definitionAt(const base::SourceRef& text, std::uint32_t offset) {
  const auto language = languageOf(*text);
  if (!language) return {};
  const Words words(text, *language);
  const int at = words.at(offset);
  if (at < 0) return {};
  if (const auto span = words.definitionOf(words.text(at))) return span;
  if (*language != LanguageKind::Kernel) return {};
  // A loop is defined by its first use.
  for (int i = 0; i < words.count(); ++i) {
    if (words.text(i) == words.text(at)) return words.token(i).span;
  }
  return {};
}

}  // namespace gridloom::language
