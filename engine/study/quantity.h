// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/source_text.h"
#include "syntax/token_cursor.h"

namespace gridloom::study {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// A number per row of a study, or one that holds for all rows: by the model (side 0) and by the
/// simulator (side 1). kNone where there is none. Of a condition: 1 yes, 0 a tie, -1 no.
struct Quantity {
  std::array<std::vector<double>, 2> sides;

  static Quantity of(double value) { return {{{{value}, {value}}}}; }
  double at(std::size_t side, std::size_t row) const {
    const std::vector<double>& values = sides.at(side);
    if (values.size() == 1) return values.front();
    return row < values.size() ? values[row] : kNone;
  }
};

/// What expressions may name: columns of the rows, results of runs (`ours.cycles`), and what `let`
/// names.
struct Scope {
  std::size_t rows = 0;
  std::map<std::string, Quantity, std::less<>> quantities;
  std::map<std::string, std::vector<std::string>, std::less<>> texts;
};

/// The tokens of a part of a text, with their places in the whole.
syntax::TokenText tokensOf(const base::SourceRef& source, base::Span part);

/// Reads an expression and works it out over all rows (resources/docs/studies.md has the grammar).
/// `margin`: the share by which two numbers may differ and still be a tie. A fault is reported to
/// the cursor.
Quantity evaluate(syntax::ReportingCursor& in, const Scope& scope, double margin = 0);

/// A text with `{expression}` or `{expression:.1f}` in it, written out for every row.
std::vector<std::string> textPerRow(const base::SourceRef& source, base::Span text,
                                    const Scope& scope, base::Diagnostics& errors);
/// The same written out once, with all rows of each expression: "1.20, 1.30 predicted; 1.10, 1.25
/// simulated".
std::string textOnce(const base::SourceRef& source, base::Span text, const Scope& scope,
                     base::Diagnostics& errors);

}  // namespace gridloom::study
