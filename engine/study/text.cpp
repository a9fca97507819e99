// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "study/quantity.h"

namespace gridloom::study {

namespace {

constexpr std::array<std::string_view, 5> kFormats{".0f", ".1f", ".2f", ".3f", "g"};

/// A part of a text: literal, or an expression with its value.
struct Piece {
  std::string literal;
  const std::vector<std::string>* cells = nullptr;  ///< of a column or a run that holds texts
  Quantity value = {};
  std::string format = {};
};

/// A number, or several with commas between them.
template <class Numbers> std::string numberText(const Numbers& numbers, const std::string& format) {
  return fmt::format(fmt::runtime("{:" + format + "}"), numbers);
}

Piece pieceOf(const base::SourceRef& source, base::Span span, const Scope& scope,
              base::Diagnostics& errors) {
  Piece piece;
  const std::string_view text = source->text().substr(span.begin, span.end - span.begin);
  const std::size_t colon = std::min(text.find(':'), text.size());
  if (const auto column = scope.texts.find(text); column != scope.texts.end()) {
    piece.cells = &column->second;
    return piece;
  }
  if (colon < text.size()) piece.format = text.substr(colon + 1);
  if (colon < text.size() && std::ranges::find(kFormats, piece.format) == kFormats.end()) {
    errors.push_back(base::errorAt(source, span, "there is no format `" + piece.format + "`",
                                   "formats are .0f, .1f, .2f, .3f and g"));
    piece.format.clear();
  }
  const auto end = static_cast<std::uint32_t>(span.begin + colon);
  const syntax::TokenText tokens = tokensOf(source, {span.begin, end});
  syntax::ReportingCursor in(tokens);
  piece.value = evaluate(in, scope);
  if (in.errors().empty() && !in.at(syntax::TokenKind::End)) in.expected("`}` or `:`");
  std::ranges::move(in.errors(), std::back_inserter(errors));
  return piece;
}

std::vector<Piece> piecesOf(const base::SourceRef& source, base::Span span, const Scope& scope,
                            base::Diagnostics& errors) {
  std::vector<Piece> pieces;
  const std::string_view text = source->text().substr(0, span.end);
  for (std::size_t at = span.begin; at < span.end;) {
    const std::size_t open = std::min(text.find('{', at), text.size());
    const std::size_t close = std::min(text.find('}', open), text.size());
    std::string literal(text.substr(at, open - at));
    // A line break and what indents the next line are one blank.
    for (std::size_t line = 0; (line = literal.find('\n', line)) != std::string::npos; ++line) {
      literal.replace(line, literal.find_first_not_of(" \n", line) - line, " ");
    }
    pieces.push_back({std::move(literal)});
    if (open < text.size()) {
      const base::Span inner{static_cast<std::uint32_t>(open + 1),
                             static_cast<std::uint32_t>(close)};
      pieces.push_back(pieceOf(source, inner, scope, errors));
    }
    at = close + 1;
  }
  return pieces;
}

/// Both sides with their names, unless they are the same or one is not there.
std::string sidesText(const Piece& piece) {
  const auto& [predicted, simulated] = piece.value.sides;
  const auto list = [&](const std::vector<double>& values) {
    return numberText(fmt::join(values, ", "), piece.format.empty() ? ".2f" : piece.format);
  };
  const auto isUnknown = [](const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double value) { return std::isnan(value); });
  };
  if (isUnknown(predicted) || predicted == simulated) return list(simulated);
  if (isUnknown(simulated)) return list(predicted);
  const std::string_view between = predicted.size() > 1 ? " predicted; " : " predicted, ";
  return fmt::format("{}{}{} simulated", list(predicted), between, list(simulated));
}

}  // namespace

std::vector<std::string> textPerRow(const base::SourceRef& source, base::Span text,
                                    const Scope& scope, base::Diagnostics& errors) {
  std::vector<std::string> out(scope.rows);
  for (const Piece& piece : piecesOf(source, text, scope, errors)) {
    for (std::size_t row = 0; row < scope.rows; ++row) {
      if (piece.cells != nullptr) {
        out[row] += (*piece.cells)[row];
      } else if (!piece.value.sides[1].empty()) {
        out[row] += numberText(piece.value.at(1, row), piece.format);
      } else {
        out[row] += piece.literal;
      }
    }
  }
  return out;
}

std::string textOnce(const base::SourceRef& source, base::Span text, const Scope& scope,
                     base::Diagnostics& errors) {
  std::string out;
  for (const Piece& piece : piecesOf(source, text, scope, errors)) {
    out += piece.literal;
    if (piece.cells != nullptr) out += piece.cells->front();
    if (!piece.value.sides[1].empty()) out += sidesText(piece);
  }
  return out;
}

}  // namespace gridloom::study
