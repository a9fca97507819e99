// SPDX-License-Identifier: Apache-2.0
#include "syntax/directive_parser.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "mapping/former_names.h"
#include "syntax/directive_forms.h"
#include "syntax/equation_parser.h"
#include "syntax/lexer.h"
#include "syntax/spelling.h"
#include "syntax/token_cursor.h"

namespace gridloom::syntax {

namespace {

using mapping::Directive;

std::string exampleHint(const DirectiveForm& form) {
  return "write `" + std::string(form.example) + "`";
}

class DirectiveParser {
 public:
  explicit DirectiveParser(const TokenText& text) : m_cursor(text) {}

  base::Result<mapping::Directives> run() {
    mapping::Directives out;
    out.source = m_cursor.text().source;
    out.list = m_cursor.directives<Directive>([this](Directive& one) { return parseOne(one); });
    if (!m_cursor.errors().empty()) return std::move(m_cursor.errors());
    return out;
  }

 private:
  bool parseOne(Directive& out) {
    const Token first = m_cursor.peek();
    if (atEquation(m_cursor)) return parseEquation(out);
    if (m_cursor.acceptWord("map")) {
      out.kind = DirectiveKind::Map;
      const bool read = EquationParser(m_cursor).parseMap(out.map.emplace());
      out.span = m_cursor.spanFrom(first);
      return read;
    }
    out.excluded = m_cursor.at(TokenKind::Ident) && m_cursor.textOf(first) == "not";
    if (out.excluded) m_cursor.take();
    std::vector<std::string_view> others;
    if (!out.excluded) others.emplace_back("map");
    const DirectiveForm* form =
        m_cursor.directiveWord(kDirectiveForms, "`tile(i, 128)` or `space(i->x)`", others);
    if (form == nullptr) return false;
    out.kind = form->kind;
    if (!m_cursor.accept(TokenKind::LParen)) return expected("`(`", *form);
    if (!parseArguments(*form, out)) return false;
    if (!m_cursor.accept(TokenKind::RParen)) return expected("`)`", *form);
    out.span = m_cursor.spanFrom(first);
    return checkNames(*form, out);
  }

  bool parseEquation(Directive& out) {
    const Token first = m_cursor.peek();
    out.kind = DirectiveKind::Equation;
    const bool read = EquationParser(m_cursor).parse(out.equation.emplace());
    out.span = m_cursor.spanFrom(first);
    return read;
  }

  bool parseArguments(const DirectiveForm& form, Directive& out) {
    switch (form.shape) {
    case DirectiveShape::Placement:
      return parsePlacement(form, out);
    case DirectiveShape::Loops:
      return parseNames(form, "a loop", out);
    case DirectiveShape::Sizes:
      return parseName(form, "a loop", out.subject) && parseSizes(form, out.sizes);
    case DirectiveShape::Tensor:
      return parseTensor(form, out.subject);
    case DirectiveShape::TensorAndNames:
      if (!parseTensor(form, out.subject)) return false;
      if ((form.minNames == 0 || excludesAnyDimension(out)) && m_cursor.at(TokenKind::RParen))
        return true;
      if (!m_cursor.accept(TokenKind::Comma)) return expected("`,`", form);
      return parseNames(form, "a name", out);
    case DirectiveShape::Lanes:
      if (!parseName(form, "a loop", out.subject)) return false;
      return m_cursor.at(TokenKind::RParen) || parseSizes(form, out.sizes);
    }
    return false;
  }

  bool parsePlacement(const DirectiveForm& form, Directive& out) {
    if (!m_cursor.at(TokenKind::Arrow) && !parseName(form, "a loop or `->`", out.subject))
      return false;
    if (!m_cursor.accept(TokenKind::Arrow)) return expected("`->`", form);
    return parseNames(form, "a mesh dimension", out);
  }

  bool parseNames(const DirectiveForm& form, std::string_view what, Directive& out) {
    do {
      if (out.names.size() == kMany) return m_cursor.tooMany("names in one directive", kMany);
      Directive::Name name;
      if (!parseName(form, what, name)) return false;
      if (std::ranges::find(out.names, name.text, &Directive::Name::text) != out.names.end())
        return m_cursor.fail(name.span, "`" + name.text + "` stands twice in this directive", "");
      out.names.push_back(std::move(name));
    } while (m_cursor.accept(TokenKind::Comma));
    return true;
  }

  bool parseName(const DirectiveForm& form, std::string_view what, Directive::Name& out) {
    if (!m_cursor.at(TokenKind::Ident)) return expected(what, form);
    const Token first = m_cursor.take();
    out = {std::string(m_cursor.textOf(first)), first.span};
    return true;
  }

  /// A tensor, or one of its windows where a statement reads several: `A@2`, without spaces.
  bool parseTensor(const DirectiveForm& form, Directive::Name& out) {
    if (!parseName(form, "a tensor", out)) return false;
    if (!m_cursor.at(TokenKind::At)) return true;
    const Token at = m_cursor.take();
    const Token number = m_cursor.peek();
    if (at.span.begin != out.span.end || number.kind != TokenKind::Integer ||
        number.span.begin != at.span.end) {
      return m_cursor.fail(at.span, "expected the number of a window right behind `@`",
                           "write `" + out.text + "@2` for the second window of `" + out.text +
                               "`");
    }
    m_cursor.take();
    out.text += "@" + std::string(m_cursor.textOf(number));
    out.span.end = number.span.end;
    return true;
  }

  bool parseSizes(const DirectiveForm& form, std::vector<mapping::TileSizeRange>& out) {
    if (!m_cursor.accept(TokenKind::Comma)) return expected("`,` and a tile size", form);
    do {
      if (out.size() == kMaxDirectiveSizes) {
        return m_cursor.tooMany("tile sizes in one directive", kMaxDirectiveSizes);
      }
      const Token first = m_cursor.peek();
      mapping::TileSizeRange range;
      if (!parseSize(form, range.least)) return false;
      range.most = range.least;
      if (m_cursor.at(TokenKind::Ident) && m_cursor.textOf(m_cursor.peek()) == "to") {
        m_cursor.take();
        if (!parseSize(form, range.most)) return false;
        if (range.most < range.least) {
          return m_cursor.fail(m_cursor.spanFrom(first), "the range of tile sizes is empty",
                               "the smaller size stands first, as in `tile(i, 64 to 256)`");
        }
      }
      out.push_back(range);
    } while (m_cursor.accept(TokenKind::Comma));
    return true;
  }

  bool parseSize(const DirectiveForm& form, std::int64_t& size) {
    const bool negative = m_cursor.at(TokenKind::Minus);
    const Token first = m_cursor.peek();
    if (negative) m_cursor.take();
    if (!m_cursor.at(TokenKind::Integer)) return expected("a whole number of elements", form);
    size = m_cursor.take().integer;
    if (!negative && size != 0) return true;
    return m_cursor.fail(m_cursor.spanFrom(first), "a tile has at least one element",
                         "give a positive whole number");
  }

  /// `not multicast(A)`: along any dimension.
  static bool excludesAnyDimension(const Directive& directive) {
    return directive.excluded &&
           (directive.kind == DirectiveKind::Multicast ||
            directive.kind == DirectiveKind::TwoStage || directive.kind == DirectiveKind::Stream ||
            directive.kind == DirectiveKind::AllGather || directive.kind == DirectiveKind::Rotate);
  }

  /// What these ask for is not one choice of an axis.
  static bool isRequirement(DirectiveKind kind) {
    return kind == DirectiveKind::Scatter || kind == DirectiveKind::Vectorize ||
           kind == DirectiveKind::Isolate;
  }

  static bool isOneNumber(const std::vector<mapping::TileSizeRange>& sizes) {
    return sizes.empty() || (sizes.size() == 1 && sizes.front().least == sizes.front().most);
  }

  bool checkNames(const DirectiveForm& form, const Directive& directive) {
    const std::size_t count = directive.names.size();
    if (count == 0 && excludesAnyDimension(directive)) return true;
    if (directive.excluded && isRequirement(form.kind)) {
      return m_cursor.fail(directive.span, "`" + std::string(form.word) + "` has no opposite",
                           "leave it out, or exclude a movement: `not forward(A)`");
    }
    if (form.shape == DirectiveShape::Lanes && !isOneNumber(directive.sizes)) {
      return m_cursor.fail(directive.span, "`vectorize` takes one number of lanes",
                           exampleHint(form));
    }
    if (directive.excluded && form.kind == DirectiveKind::Order && count < 2) {
      return m_cursor.fail(directive.span, "one loop alone has no order that could be excluded",
                           "write `not order(i, k)`");
    }
    if (count < form.minNames || count > form.maxNames) {
      const std::string wanted =
          form.minNames == form.maxNames
              ? std::to_string(form.minNames)
              : std::to_string(form.minNames) + " or " + std::to_string(form.maxNames);
      return m_cursor.fail(directive.span,
                           "`" + std::string(form.word) + "` takes " + wanted + " name" +
                               (form.maxNames == 1 ? "" : "s") + " after the tensor, got " +
                               std::to_string(count),
                           exampleHint(form));
    }
    if (form.kind == DirectiveKind::SharedBuffer && count >= 3)
      return checkBuffers(directive.names[2]);
    if (form.kind == DirectiveKind::Reduce) {
      return checkWord(directive.names.front(), mapping::kReductionNames,
                       "partial results are reduced by `chain`, `tree`, `reduce_scatter` or "
                       "`none`");
    }
    if (form.kind == DirectiveKind::Unit) {
      constexpr std::array<std::string_view, 2> units{"matrix", "vector"};
      // A unit too, which mappings do not use: whoever resolves the directive says so.
      if (directive.names.front().text == "scalar") return true;
      return checkWord(directive.names.front(), units, "a unit is `matrix` or `vector`");
    }
    if (form.kind == DirectiveKind::Layout) {
      return checkWord(directive.names.front(), mapping::kLayoutNames,
                       "a layout is `page`, `tile`, `nearest` (channel) or `local` (memory)");
    }
    return true;
  }

  template <std::size_t N>
  bool checkWord(const Directive::Name& name, const std::array<std::string_view, N>& known,
                 const std::string& wanted) {
    if (std::ranges::find(known, mapping::presentName(name.text)) != known.end()) return true;
    return m_cursor.fail(name.span, wanted + ", got `" + name.text + "`",
                         spellingHint(name.text, known));
  }

  bool checkBuffers(const Directive::Name& count) {
    constexpr std::array<std::string_view, 2> counts{"single", "double"};
    if (std::ranges::find(counts, count.text) != counts.end()) return true;
    return m_cursor.fail(count.span,
                         "a shared buffer is `single` or `double`, got `" + count.text + "`",
                         spellingHint(count.text, counts));
  }

  bool expected(std::string_view what, const DirectiveForm& form) {
    return m_cursor.expected(what, exampleHint(form));
  }

  ReportingCursor m_cursor;
};

}  // namespace

base::Result<mapping::Directives> parseDirectives(base::SourceRef source) {
  const TokenText text = lex(std::move(source));
  return DirectiveParser(text).run();
}

}  // namespace gridloom::syntax
