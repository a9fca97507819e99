// SPDX-License-Identifier: Apache-2.0
#include "study/quantity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/statistics.h"
#include "syntax/spelling.h"

namespace gridloom::study {

namespace {

using syntax::TokenKind;

template <class Function, class... More>
Quantity perRow(const Function& function, const Quantity& first, const More&... more) {
  Quantity out;
  for (const std::size_t side : {0U, 1U}) {
    const std::size_t rows = std::max({first.sides[side].size(), more.sides[side].size()...});
    for (std::size_t row = 0; row < rows; ++row) {
      out.sides[side].push_back(function(first.at(side, row), more.at(side, row)...));
    }
  }
  return out;
}

double compare(TokenKind how, double a, double b, double margin) {
  if (std::isnan(a) || std::isnan(b)) return kNone;
  const double slack = margin * std::max(std::abs(a), std::abs(b));
  const int sign = std::abs(a - b) <= slack ? 0 : (a < b ? -1 : 1);
  if (how == TokenKind::EqualEqual) return a == b ? 1 : -1;
  if (how == TokenKind::Less) return -sign;
  if (how == TokenKind::Greater) return sign;
  if (how == TokenKind::LessEqual) return sign <= 0 ? 1 : -1;
  return sign >= 0 ? 1 : -1;
}

/// No when any step falls by more than the margin; a tie when the last is no larger than the first
/// by it.
double rises(const std::vector<double>& values, double margin) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (compare(TokenKind::Less, values[i], values[i - 1], margin) > 0) return -1;
  }
  return compare(TokenKind::Greater, values.back(), values.front(), margin);
}

using Arguments = std::vector<Quantity>;

/// The rows of `of` for which the mask holds.
Quantity where(const Quantity& of, const Quantity& mask) {
  Quantity out;
  for (const std::size_t side : {0U, 1U}) {
    for (std::size_t row = 0; row < mask.sides[side].size(); ++row) {
      if (mask.at(side, row) > 0) out.sides[side].push_back(of.at(side, row));
    }
  }
  return out;
}

/// One number of all rows that have one, or of those for which a second argument holds.
using Rows = const std::vector<double>&;
template <double (*over)(Rows values, double margin)>
Quantity overRows(const Arguments& arguments, double margin) {
  Quantity out = arguments.size() > 1 ? where(arguments[0], arguments[1]) : arguments[0];
  for (std::vector<double>& values : out.sides) {
    std::erase_if(values, [](double value) { return std::isnan(value); });
    values = {values.empty() ? kNone : over(values, margin)};
  }
  return out;
}

double countOf(Rows values) { return static_cast<double>(values.size()); }
double yesOf(Rows values) {
  return static_cast<double>(std::ranges::count_if(values, [](double value) { return value > 0; }));
}
double sumOf(Rows values) { return std::accumulate(values.begin(), values.end(), 0.0); }

constexpr int kDeepest = 100;  ///< brackets within brackets

struct Function {
  std::string_view name;
  std::size_t least, most;  ///< arguments
  Quantity (*of)(const Arguments& arguments, double margin);
};
constexpr auto kFunctions = std::to_array<Function>(
    {{"mean", 1, 2, overRows<[](Rows v, double) { return sumOf(v) / countOf(v); }>},
     {"geomean", 1, 2, overRows<[](Rows v, double) { return report::geometricMean(v); }>},
     {"sum", 1, 2, overRows<[](Rows v, double) { return sumOf(v); }>},
     {"min", 1, 2, overRows<[](Rows v, double) { return std::ranges::min(v); }>},
     {"max", 1, 2, overRows<[](Rows v, double) { return std::ranges::max(v); }>},
     {"first", 1, 2, overRows<[](Rows v, double) { return v.front(); }>},
     {"last", 1, 2, overRows<[](Rows v, double) { return v.back(); }>},
     {"count", 1, 2, overRows<[](Rows v, double) { return yesOf(v); }>},
     {"share", 1, 2, overRows<[](Rows v, double) { return yesOf(v) / countOf(v); }>},
     {"n", 1, 2, overRows<[](Rows v, double) { return countOf(v); }>},
     {"all", 1, 2, overRows<[](Rows v, double) { return std::ranges::min(v); }>},
     {"rises", 1, 2, overRows<rises>},
     {"if", 3, 3,
      [](const Arguments& of, double) {
        const auto choose = [](double which, double a, double b) { return which > 0 ? a : b; };
        return perRow(choose, of[0], of[1], of[2]);
      }},
     {"sides", 2, 2,
      [](const Arguments& of, double) {
        return Quantity{{of[0].sides[0], of[1].sides[1]}};
      }},
     {"simulated", 1, 1,
      [](const Arguments& of, double) {
        return Quantity{{of[0].sides[1], of[0].sides[1]}};
      }},
     {"where", 2, 2, [](const Arguments& of, double) { return where(of[0], of[1]); }}});

/// Descent over the operators, the loosest first.
class Calculator {
 public:
  Calculator(syntax::ReportingCursor& in, const Scope& scope, double margin)
      : m_in(in), m_scope(scope), m_margin(margin) {}

  Quantity condition() {
    if (++m_depth > kDeepest) return fault(m_in.peek().span, "this is nested too deeply");
    Quantity out = comparison();
    while (m_in.acceptWord("and")) {
      out = perRow([](double a, double b) { return std::isnan(a + b) ? kNone : std::min(a, b); },
                   out, comparison());
    }
    --m_depth;
    return out;
  }

 private:
  Quantity comparison() {
    Quantity out = sum();
    const TokenKind how = m_in.peek().kind;
    const auto known = {TokenKind::Less, TokenKind::Greater, TokenKind::LessEqual,
                        TokenKind::GreaterEqual, TokenKind::EqualEqual};
    if (std::ranges::find(known, how) == known.end()) return out;
    m_in.take();
    return perRow([&](double a, double b) { return compare(how, a, b, m_margin); }, out, sum());
  }

  Quantity sum() {
    Quantity out = product();
    while (m_in.at(TokenKind::Plus) || m_in.at(TokenKind::Minus)) {
      const double sign = m_in.take().kind == TokenKind::Plus ? 1 : -1;
      out = perRow([&](double a, double b) { return a + sign * b; }, out, product());
    }
    return out;
  }

  Quantity product() {
    Quantity out = atom();
    while (m_in.at(TokenKind::Star) || m_in.at(TokenKind::Slash)) {
      const bool times = m_in.take().kind == TokenKind::Star;
      out = perRow([&](double a, double b) { return times ? a * b : a / b; }, out, atom());
    }
    return out;
  }

  Quantity atom() {
    const double sign = m_in.accept(TokenKind::Minus) ? -1 : 1;
    if (m_in.at(TokenKind::Integer) || m_in.at(TokenKind::Float)) {
      return Quantity::of(sign * m_in.take().number);
    }
    if (sign > 0 && m_in.accept(TokenKind::LParen)) {
      Quantity out = condition();
      expect(TokenKind::RParen);
      return out;
    }
    if (sign > 0 && m_in.at(TokenKind::Ident)) return named(m_in.take());
    return fault(m_in.peek().span, "expected a number, a name or `(`");
  }

  Quantity named(const syntax::Token& first) {
    std::string name(m_in.textOf(first));
    if (m_in.accept(TokenKind::LParen)) return called(first, name);
    base::Span span = first.span;
    if (m_in.accept(TokenKind::Dot)) {
      span.end = m_in.peek().span.end;
      name += "." + std::string(m_in.textOf(m_in.take()));
    }
    if (name == "none") return Quantity::of(kNone);
    const auto text = m_scope.texts.find(name);
    const bool compared = m_in.at(TokenKind::EqualEqual) && m_in.peek(1).kind == TokenKind::String;
    if (text != m_scope.texts.end() && compared) {
      m_in.take();
      const std::string wanted = syntax::stringValue(m_in.textOf(m_in.peek()));
      expect(TokenKind::String);
      std::vector<double> same;
      for (const std::string& cell : text->second) same.push_back(cell == wanted ? 1 : -1);
      return {{same, same}};
    }
    const auto known = m_scope.quantities.find(name);
    if (known != m_scope.quantities.end()) return known->second;
    if (text != m_scope.texts.end()) {
      return fault(span, "`" + name + "` holds texts, which are compared with `== \"...\"`");
    }
    std::vector<std::string_view> names;
    for (const auto& [quantity, value] : m_scope.quantities) names.push_back(quantity);
    return fault(span, "there is no quantity `" + name + "`", syntax::spellingHint(name, names));
  }

  Quantity called(const syntax::Token& first, std::string_view name) {
    Arguments arguments;
    do arguments.push_back(condition());
    while (m_in.accept(TokenKind::Comma));
    expect(TokenKind::RParen);
    const auto known = std::ranges::find(kFunctions, name, &Function::name);
    if (known == kFunctions.end()) {
      std::vector<std::string_view> names;
      for (const Function& function : kFunctions) names.push_back(function.name);
      return fault(first.span, "there is no function `" + std::string(name) + "`",
                   syntax::spellingHint(name, names));
    }
    if (arguments.size() < known->least || arguments.size() > known->most) {
      return fault(first.span, "`" + std::string(name) + "` takes another number of arguments");
    }
    return known->of(arguments, m_margin);
  }

  void expect(TokenKind kind) {
    if (!m_in.accept(kind)) fault(m_in.peek().span, "expected " + std::string(describe(kind)));
  }

  /// The first fault counts; others follow from it.
  Quantity fault(base::Span span, std::string message, std::string hint = {}) {
    if (m_in.errors().empty()) m_in.fail(span, std::move(message), std::move(hint));
    return Quantity::of(kNone);
  }

  syntax::ReportingCursor& m_in;
  const Scope& m_scope;
  double m_margin;
  int m_depth = 0;
};

}  // namespace

syntax::TokenText tokensOf(const base::SourceRef& source, base::Span part) {
  std::string text(source->text().size(), ' ');
  bool quoted = false, inner = false;
  for (std::uint32_t at = part.begin; at < part.end; ++at) {
    const char c = source->text()[at];
    if (c == '"' && !inner) quoted = !quoted;
    if (quoted && (c == '{' || c == '}')) inner = c == '{';
    // To the lexer, a string ends at any quote and at the end of its line.
    text[at] = (inner && c == '"') || (quoted && c == '\n') ? ' ' : c;
  }
  syntax::TokenText tokens = syntax::lex(base::makeSource(source->name(), std::move(text)));
  tokens.source = source;
  return tokens;
}

Quantity evaluate(syntax::ReportingCursor& in, const Scope& scope, double margin) {
  return Calculator(in, scope, margin).condition();
}

}  // namespace gridloom::study
